import { dialects } from '@dragoman/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawColumns } from './draw.js';
import { firstState, nextColumn, readState, toColumn } from './state.js';

describe('readState', () => {
  it('reads back what was kept', () => {
    const state = firstState();
    state.columns = [toColumn('xnl'), toColumn('glm-4.5', 'messages')];
    state.options = {
      thinking: 'off',
      teaching: 'short',
      language: 'zh',
      safety: 'exact',
      differences: false,
      origins: true,
    };
    state.draft.toolChoice = 'none';
    expect(readState(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });

  it('is as at the first visit where a link says nothing it knows', () => {
    for (const odd of [
      undefined,
      null,
      1,
      'x',
      [],
      { columns: [{ dialect: 'toString' }] },
      { options: { safety: 'none' } },
    ])
      expect(readState(odd)).toEqual(firstState());
  });

  it('takes whatever a link says, and it can be drawn', () => {
    const role = fc.constantFrom('system', 'user', 'assistant', 'tool', 'constructor', 7);
    const type = fc.constantFrom('text', 'reasoning', 'tool-call', 'tool-result', 'media', 'owl');
    const part = fc.record({
      type,
      text: fc.anything(),
      input: fc.anything(),
      output: fc.anything(),
      json: fc.anything(),
      name: fc.anything(),
    });
    const message = fc.record({ role, parts: fc.oneof(fc.array(part), fc.anything()) });
    const draft = fc.record({
      messages: fc.array(message),
      tools: fc.oneof(fc.json(), fc.anything()),
      toolChoice: fc.anything(),
    });
    fc.assert(
      fc.property(fc.record({ draft, columns: fc.anything(), options: fc.anything() }), (value) => {
        const state = readState(value);
        expect(drawColumns(state).length).toBe(state.columns.length);
      }),
      { seed: 6, numRuns: 60 },
    );
  });
});

describe('nextColumn', () => {
  it('shows each dialect once before it shows one again', () => {
    const columns = [toColumn('glm-4.7')];
    while (columns.length < dialects.length) columns.push(nextColumn(columns));
    expect(new Set(columns.map(({ dialect }) => dialect)).size).toBe(dialects.length);
    expect(dialects.map(({ name }) => name)).toContain(nextColumn(columns).dialect);
  });

  it('has a whole prompt only where the dialect has one', () => {
    expect(toColumn('alkaid', 'prompt').form).toBe('messages');
    expect(toColumn('hermes', 'prompt').form).toBe('prompt');
  });
});
