import { describe, expect, it } from 'vitest';
import type { ParseEvent } from '../model/index.js';
import type { Dialect } from './dialect.js';
import { mergeInto } from './event-merge.js';
import { NO_MARKERS } from './markers.js';
import { type ParserOptions, setUp } from './parser-options.js';
import { Reader } from './reader.js';

const nothing = () => {};
const dialect: Dialect = {
  name: 'none',
  aliases: [],
  about: 'Traits only: the reader asks for nothing else.',
  models: [],
  traits: {
    ids: true,
    values: 'json',
    streams: true,
    callsInReasoning: 'never',
    startsInReasoning: false,
    textAfterCalls: 'text',
    coercesStrings: false,
    resultRole: 'user',
  },
  markers: NO_MARKERS,
  grammar: { openers: [] },
  render: { instructions: nothing, calls: nothing, results: nothing, stop: [] },
};

function readerOf(text: string, options: ParserOptions = {}): Reader {
  const reader = new Reader(setUp(dialect, options));
  reader.push(text);
  return reader;
}

/** Each event with the characters it stands for. */
function told(reader: Reader, text: string): unknown[] {
  return reader.takeEvents().map(({ type, range }) => [type, text.slice(range[0], range[1])]);
}

describe('passing over characters', () => {
  it('emits the event that stands for them: the ranges tile the text', () => {
    const text = 'Hi <f> {"a":1} </f>';
    const reader = readerOf(text);
    reader.say(3);
    reader.markup(1);
    reader.beginCall('f', 1);
    reader.identify();
    reader.markup(2);
    reader.argument('{"a":1}', 7);
    reader.endCall(1);
    reader.markup(4);
    expect(told(reader, text)).toEqual([
      ['text-delta', 'Hi '],
      ['markup', '<'],
      ['call-start', 'f'],
      ['markup', '> '],
      ['call-delta', '{"a":1}'],
      ['call-end', ' '],
      ['markup', '</f>'],
    ]);
    expect(reader.position).toBe(text.length);
  });

  it('over none emits nothing', () => {
    const reader = readerOf('x');
    reader.say(0);
    reader.markup(0);
    expect(reader.takeEvents()).toEqual([]);
  });

  it('joins neighbours of one kind, and gives events once', () => {
    const reader = readerOf('abcd');
    reader.say(1);
    reader.say(1);
    reader.markup(1);
    reader.markup(1);
    expect(reader.takeEvents()).toEqual([
      { type: 'text-delta', text: 'ab', range: [0, 2] },
      { type: 'markup', range: [2, 4] },
    ]);
    expect(reader.takeEvents()).toEqual([]);
  });

  it('in the voice of reasoning is reasoning', () => {
    const reader = readerOf('ab');
    reader.voice = 'reasoning';
    reader.say(1);
    reader.voice = 'text';
    reader.say(1);
    expect(reader.takeEvents().map(({ type }) => type)).toEqual(['reasoning-delta', 'text-delta']);
  });

  it('knows whether something was said, and whether the line opens a fence', () => {
    const reader = readerOf(' \n  ```xml\nx');
    reader.say(2);
    expect(reader.silent).toBe(true);
    reader.say(8);
    expect(reader.silent).toBe(false);
    expect(reader.inFenceLine).toBe(true);
    reader.say(2);
    expect(reader.inFenceLine).toBe(false);
  });
});

