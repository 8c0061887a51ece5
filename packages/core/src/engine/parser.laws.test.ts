import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParseEvent } from '../model/index.js';
import { JsonReader } from '../text/json.js';
import type { Dialect, Grammar, Mode, Opener, Traits } from './dialect.js';
import { mergeInto } from './event-merge.js';
import type { OpenerHold } from './hold.js';
import { defineMarkers, matchLiteral } from './markers.js';
import { createParser } from './parser.js';
import type { ParserOptions } from './parser-options.js';
import type { Reader } from './reader.js';

// A dialect small enough to see the engine behind it:
//
//   text <call NAME ID>{ … }</call> text       {{ and }} are markup inside of the text
//        ^ open ^ head  ^ body ^ tail

const OPEN = '<call ';
const CLOSE = '</call>';

const open: Opener['open'] = (reader, hold) => {
  reader.unfinished = 'incomplete';
  reader.markup(OPEN.length);
  return (r) => head(r, hold);
};

function head(reader: Reader, hold: OpenerHold): Mode | undefined {
  const rest = reader.text.slice(reader.at);
  const [line = ''] = /^[^<>\n]*/.exec(rest) ?? [];
  if (line === rest && line.length < 1000) return undefined;
  const [, name = '', space = '', id] = /^(\w+)(?:( )(.*))?$/.exec(line) ?? [];
  if (rest.charAt(line.length) !== '>' || !name) return hold.reject();
  reader.beginCall(name, name.length);
  reader.markup(space.length + (id?.length ?? 0) + 1);
  reader.identify(id);
  hold.keep();
  return body(new JsonReader(), reader.position);
}

function body(json: JsonReader, base: number): Mode {
  json.watch = -1;
  const reading: Mode = (reader) => {
    const end = json.read(reader.text, reader.at, reader.ended);
    reader.argument(json.take(), end - reader.at);
    for (const { code, at } of json.repairs.splice(0)) reader.repair(code, base + at, base + at + 1);
    if (json.failure) {
      reader.failCall(json.failure.code, json.failure.message);
      reader.unfinished = 'nothing';
      return reader.plain;
    }
    if (!json.done) return undefined;
    reader.endCall();
    reader.unfinished = 'missing-closer';
    return tail;
  };
  return reading;
}

const tail: Mode = (reader) => {
  // Half a closer at the end is a closer that was cut.
  const close = matchLiteral(reader.text, reader.at, CLOSE, false);
  if (close < 0) return undefined;
  if (close === 0) return reader.leaveOpen();
  reader.markup(close);
  reader.unfinished = 'nothing';
  return reader.plain;
};

const brace: Mode = (reader) => {
  reader.markup(2);
  return reader.plain;
};

const literal = (text: string) => ({
  firsts: text.charAt(0),
  match: (window: string, at: number, ended: boolean) => matchLiteral(window, at, text, ended),
});

const grammar: Grammar = {
  openers: [
    { ...literal(OPEN), open },
    { ...literal('{{'), inline: true, open: brace },
    { ...literal('}}'), inline: true, open: brace },
  ],
  drop: [
    { marker: '<eos>' },
    { marker: '<role>', repair: 'role-token' },
    { marker: CLOSE, repair: 'stray-closer' },
  ],
  notice: [{ marker: '<result>', code: 'forged-result', message: 'A result.' }],
};

function tiny(traits: Partial<Traits> = {}, spelling: Partial<Grammar> = {}): Dialect {
  const nothing = () => {};
  return {
    name: 'tiny',
    aliases: [],
    about: 'A dialect to try the engine with.',
    models: [],
    traits: {
      ids: true,
      values: 'json',
      streams: true,
      reasoning: { open: '<think>', close: '</think>' },
      callsInReasoning: 'if-unclosed',
      startsInReasoning: true,
      textAfterCalls: 'text',
      coercesStrings: false,
      resultRole: 'user',
      ...traits,
    },
    markers: defineMarkers([OPEN, CLOSE, '<think>', '</think>', '<eos>', '<role>', '<result>', '{{', '}}']),
    grammar: { ...grammar, ...spelling },
    render: { instructions: nothing, calls: nothing, results: nothing, stop: [] },
  };
}

function eventsOf(dialect: Dialect, pieces: readonly string[], options?: ParserOptions): ParseEvent[] {
  const parser = createParser(dialect, options);
  const joined: ParseEvent[] = [];
  for (const event of [...pieces.flatMap((piece) => parser.feed(piece)), ...parser.finish()]) {
    const last = joined.at(-1);
    if (!last || !mergeInto(last, event)) joined.push(event);
  }
  return joined;
}

const characters = (text: string) => Array.from({ length: text.length }, (_, at) => text.charAt(at));

/** Reads a text whole, in single characters and in every two pieces: all alike, and no character is lost. */
function eventsOfAny(text: string, options?: ParserOptions, dialect = tiny()): ParseEvent[] {
  const events = eventsOf(dialect, [text], options);
  expect(eventsOf(dialect, characters(text), options)).toEqual(events);
  for (let at = 1; at < text.length && text.length < 300; at++)
    expect(eventsOf(dialect, [text.slice(0, at), text.slice(at)], options)).toEqual(events);
  let end = 0;
  for (const { range } of events) {
    expect(range[0]).toBe(end);
    end = range[1];
  }
  expect(end).toBe(text.length);
  return events;
}

const call = (name = 'f', id?: string) => `<call ${name}${id === undefined ? '' : ` ${id}`}>{"a":1}</call>`;

describe('a grammar', () => {
  it('reads any soup the same in any cutting, and loses nothing', () => {
    const pieces = [
      ...tiny().markers.literals,
      ...[
        call(),
        call('g', 'x'),
        '<call f',
        'f>',
        'f x>',
        '{"a":',
        '1}',
        '{}',
        '{',
        '}',
        '"',
        '<',
        '\\',
        '```',
        '```\n',
      ],
      ...['\n', '\n\n', ' ', 'word', '\ud83d\ude00', '<\\call ', "{'b':True,}", '<think>', '</think>'],
    ];
    const options = fc.record({ thinking: fc.boolean(), strict: fc.boolean() });
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 14 }), options, (parts, chosen) => {
        eventsOfAny(parts.join(''), { ...chosen, limits: { calls: 3 }, untrusted: call() });
      }),
      { numRuns: 400 },
    );
  });
});
