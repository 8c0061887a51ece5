// What every entry of @dragoman/core gives, whichever dialects it knows from the start.

import type { Dialect, RenderOptions } from './codec/dialect.js';
import { type ParsedAnswer, parse as parseWith } from './codec/parse.js';
import { createParser as createParserOf, type Parser } from './codec/parser.js';
import type { ParserOptions } from './codec/parser-options.js';
import {
  type RenderedMessages,
  type RenderedPrompt,
  renderMessages as renderMessagesIn,
  renderPrompt as renderPromptIn,
} from './codec/renderer.js';
import { findDialect } from './dialects/registry.js';

/** A dialect, or its name as this project or a serving engine spells it. */
export type DialectLike = Dialect | string;

function toDialect(dialect: DialectLike): Dialect {
  return typeof dialect === 'string' ? findDialect(dialect) : dialect;
}

/** Reads a model's text as it arrives: `feed` each piece, then `finish`. */
export function createParser(dialect: DialectLike, options: ParserOptions = {}): Parser {
  return createParserOf(toDialect(dialect), options);
}

/** Reads a whole text. */
export function parse(dialect: DialectLike, text: string, options: ParserOptions = {}): ParsedAnswer {
  return parseWith(toDialect(dialect), text, options);
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
} from './codec/dialect.js';
export { collect, type ParsedAnswer, type ParsedCall } from './codec/parse.js';
export type { Parser } from './codec/parser.js';
export { DEFAULT_LIMITS, type Limits, type ParserOptions, type Policies } from './codec/parser-options.js';
export type { RenderedMessage, RenderedMessages, RenderedPrompt } from './codec/renderer.js';
export { type RenderedTemplate, renderTemplate, type TemplateOptions } from './codec/template-door.js';
export type { Span } from './codec/writer.js';
export { addDialect, findDialect, knownDialects } from './dialects/registry.js';
export * from './model/index.js';