describe('trying', () => {
  it('holds events until the reading is kept', () => {
    const reader = readerOf('abc');
    reader.say(1);
    const hold = reader.try();
    reader.markup(1);
    expect(reader.takeEvents()).toHaveLength(1);
    hold.keep();
    expect(reader.takeEvents()).toEqual([{ type: 'markup', range: [1, 2] }]);
  });

  it('and undoing is as if nothing had been read, whatever was pushed meanwhile', () => {
    const reader = readerOf('a<f>');
    reader.say(1);
    reader.takeEvents();
    const hold = reader.try();
    reader.markup(1);
    reader.beginCall('f', 1);
    reader.identify('x');
    reader.markup(1);
    reader.push('{}</f>');
    reader.argument('{}', 2);
    reader.endCall();
    reader.voice = 'reasoning';
    reader.unfinished = 'incomplete';
    hold.undo();
    expect(reader.takeEvents()).toEqual([]);
    expect(reader.text.slice(reader.at)).toBe('<f>{}</f>');
    expect([
      reader.position,
      reader.calls,
      reader.voice,
      reader.unfinished,
      reader.call,
      reader.silent,
    ]).toEqual([1, 0, 'text', 'nothing', undefined, false]);
    reader.beginCall('f', 0);
    reader.identify('x');
    expect(reader.call?.id).toBe('x');
    expect(reader.call?.issues).toEqual([]);
  });

  it('takes back what an open call gained', () => {
    const reader = readerOf('{"a":1}{"b":2}');
    const call = reader.beginCall('f', 0);
    reader.identify();
    reader.argument('{"a":1}', 7);
    reader.repair('comment');
    const hold = reader.try();
    reader.argument('{"b":2}', 7);
    reader.repair('trailing-comma');
    reader.issue('duplicate-key', 'Twice.');
    hold.undo();
    expect(call.raw.toString()).toBe('{"a":1}');
    expect(call.repairs.map(({ code }) => code)).toEqual(['comment']);
    expect(call.issues).toEqual([]);
  });

  it('nests: the inner reading is kept by the outer one, and goes with it', () => {
    const reader = readerOf('abcd');
    const outer = reader.try();
    reader.say(1);
    const inner = reader.try();
    reader.markup(1);
    inner.keep();
    expect(reader.takeEvents()).toEqual([]);
    outer.undo();
    expect(reader.takeEvents()).toEqual([]);
    expect(reader.position).toBe(0);
    reader.try();
    reader.say(1);
    reader.try();
    reader.markup(1);
    reader.keepAll();
    expect(reader.takeEvents().map(({ type }) => type)).toEqual(['text-delta', 'markup']);
    expect(reader.depth).toBe(0);
  });

  it('knows how much is held, and whether it is open', () => {
    const reader = readerOf('abc');
    reader.say(1);
    const hold = reader.try();
    reader.say(1);
    expect([hold.isOpen, hold.length]).toEqual([true, 1]);
    hold.settle();
    hold.settle();
    expect([hold.isOpen, hold.length]).toEqual([false, 0]);
  });

  it('is closed once, and the innermost first: anything else is a fault of the grammar', () => {
    const reader = readerOf('abc');
    const outer = reader.try();
    const inner = reader.try();
    expect(() => outer.keep()).toThrow('before one inside it');
    inner.undo();
    expect(() => inner.undo()).toThrow('twice');
    expect(() => inner.keep()).toThrow('twice');
  });

  it('at the end of the text goes back to the outermost opener', () => {
    const reader = readerOf('<f>{');
    reader.tryOpener(0);
    reader.markup(3);
    reader.try();
    reader.markup(1);
    expect(reader.rejectAll()).toBe(reader.plain);
    expect(reader.takeEvents()).toEqual([{ type: 'text-delta', text: '<', range: [0, 1] }]);
    expect(reader.depth).toBe(0);
  });

  it('an opener that is rejected is text up to just behind its first character', () => {
    const reader = readerOf('\n\n<f>{');
    const hold = reader.tryOpener(2);
    reader.markup(5);
    reader.unfinished = 'incomplete';
    expect(hold.reject()).toBe(reader.plain);
    expect(reader.takeEvents()).toEqual([{ type: 'text-delta', text: '\n\n<', range: [0, 3] }]);
    expect(reader.unfinished).toBe('nothing');
    expect(reader.text.slice(reader.at)).toBe('f>{');
  });

  it('an opener that is restarted has its separators passed', () => {
    const reader = readerOf('\n\n<f>');
    const hold = reader.tryOpener(2);
    reader.markup(5);
    hold.restart();
    expect(reader.takeEvents()).toEqual([{ type: 'markup', range: [0, 2] }]);
    expect(reader.text.slice(reader.at)).toBe('<f>');
  });
});

