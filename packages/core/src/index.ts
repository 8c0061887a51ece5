// @dragoman/core: all dialects, in every runtime and every bundle, and what reads, writes and finds them. A page that needs
// few dialects and few bytes imports '@dragoman/core/small'.

import { all } from './dialects/all.js';
import type { Dialect, RenderOptions } from './engine/dialect.js';
import { type ParsedAnswer, parse as parseWith } from './engine/parse.js';
import { createParser as createParserOf, type Parser } from './engine/parser.js';
import type { ParserOptions } from './engine/parser-options.js';
import { type ReadTurn, readTurn as readTurnIn } from './engine/read-turn.js';
import {
  type RenderedMessages,
  type RenderedPrompt,
  renderMessages as renderMessagesIn,
  renderPrompt as renderPromptIn,
} from './engine/renderer.js';

/** A dialect, or its name as this project or a serving engine spells it. */
export type DialectLike = Dialect | string;

function toDialect(dialect: DialectLike): Dialect {
  return typeof dialect === 'string' ? all.find(dialect) : dialect;
}

/** Reads a model's text as it arrives: `feed` each piece, then `finish`. */
export function createParser(dialect: DialectLike, options: ParserOptions = {}): Parser {
  return createParserOf(toDialect(dialect), options);
}

/** Reads a whole text. */
export function parse(dialect: DialectLike, text: string, options: ParserOptions = {}): ParsedAnswer {
  return parseWith(toDialect(dialect), text, options);
}

/**
 * Reads a whole turn, and gives it as a message that `renderPrompt` and `renderMessages` write again as the model wrote
 * it, so that the prefix of the next prompt stays the same.
 */
export function readTurn(dialect: DialectLike, text: string, options: ParserOptions = {}): ReadTurn {
  return readTurnIn(toDialect(dialect), text, options);
}

/** Writes the whole prompt for a completion endpoint, as the model's vendor does. */
export function renderPrompt(
  dialect: DialectLike,
  conversation: unknown,
  options: RenderOptions = {},
): RenderedPrompt {
  return renderPromptIn(toDialect(dialect), conversation, options);
}

/** Writes the messages that teach a chat endpoint the dialect and carry the conversation in it. */
export function renderMessages(
  dialect: DialectLike,
  conversation: unknown,
  options: RenderOptions = {},
): RenderedMessages {
  return renderMessagesIn(toDialect(dialect), conversation, options);
}

export { all, detect, dialects, findDialect } from './dialects/all.js';
export type { DialectDeclaration } from './engine/declaration.js';
export type { Detection, Evidence } from './engine/detect.js';
export type {
  CallContext,
  Dialect,
  Dropped,
  Grammar,
  Mode,
  Notice,
  Opener,
  Reader,
  Render,
  RenderOptions,
  ResultContext,
  Safety,
  Traits,
  Writer,
} from './engine/dialect.js';
export { collect, type ParsedAnswer, type ParsedCall } from './engine/parse.js';
export type { Parser } from './engine/parser.js';
export { DEFAULT_LIMITS, type Limits, type ParserOptions, type Policies } from './engine/parser-options.js';
export type { ReadTurn } from './engine/read-turn.js';
export { createRegistry, type Registry } from './engine/registry.js';
export type { RenderedMessage, RenderedMessages, RenderedPrompt } from './engine/renderer.js';
export type { Span } from './engine/writer.js';
export * from './entries/grammar.js';
export { dialectFrom as defineDialect } from './families/declared/check-declaration.js';
export { fromResponseTemplate } from './families/declared/response-template.js';
export {
  type ExportedTemplate,
  toResponseTemplate,
} from './families/declared/to-response-template.js';
export {
  ApiError,
  acceptConversation,
  acceptTools,
  ExactNumber,
  indentJson,
  type PreparedTools,
  parseExact,
  prepareTools,
  stringifyJson,
  toPlain,
  UsageError,
} from './model/index.js';
export type * from './model/public.js';
export { type RenderedTemplate, renderTemplate, type TemplateOptions } from './template/lazy-template.js';
