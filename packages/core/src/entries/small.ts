// @dragoman/core/small: eight dialects and what reads and writes them, for a page that must be small (under 60 KB). `small` is
// their registry; its type lists the names. The functions take dialects, not names, so that a program may give any other
// dialect of '@dragoman/core/dialects', too; one that does not import `small` bundles only those it imports.
//
//   import { parse, small } from '@dragoman/core/small';
//   parse(small.find('hermes'), text)

import type { Dialect } from '../engine/dialect.js';
import { type ParsedAnswer, parse as parseWith } from '../engine/parse.js';
import { createParser as createParserOf, type Parser } from '../engine/parser.js';
import type { ParserOptions } from '../engine/parser-options.js';

export { type SmallDialectName, small } from '../dialects/small.js';
export type { Dialect, RenderOptions } from '../engine/dialect.js';
export { collect, type ParsedAnswer, type ParsedCall } from '../engine/parse.js';
export type { Parser } from '../engine/parser.js';
export { DEFAULT_LIMITS, type Limits, type ParserOptions, type Policies } from '../engine/parser-options.js';
export { createRegistry, type Registry } from '../engine/registry.js';
export {
  type RenderedMessage,
  type RenderedMessages,
  type RenderedPrompt,
  renderMessages,
  renderPrompt,
} from '../engine/renderer.js';
export { UsageError } from '../model/index.js';
export type * from '../model/public.js';

/** Reads a model's text as it arrives: `feed` each piece, then `finish`. */
export const createParser: (dialect: Dialect, options?: ParserOptions) => Parser = createParserOf;

/** Reads a whole text. */
export const parse: (dialect: Dialect, text: string, options?: ParserOptions) => ParsedAnswer = parseWith;