describe('a call', () => {
  const events = (reader: Reader) => reader.takeEvents().filter(({ type }) => type !== 'markup');

  it('without arguments has an empty object', () => {
    const reader = readerOf('f');
    reader.beginCall('f', 1);
    reader.endCall();
    expect(events(reader)).toMatchObject([
      { type: 'call-start', id: 'call_1', name: 'f' },
      { type: 'call-delta', id: 'call_1', text: '{}' },
      { type: 'call-end', id: 'call_1', name: 'f', input: {}, raw: '{}' },
    ]);
    expect(reader.calls).toBe(1);
    expect(reader.call).toBeUndefined();
  });

  it('whose name was passed as markup takes its characters out of it', () => {
    const text = '{"name": "get", "x": 1}';
    const reader = readerOf(text);
    const hold = reader.try();
    reader.markup(text.length);
    reader.beginCallAt('get', [10, 13]);
    reader.identify('x');
    hold.keep();
    expect(told(reader, text)).toEqual([
      ['markup', '{"name": "'],
      ['call-start', 'get'],
      ['markup', '", "x": 1}'],
    ]);
  });

  it('whose name stood further back has an empty range', () => {
    const reader = readerOf('abc');
    const hold = reader.try();
    reader.markup(2);
    reader.say(1);
    reader.beginCallAt('f', [0, 1]);
    reader.identify();
    hold.keep();
    expect(events(reader).at(-1)).toMatchObject({ type: 'call-start', range: [3, 3] });
  });

  it.each(['[1]', '"x"', '1', 'null', '{"a":'])(
    'with %j as arguments is an error that carries them',
    (raw) => {
      const reader = readerOf('');
      reader.beginCall('f', 0);
      reader.identify();
      reader.argument(raw, 0);
      reader.endCall();
      expect(events(reader).at(-1)).toMatchObject({
        type: 'call-error',
        id: 'call_1',
        name: 'f',
        raw,
        issues: [{ code: 'unreadable-call' }],
      });
    },
  );

  it('keeps its digits in `raw`', () => {
    const reader = readerOf('');
    reader.beginCall('f', 0);
    reader.identify();
    reader.argument('{"n":1.0,', 0);
    reader.argument('"m":12345678901234567890}', 0);
    reader.endCall();
    expect(events(reader).at(-1)).toMatchObject({ raw: '{"n":1.0,"m":12345678901234567890}' });
  });

  it('collects what is wrong with it and what was repaired, for its last event', () => {
    const reader = readerOf('abc');
    reader.beginCall('f', 1);
    reader.identify();
    reader.repair('comment', 1, 2);
    reader.issue('duplicate-key', 'Twice.', 1, 2);
    reader.markup(1, 'stray-marker');
    reader.endCall();
    const [, markup, , end] = reader.takeEvents();
    expect(markup).toEqual({ type: 'markup', range: [1, 2] });
    expect(end?.repairs).toEqual([
      { code: 'comment', range: [1, 2] },
      { code: 'stray-marker', range: [1, 2] },
    ]);
    expect(end?.issues).toEqual([{ code: 'duplicate-key', message: 'Twice.', range: [1, 2] }]);
  });

  it('that fails before it began has no id', () => {
    const reader = readerOf('abc');
    reader.failCall('unreadable-call', 'No.', 2);
    expect(reader.takeEvents()).toEqual([
      {
        type: 'call-error',
        range: [0, 2],
        issues: [{ code: 'unreadable-call', message: 'No.', range: [0, 2] }],
      },
    ]);
    expect(reader.calls).toBe(1);
  });

  it('is named once: the first id stays', () => {
    const reader = readerOf('');
    reader.beginCall('f', 0);
    reader.identify('a');
    reader.identify('b');
    expect(reader.call?.id).toBe('a');
  });

  it('that is over: arguments and ends are markup', () => {
    const reader = readerOf('abc');
    reader.argument('{}', 1);
    reader.endCall(1);
    expect(reader.takeEvents()).toEqual([{ type: 'markup', range: [0, 2] }]);
  });

  it('is held to the schema of its tool', () => {
    const tools = [{ name: 'f', parameters: { type: 'object', required: ['a'] } }];
    const reader = readerOf('', { tools });
    reader.beginCall('f', 0);
    reader.endCall();
    expect(events(reader).at(-1)).toMatchObject({ type: 'call-end', issues: [{ code: 'schema-mismatch' }] });
  });
});

