// `dragoman parse --serve`: a parser for programs in other languages, over JSON lines. Each line is an operation, and is
// answered by one line, in order. A session is a parser that text is fed to as it arrives.
//
//   {"id": 1, "op": "open", "session": "a", "dialect": "hermes"}        →  {"id": 1}
//   {"id": 2, "op": "feed", "session": "a", "text": "<tool_call>{"}     →  {"id": 2, "events": […]}
//   {"id": 3, "op": "finish", "session": "a"}                           →  {"id": 3, "events": […]}

import { createParser, type Dialect, type ExactValue, type ParseEvent, type Parser } from '@dragoman/core';
import { CommandError, messageOf } from './command-error.js';
import { booleanField, expected, type JsonFields, optional, stringField, wordField } from './fields.js';
import { dialectNamed, dialectNames, missingDialect, withDialect } from './find-dialect.js';
import type { LineAnswer } from './json-lines.js';
import {
  exactInput,
  type ParseSettings,
  parserOptions,
  readEvents,
  settingsOf,
  toAnswer,
} from './parse-answer.js';
import { answerRender } from './render-answer.js';

/** Raised when an operation changes its meaning. New operations and members do not raise it. */
const PROTOCOL = 1;

const OPERATIONS = ['hello', 'open', 'feed', 'finish', 'close', 'parse', 'render'] as const;

export class ParseSessions {
  readonly #parsers = new Map<string, Parser>();

  constructor(
    private readonly defaults: ParseSettings,
    /** Sessions that may be open at once. Each holds one call of text at most, within the parser's limits. */
    private readonly most: number,
    private readonly version: string,
  ) {}

  answer(question: JsonFields): LineAnswer | Promise<LineAnswer> {
    const op = wordField(question, 'op', OPERATIONS);
    switch (op) {
      case 'open':
        return this.#open(question);
      case 'feed':
        return this.#feed(question);
      case 'finish':
        return this.#finish(question);
      case 'close':
        this.#parsers.delete(sessionOf(question));
        return {};
      case 'parse':
        return this.#parse(question);
      case 'render':
        return answerRender(question, { dialect: this.defaults.dialect }, undefined);
      case 'hello':
        return { protocol: PROTOCOL, version: this.version, dialects: [...dialectNames] };
      default:
        throw expected('op', OPERATIONS.join(', '), undefined);
    }
  }

  #open(question: JsonFields): LineAnswer {
    const session = sessionOf(question);
    if (this.#parsers.has(session)) throw new CommandError(`session: ${session} is open already`);
    if (this.#parsers.size >= this.most)
      throw new CommandError(
        `${this.most} sessions are open, which is the limit: finish or close some, or raise it with --sessions`,
      );
    const { dialect, settings } = this.#settings(question);
    this.#parsers.set(session, createParser(dialect, parserOptions(settings)));
    return {};
  }

  #feed(question: JsonFields): LineAnswer {
    const parser = this.#parserOf(question);
    const text = stringField(question, 'text');
    if (text === undefined) throw expected('text', 'a string', question.get('text'));
    return { events: parser.feed(text).map(toExact) };
  }

  #finish(question: JsonFields): LineAnswer {
    const parser = this.#parserOf(question);
    this.#parsers.delete(sessionOf(question));
    return { events: parser.finish().map(toExact) };
  }

  /** One text, or a list of them: a batch costs one line. */
  #parse(question: JsonFields): LineAnswer {
    const { dialect, settings } = this.#settings(question);
    const read = answering(dialect, settings, booleanField(question, 'events') === true);
    const texts = optional(question, 'texts');
    if (texts === undefined) {
      const text = stringField(question, 'text');
      if (text === undefined) throw expected('text', 'a string, or `texts` a list', undefined);
      return read(text);
    }
    if (!Array.isArray(texts)) throw expected('texts', 'a list of strings', texts);
    return { answers: texts.map((text) => orError(() => read(text))) };
  }

  #settings(question: JsonFields): { dialect: Dialect; settings: ParseSettings } {
    const name = stringField(question, 'dialect');
    const own = this.defaults.dialect;
    const dialect = name === undefined ? own : dialectNamed(name, withDialect(own));
    if (!dialect) throw missingDialect();
    return { dialect, settings: settingsOf(question, this.defaults) };
  }

  #parserOf(question: JsonFields): Parser {
    const session = sessionOf(question);
    const parser = this.#parsers.get(session);
    if (!parser) throw new CommandError(`session: ${session} is not open; it may be finished`);
    return parser;
  }
}

/** A name that the client chose: a string, or a number. */
function sessionOf(question: JsonFields): string {
  const session = question.get('session');
  if (typeof session === 'string' || typeof session === 'number') return JSON.stringify(session);
  throw expected('session', 'a string or a number', session);
}

function answering(dialect: Dialect, settings: ParseSettings, withEvents: boolean) {
  return (text: ExactValue): LineAnswer => {
    if (typeof text !== 'string') throw expected('texts', 'a list of strings', text);
    const events = [...readEvents(dialect, text, settings)];
    return { ...toAnswer(events), ...(withEvents && { events: events.map(toExact) }) };
  };
}

/** A text that cannot be read does not cost the others their answers. */
function orError(read: () => LineAnswer): LineAnswer {
  try {
    return read();
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/** The event, with the model's own digits in the input of a call. */
function toExact(event: ParseEvent): ExactValue {
  if (event.type !== 'call-end') return event as unknown as ExactValue;
  return { ...event, input: exactInput(event.raw) ?? event.input } as unknown as ExactValue;
}
