import type { JsonObject } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { emptyAnswer, withChunk } from './answer.js';

const delta = (piece: JsonObject, more: JsonObject = {}): JsonObject => ({
  choices: [{ index: 0, delta: piece, ...more }],
});
const call = (index: number, piece: JsonObject) => delta({ tool_calls: [{ index, ...piece }] });

const chunks: JsonObject[] = [
  delta({ role: 'assistant', content: '' }),
  delta({ reasoning_content: 'Two ' }),
  delta({ reasoning_content: 'cities.' }),
  delta({ content: 'I will look.' }),
  call(0, { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '' } }),
  call(0, { function: { arguments: '{"city":' } }),
  call(0, { function: { arguments: '"Rome"}' } }),
  call(1, { id: 'call_2', type: 'function', function: { name: 'get_weather', arguments: '{}' } }),
  {
    ...delta({}, { finish_reason: 'tool_calls' }),
    dragoman: { mode: 'emulate', dialect: 'hermes', issues: [], repairs: [], reasks: [] },
  },
  { choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } },
];

describe('an answer that arrives', () => {
  it('is what its chunks say together', () => {
    const answer = chunks.reduce((made, chunk) => withChunk(made, chunk), emptyAnswer());
    expect(answer).toEqual({
      text: 'I will look.',
      reasoning: 'Two cities.',
      calls: [
        { id: 'call_1', name: 'get_weather', arguments: '{"city":"Rome"}' },
        { id: 'call_2', name: 'get_weather', arguments: '{}' },
      ],
      finish: 'tool_calls',
      usage: { input: 11, output: 7 },
      report: { mode: 'emulate', dialect: 'hermes', issues: [], repairs: [], reasks: [] },
    });
  });

  it('grows: every part of it begins as the part before', () => {
    let last = emptyAnswer();
    for (const chunk of chunks) {
      const next = withChunk(last, chunk);
      expect(next.text.startsWith(last.text)).toBe(true);
      for (const [at, { arguments: json }] of last.calls.entries()) {
        expect(next.calls[at]?.arguments.startsWith(json)).toBe(true);
      }
      last = next;
    }
    expect(last.calls).toHaveLength(2);
  });

  it('leaves the one before as it was, and is not upset by what it does not know', () => {
    const before = withChunk(emptyAnswer(), call(0, { id: 'a', function: { name: 'f', arguments: '{' } }));
    const copy = structuredClone(before);
    withChunk(before, call(0, { function: { arguments: '}' } }));
    expect(before).toEqual(copy);
    for (const odd of [
      null,
      7,
      'x',
      [],
      {},
      { choices: 'no' },
      { choices: [null] },
      delta({ tool_calls: [3] }),
    ]) {
      expect(withChunk(before, odd as never)).toEqual(copy);
    }
  });
});
