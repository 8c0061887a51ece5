export { GgufError, type GgufFile, readGguf, toFloats } from './gguf.js';
export { Llama, type LlamaOptions } from './llama.js';
export { type LoadTinyOptions, loadTiny, sharedTiny } from './load-tiny.js';
export {
  answerPieces,
  BEGIN,
  END,
  formOf,
  type PromptForm,
  type PromptOptions,
  piecesOfMessages,
  piecesOfPrompt,
  promptPieces,
  renderingOf,
  roleTokens,
} from './prompt.js';
export { PromptTooLong, TinyModel, type TinyModelOptions } from './tiny-model.js';
export {
  createTinyUpstream,
  type TinyUpstreamOptions,
  tinyRender,
} from './tiny-upstream.js';
export { readVocabulary, Tokenizer } from './tokenizer.js';