describe('notes', () => {
  it('outside of a call stand on markup of no length', () => {
    const reader = readerOf('a');
    reader.repair('role-token');
    reader.issue('nested-block', 'Two.', 0, 1);
    expect(reader.takeEvents()).toEqual([
      {
        type: 'markup',
        range: [0, 0],
        repairs: [{ code: 'role-token', range: [0, 0] }],
        issues: [{ code: 'nested-block', message: 'Two.', range: [0, 1] }],
      },
    ]);
  });

  it('of one kind stay apart, for a chunk may end between them', () => {
    const reader = readerOf('abcd');
    reader.markup(1, 'text-in-block');
    reader.markup(2, 'text-in-block');
    reader.markup(1, 'stray-marker');
    expect(reader.takeEvents()).toEqual([
      {
        type: 'markup',
        range: [0, 4],
        repairs: [
          { code: 'text-in-block', range: [0, 1] },
          { code: 'text-in-block', range: [1, 3] },
          { code: 'stray-marker', range: [3, 4] },
        ],
      },
    ]);
  });

  it('of one kind over neighbouring characters of a call are one', () => {
    const reader = readerOf('fabcd');
    reader.beginCall('f', 1);
    reader.markup(1, 'text-in-block');
    reader.markup(2, 'text-in-block');
    reader.markup(1, 'stray-marker');
    reader.endCall();
    expect(reader.takeEvents().at(-1)?.repairs).toEqual([
      { code: 'text-in-block', range: [1, 4] },
      { code: 'stray-marker', range: [4, 5] },
    ]);
  });

  it('a block that is left open owes its closer until that comes', () => {
    const reader = readerOf('');
    expect(reader.owesCloser).toBe(false);
    expect(reader.leaveOpen()).toBe(reader.plain);
    expect(reader.owesCloser).toBe(true);
    reader.settleCloser();
    expect(reader.owesCloser).toBe(false);
    expect(reader.takeEvents()).toMatchObject([{ repairs: [{ code: 'missing-closer' }] }]);
  });
});

describe('mergeInto', () => {
  const text = (said: string, start: number, more: object = {}): ParseEvent =>
    ({ type: 'text-delta', text: said, range: [start, start + said.length], ...more }) as ParseEvent;
  const delta = (id: string, start: number): ParseEvent => ({
    type: 'call-delta',
    id,
    text: 'x',
    range: [start, start + 1],
  });

  it('joins pieces of the same kind', () => {
    const last = text('ab', 0);
    expect(mergeInto(last, text('c', 2))).toBe(true);
    expect(last).toEqual(text('abc', 0));
    const args = delta('1', 0);
    expect(mergeInto(args, delta('1', 1))).toBe(true);
    expect(args).toMatchObject({ text: 'xx', range: [0, 2] });
  });

  it.each<[string, ParseEvent, ParseEvent]>([
    ['text and markup', text('a', 0), { type: 'markup', range: [1, 2] }],
    ['text and text set aside', text('a', 0), text('b', 1, { aside: true })],
    ['pieces of two calls', delta('1', 0), delta('2', 1)],
    ['two starts', start('1'), start('2')],
  ])('leaves %s apart', (_, last, event) => {
    const before = structuredClone(last);
    expect(mergeInto(last, event)).toBe(false);
    expect(last).toEqual(before);
  });
});

function start(id: string): ParseEvent {
  return { type: 'call-start', id, name: 'f', range: [0, 0] };
}
