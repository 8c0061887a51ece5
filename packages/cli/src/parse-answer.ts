// A model's output into the answer that `--json` and `--jsonl` give.

import {
  collect,
  createParser,
  type Dialect,
  type ExactValue,
  type ParseEvent,
  type ParserOptions,
  type Policies,
  parseExact,
} from '@dragoman/core';
import { CommandError } from './command-error.js';
import {
  booleanField,
  countField,
  expected,
  type JsonFields,
  objectField,
  optional,
  stringField,
  wordField,
} from './fields.js';
import { dialectNamed, missingDialect, withDialect } from './find-dialect.js';
import type { LineAnswer } from './json-lines.js';

export interface ParseSettings {
  dialect?: Dialect | undefined;
  tools?: ExactValue | undefined;
  thinking?: boolean | undefined;
  strict?: boolean | undefined;
  policies?: Policies | undefined;
  /** UTF-16 code units in a piece. Absent: the text as it comes. */
  chunk?: number | undefined;
}

export function parserOptions({ tools, thinking, strict, policies }: ParseSettings): ParserOptions {
  return {
    ...(tools !== undefined && { tools }),
    ...(thinking !== undefined && { thinking }),
    ...(strict !== undefined && { strict }),
    ...(policies !== undefined && { policies }),
  };
}

/** The text in pieces of so many code units; a pair of surrogates may be cut in two. */
export function* cutText(text: string, chunk = text.length): Generator<string> {
  for (let at = 0; at < text.length; at += chunk) yield text.slice(at, at + chunk);
}

export function* readEvents(dialect: Dialect, text: string, settings: ParseSettings): Generator<ParseEvent> {
  const parser = createParser(dialect, parserOptions(settings));
  for (const piece of cutText(text, settings.chunk)) yield* parser.feed(piece);
  yield* parser.finish();
}

export function toAnswer(events: Iterable<ParseEvent>): LineAnswer {
  const { text, reasoning, calls, issues, repairs } = collect(events);
  return {
    text,
    reasoning,
    calls: calls.map(({ id, name, input, raw }) => ({ id, name, input: exactInput(raw) ?? input, raw })),
    issues: issues.map(({ code, message, range }) => ({ code, message, range: [...range] })),
    repairs: repairs.map(({ code, range }) => ({ code, range: [...range] })),
  };
}

/** The input with the model's own digits: a program with larger numbers than ours loses nothing. */
export function exactInput(raw: string): ExactValue | undefined {
  try {
    return parseExact(raw);
  } catch {
    return undefined;
  }
}

/** Answers one line of `parse --jsonl`. The options of the command line are the defaults of every line. */
export function answerParse(question: JsonFields, defaults: ParseSettings): LineAnswer {
  const name = stringField(question, 'dialect');
  const dialect = name === undefined ? defaults.dialect : dialectNamed(name, withDialect(defaults.dialect));
  if (!dialect) throw missingDialect();
  const text = stringField(question, 'text');
  if (text === undefined) throw expected('text', 'a string', question.get('text'));
  return toAnswer(readEvents(dialect, text, settingsOf(question, defaults)));
}

/** The settings of one line, with those of the command line as defaults. */
export function settingsOf(question: JsonFields, defaults: ParseSettings): ParseSettings {
  return {
    tools: optional(question, 'tools') ?? defaults.tools,
    thinking: booleanField(question, 'thinking') ?? defaults.thinking,
    strict: booleanField(question, 'strict') ?? defaults.strict,
    policies: policiesOf(question),
    chunk: countField(question, 'chunk') ?? defaults.chunk,
  };
}

const POLICIES = ['textAfterCalls', 'callsInReasoning', 'coerceStrings', 'schemaBeatsAttribute', 'calls'];

/** The parser's policies, each checked: a misspelt one would be ignored by the parser. */
function policiesOf(question: JsonFields): Policies | undefined {
  const given = objectField(question, 'policies');
  if (!given) return undefined;
  const unknown = [...given.keys()].find((name) => !POLICIES.includes(name));
  if (unknown !== undefined)
    throw new CommandError(`policies: expected ${POLICIES.join(', ')}, found ${JSON.stringify(unknown)}`);
  const textAfterCalls = wordField(given, 'textAfterCalls', ['text', 'aside']);
  const callsInReasoning = wordField(given, 'callsInReasoning', ['if-unclosed', 'never']);
  const coerceStrings = booleanField(given, 'coerceStrings');
  const schemaBeatsAttribute = booleanField(given, 'schemaBeatsAttribute');
  const calls = wordField(given, 'calls', ['read', 'text']);
  return {
    ...(textAfterCalls !== undefined && { textAfterCalls }),
    ...(callsInReasoning !== undefined && { callsInReasoning }),
    ...(coerceStrings !== undefined && { coerceStrings }),
    ...(schemaBeatsAttribute !== undefined && { schemaBeatsAttribute }),
    ...(calls !== undefined && { calls }),
  };
}
