import { dialects } from '@dragoman/core';
import { createRandom } from '@dragoman/core/testing';
import { describe, expect, it } from 'vitest';
import { jsonTree } from '../parts/json-tree.js';
import { jsonOffset, textRange } from './argument-map.js';
import { corpusOutputs } from './corpus.fixture.js';
import { rankDialects } from './guess.js';
import { type ReadInput, type ReadJob, Replay, readAll, shuffle } from './jobs.js';

const outputs = corpusOutputs();

function run<T>(job: ReadJob<T>): { result: T; pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const { done, value } = job.next();
    if (done) return { result: value, pauses };
  }
}

const inputOf = (text: string, dialect: string, more: Partial<ReadInput> = {}): ReadInput => ({
  text,
  dialect,
  tools: [],
  thinking: false,
  ...more,
});

describe('a replay', () => {
  const text = 'Let me see.\n<tool_call>\n{"name": "f", "arguments": {"a": "b", "c": [1, 2]}}\n</tool_call>';

  it('knows the same at a point, whether it came from before or from behind', () => {
    const random = createRandom(6);
    const replay = new Replay(inputOf(text, 'hermes'), dialects);
    for (let n = 0; n < 100; n++) {
      const at = random.int(text.length + 1);
      expect(run(replay.to(at)).result).toEqual(
        run(new Replay(inputOf(text, 'hermes'), dialects).to(at)).result,
      );
    }
  });

  it('shows arguments as they grow, each a beginning of the next', () => {
    const replay = new Replay(inputOf(text, 'hermes'), dialects);
    let before = '';
    const seen = new Set<string>();
    for (let at = 0; at <= text.length; at++) {
      const { calls, settled, fed } = run(replay.to(at)).result;
      expect(settled).toBeLessThanOrEqual(fed);
      const raw = calls[0]?.raw ?? '';
      expect(raw.startsWith(before)).toBe(true);
      before = raw;
      seen.add(raw);
    }
    expect(before).toBe('{"a":"b","c":[1,2]}');
    expect(seen.size).toBeGreaterThan(10);
  });

  it('ends only at the end', () => {
    const replay = new Replay(inputOf(text, 'hermes'), dialects);
    expect(run(replay.to(text.length - 1)).result.finished).toBe(false);
    expect(run(replay.to(text.length)).result.finished).toBe(true);
    expect(run(replay.to(3)).result).toMatchObject({ finished: false, fed: 3 });
  });

  it('pauses at least once in five thousand characters, so that newer input is heard', () => {
    const long = 'word '.repeat(60_000);
    expect(run(readAll(inputOf(long, 'hermes'), dialects)).pauses).toBeGreaterThan(long.length / 5000);
  });
});

describe('the map of arguments', () => {
  it('leads from each argument to the characters it was read from', () => {
    const text = '<tool_call>\n{"name": "f", "arguments": {"city": "Paris", "n": [1,  22]}}\n</tool_call>';
    const [call] = run(readAll(inputOf(text, 'hermes'), dialects)).result.reading.calls;
    const { children } = jsonTree(call!.raw)!;
    const found = (start: number, end: number) => text.slice(...textRange(call!.map, start, end)!);
    expect(children.map(({ start, end }) => found(start, end))).toEqual(['"city": "Paris"', '"n": [1,  22]']);
    expect(children.map(({ valueStart, end }) => found(valueStart, end))).toEqual(['"Paris"', '[1,  22]']);
    const offset = jsonOffset(call!.map, text.indexOf('aris'));
    expect(call!.raw.startsWith('aris', offset)).toBe(true);
  });

  it('leads past escapes and repairs, and into tags', () => {
    const found = (text: string, dialect: string) => {
      const [call] = run(readAll(inputOf(text, dialect), dialects)).result.reading.calls;
      const places = jsonTree(call!.raw)!.children.map(({ valueStart, end }) => [valueStart, end] as const);
      return places.map(([start, end]) => text.slice(...textRange(call!.map, start, end)!));
    };
    const json = `{"name": "f", "arguments": {"a": 'x', "b": True, "c": "say "hi" now", "d": [1, 2,], "e": 0}}`;
    expect(found(`<tool_call>\n${json}\n</tool_call>`, 'hermes')).toEqual([
      `'x'`,
      'True',
      '"say "hi" now"',
      '[1, 2,]',
      '0',
    ]);
    const tagged = ['say "hi"\n\tto\\all', 'plain'].map(
      (value, at) => `<arg_key>${at}</arg_key>\n<arg_value>${value}</arg_value>\n`,
    );
    expect(found(`<tool_call>f\n${tagged.join('')}</tool_call>`, 'glm-4.5')).toEqual([
      'say "hi"\n\tto\\all',
      'plain',
    ]);
  });
});

