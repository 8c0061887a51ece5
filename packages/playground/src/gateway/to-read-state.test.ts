import { acceptTools } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { recordTools } from './to-read-state.js';

describe('the tools of a kept request', () => {
  it('are those of the client, and the library takes them', () => {
    const source = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } };
    const request = {
      conversation: {
        tools: [
          { name: 'f', source },
          { name: 'g', parameters: {} },
        ],
      },
    };
    const tools = JSON.parse(recordTools(request));
    expect(tools).toEqual([source, { name: 'g', parameters: {} }]);
    expect(acceptTools(tools).map(({ name }) => name)).toEqual(['f', 'g']);
  });

  it.each([[undefined], [null], ['[cut]'], [{}], [{ conversation: { tools: 'cut' } }]])(
    'are none in %j',
    (request) => {
      expect(recordTools(request as never)).toBe('');
    },
  );
});
