// @dragoman/local: models that run in this process, as upstreams of the bridge.

export {
  type ChosenDialect,
  chooseDialect,
  type DescribedModel,
  takesWholePrompt,
} from './choose-dialect.js';
export { FairQueue, type QueueOptions, type Release } from './fair-queue.js';
export { type GgufFile, ggufFile, ggufFiles, type SkippedFile } from './gguf/gguf-files.js';
export { type GgufInfo, readGgufInfo, type SpecialToken } from './gguf/gguf-info.js';
export type { ByteSource } from './gguf/gguf-reader.js';
export { createGgufUpstream, type GgufUpstream, type GgufUpstreamOptions } from './gguf-upstream.js';
export type {
  HeldGrammar,
  LocalEvent,
  LocalModel,
  LocalRequest,
  LocalUsage,
  PromptPiece,
  Sampling,
} from './local-model.js';
export { LocalModelError } from './local-model-error.js';
export { createLocalUpstream, type Lease, type LocalUpstreamOptions } from './local-upstream.js';
export { ModelShelf, type ShelfOptions } from './model-shelf.js';
export type { ChatTemplate } from './prompt/template-pieces.js';
