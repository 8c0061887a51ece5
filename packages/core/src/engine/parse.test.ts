import { describe, expect, it } from 'vitest';
import type { ParseEvent } from '../model/index.js';
import type { Dialect, Mode } from './dialect.js';
import { defineMarkers, matchLiteral } from './markers.js';
import { collect, parse } from './parse.js';
import { createParser } from './parser.js';

// One sign is a call: `@` and a letter. That is enough to see whole text and stream meet.
const sign: Mode = (reader) => {
  reader.unfinished = 'incomplete';
  if (reader.text.length - reader.at < 2) return undefined;
  reader.markup(1);
  reader.beginCall(reader.text.charAt(reader.at), 1);
  reader.endCall();
  reader.keepAll();
  reader.unfinished = 'nothing';
  return reader.plain;
};

const nothing = () => {};
const signs: Dialect = {
  name: 'signs',
  aliases: [],
  about: 'A call is a sign and a letter.',
  models: [],
  traits: {
    ids: false,
    values: 'json',
    streams: false,
    reasoning: { open: '<think>', close: '</think>' },
    callsInReasoning: 'never',
    startsInReasoning: false,
    textAfterCalls: 'aside',
    coercesStrings: false,
    resultRole: 'user',
  },
  markers: defineMarkers(['@f', '<think>', '</think>']),
  grammar: {
    openers: [{ firsts: '@', match: (text, at, ended) => matchLiteral(text, at, '@', ended), open: sign }],
  },
  render: { instructions: nothing, calls: nothing, results: nothing, stop: [] },
};

describe('collect', () => {
  it('puts events together: joined text, calls, and all parts in order', () => {
    const events: ParseEvent[] = [
      { type: 'reasoning-delta', text: 'h', range: [0, 1] },
      { type: 'markup', range: [1, 2] },
      { type: 'reasoning-delta', text: 'm', range: [2, 3] },
      { type: 'text-delta', text: 'a', range: [3, 4] },
      { type: 'text-delta', text: 'b', range: [4, 5] },
      { type: 'call-start', id: '1', name: 'f', range: [5, 6] },
      { type: 'call-delta', id: '1', text: '{"n":1.0}', range: [6, 7] },
      { type: 'call-end', id: '1', name: 'f', input: { n: 1 }, raw: '{"n":1.0}', range: [7, 8] },
      { type: 'text-delta', text: 'c', range: [8, 9], aside: true },
      { type: 'text-delta', text: 'd', range: [9, 10] },
      { type: 'text-delta', text: 'e', range: [10, 11] },
    ];
    const call = { id: '1', name: 'f', input: { n: 1 }, raw: '{"n":1.0}' };
    expect(collect(events)).toEqual({
      text: 'abde',
      reasoning: 'hm',
      calls: [call],
      parts: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'ab' },
        { type: 'tool-call', ...call },
        { type: 'text', text: 'c', aside: true },
        { type: 'text', text: 'de' },
      ],
      issues: [],
      repairs: [],
    });
  });

  it('lists issues and repairs of every event, in order', () => {
    const events: ParseEvent[] = [
      { type: 'markup', range: [0, 1], repairs: [{ code: 'role-token', range: [0, 1] }] },
      { type: 'call-start', id: '1', name: 'f', range: [1, 2] },
      {
        type: 'call-error',
        id: '1',
        name: 'f',
        raw: '{',
        range: [2, 3],
        issues: [{ code: 'incomplete-call', range: [1, 3], message: 'Cut.' }],
        repairs: [{ code: 'comment', range: [2, 3] }],
      },
    ];
    const answer = collect(events);
    expect(answer.repairs.map(({ code }) => code)).toEqual(['role-token', 'comment']);
    expect(answer.issues.map(({ code }) => code)).toEqual(['incomplete-call']);
    expect(answer).toMatchObject({ calls: [], parts: [], text: '' });
  });

  it('of nothing is an empty answer', () => {
    expect(collect([])).toEqual({ text: '', reasoning: '', calls: [], parts: [], issues: [], repairs: [] });
  });

  it('leaves the events as they were', () => {
    const events: ParseEvent[] = [
      { type: 'text-delta', text: 'a', range: [0, 1] },
      { type: 'text-delta', text: 'b', range: [1, 2] },
    ];
    const before = structuredClone(events);
    collect(events);
    expect(events).toEqual(before);
  });
});

describe('parse', () => {
  it.each(['', 'text', '<think>r</think>a @f b @g', '@', 'a\n@f\n'])(
    'of %j is what a stream of it gives',
    (text) => {
      const parser = createParser(signs);
      const events = [...[...text].flatMap((character) => parser.feed(character)), ...parser.finish()];
      expect(parse(signs, text)).toEqual(collect(events));
    },
  );

  it('reads text, reasoning and calls, and sets text behind the calls aside', () => {
    expect(parse(signs, '<think>r</think>a @f b')).toMatchObject({
      text: 'a ',
      reasoning: 'r',
      calls: [{ id: 'call_1', name: 'f', input: {}, raw: '{}' }],
      parts: [
        { type: 'reasoning', text: 'r' },
        { type: 'text', text: 'a ' },
        { type: 'tool-call', name: 'f' },
        { type: 'text', text: ' b', aside: true },
      ],
      issues: [{ code: 'text-after-calls' }],
    });
  });

  it('takes the options of a parser', () => {
    expect(parse(signs, '@f', { policies: { calls: 'text' } })).toMatchObject({ text: '@f', calls: [] });
    expect(parse(signs, '@f', { newId: (n) => `n${n}` }).calls).toMatchObject([{ id: 'n1' }]);
  });
});