describe('a guess', () => {
  const callOf = (name: string) => outputs.find((output) => output.name === `one-call/${name}`);

  it.each(dialects.map(({ name }) => name))('finds %s by a call of its own', (name) => {
    const own = callOf(name);
    // Some write calls alike, as laguna and glm-4.5: it is the first of them.
    const first = dialects.find((dialect) => callOf(dialect.name)?.text === own!.text)!.name;
    const { guess, reading } = run(
      readAll(inputOf(own!.text, 'auto', { tools: own!.options.tools ?? [] }), dialects),
    ).result;
    expect(reading.calls.length).toBeGreaterThan(0);
    expect(guess!.dialect).toBe(first);
    expect(guess!.why.join(' ')).toContain(first);
  });

  it('says so where there is nothing to go by', () => {
    expect(run(readAll(inputOf('Hello.', 'auto'), dialects)).result.guess).toMatchObject({
      why: ['No dialect reads a call in this text.'],
      confidence: 'none',
    });
  });
});

describe('a long text', () => {
  const long = `${'A long story. '.repeat(20_000)}${outputs.find(({ name }) => name === 'one-call/glm-4.5')!.text}`;

  it('is guessed by the part with the first marker', () => {
    const { guess, reading } = run(readAll(inputOf(long, 'auto'), dialects)).result;
    expect(guess!.dialect).toBe('glm-4.5');
    expect(reading.calls).toHaveLength(1);
  });

  it('is ranked on a sample, which the result tells', () => {
    const { result } = run(rankDialects(inputOf(long, 'hermes'), dialects));
    expect(result.sample).toBeLessThan(long.length);
    expect(result.dialects).toHaveLength(dialects.length);
    expect(result.dialects[0]).toMatchObject({ name: 'glm-4.5', reads: true });
    expect(result.better).toBe('glm-4.5');
  });
});

describe('a text that still grows', () => {
  it('leaves its last call open, and reports nothing as cut off', () => {
    const text = '<tool_call>\n{"name": "f", "arguments": {"a": "b';
    const growing = run(readAll(inputOf(text, 'hermes', { growing: true }), dialects)).result.reading;
    expect(growing).toMatchObject({ finished: false, calls: [{ state: 'open' }], notes: [] });
    const whole = run(readAll(inputOf(text, 'hermes'), dialects)).result.reading;
    expect(whole).toMatchObject({ finished: true, calls: [{ state: 'failed' }] });
  });
});

describe('shuffling', () => {
  it('changes nothing, and says how much was tried', () => {
    const { text, dialect } = outputs.find(({ name }) => name === 'parallel-calls/glm-4.5')!;
    const { result } = run(shuffle(inputOf(text, dialect.name), dialects, 1));
    expect(result.differs).toBeUndefined();
    expect(result.runs).toBeGreaterThan(50);
    expect(result.smallest).toBe(1);
    expect(result.largest).toBeGreaterThan(100);
    expect(run(shuffle(inputOf(text, dialect.name), dialects, 1)).result).toEqual(result);
    expect(run(shuffle(inputOf(text, dialect.name), dialects, 2)).result.pieces).not.toBe(result.pieces);
  });
});
