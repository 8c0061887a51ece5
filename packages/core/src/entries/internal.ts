// @dragoman/core/internal: inner tools for the other packages of this repository. They may change with every version;
// programs use the other entries.

export { all, dialects, findDialect } from '../dialects/all.js';
export { readSignatures } from '../dialects/xnl/read-signatures.js';
export type { Dialect, ReadResults, RenderOptions, TurnToken } from '../engine/dialect.js';
export { hasMarker, type MarkerSet, NO, neutralise, nextOf, restore } from '../engine/markers.js';
export { callsOf, orderResults, textOf } from '../engine/message-text.js';
export { type ParsedCall, parse } from '../engine/parse.js';
export {
  describeReading,
  type FoundMarker,
  type RankedReading,
  type Ranking,
  type RankOptions,
  rankInSteps,
  rankReadings,
  recognises,
} from '../engine/rank-readings.js';
export { readResults } from '../engine/read-results.js';
export { readAnswer, readOutside, readText } from '../engine/read-text.js';
export {
  type RenderedMessage,
  renderMessages,
  renderOwnMessages,
  renderOwnPrompt,
  renderPrompt,
} from '../engine/renderer.js';
export { resultTemplate } from '../engine/result-template.js';
export { probeTools, type TaughtFrame, taughtFrames } from '../engine/taught-frames.js';
export { type TracedAnswer, type TracedPrompt, tracePrompt } from '../engine/trace-prompt.js';
export { type Span, Writer } from '../engine/writer.js';
export { meaningOfIssue, meaningOfRepair } from '../explain/meanings.js';
export {
  type ChoiceAdvice,
  type DialectHints,
  isBetter,
  judge,
  type ReadingVerdict,
  verdictWords,
} from '../explain/verdict.js';
export { readToolLines } from '../families/writing/tool-text.js';
export { textTypes } from '../model/accept-parts.js';
export { acceptedTools, functionTool } from '../model/accept-tools.js';
export { notExpected } from '../model/fields.js';
export { indentSpaced } from '../model/indented-json.js';
export * from '../model/index.js';
export { isLongJson, jsonPieces } from '../model/json-pieces.js';
export { linkCalls } from '../model/link-calls.js';
export { keepTool } from '../model/prepared-tools.js';
export { keptJson, writeSpaced } from '../model/stringify-json.js';
export { resolveRef } from '../schema/schema.js';
export { createValidator } from '../schema/validate.js';
export { ingredients, markerMix } from '../testing/marker-mix.js';
export { createRandom } from '../testing/random.js';
export { commonPrefix } from '../text/common-prefix.js';
export { JsonReader, readJson } from '../text/json.js';
export { readPythonLiteral } from '../text/python-literal.js';
export { messagesTranscript } from '../wire/anthropic-messages/transcript.js';
export { hasDuplicates } from '../wire/call-arguments.js';
export {
  addExtra,
  type ExactObject,
  isExactObject,
  keysOf,
  memberAt,
  memberOf,
  NOTE_PREFIX,
  putExtra,
} from '../wire/exact-members.js';
export { readMedia } from '../wire/media.js';
export { chatTranscript } from '../wire/openai-chat/transcript.js';
export { resultMedia, resultText } from '../wire/result-content.js';
export { exactSchema, readDefinition } from '../wire/tool-source.js';
export {
  lastKeys,
  oneCallPath,
  type ReadChoice,
  richerChoice,
  type TranscriptCodec,
  type WriteContext,
} from '../wire/transcript-codec.js';
