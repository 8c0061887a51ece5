import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { type AgentTool, defineTool } from './tool.js';

describe('defineTool', () => {
  it('gives back the tool it was given', () => {
    const tool = { name: 'ping', run: () => 'pong' };
    expect(defineTool(tool)).toBe(tool);
  });

  it('types the input by the output of a Standard Schema', () => {
    const tools = [
      defineTool({
        name: 'zod',
        parameters: z.object({ city: z.string(), days: z.number().default(3) }),
        run: (input) => expectTypeOf(input).toEqualTypeOf<{ city: string; days: number }>(),
      }),
      defineTool({
        name: 'valibot',
        parameters: { type: 'object' },
        schema: v.object({ city: v.pipe(v.string(), v.transform(Number)) }),
        run: (input) => expectTypeOf(input).toEqualTypeOf<{ city: number }>(),
      }),
      defineTool({
        name: 'arktype',
        parameters: type({ city: 'string' }),
        run: (input) => expectTypeOf(input).toEqualTypeOf<{ city: string }>(),
      }),
    ];
    expectTypeOf(tools).toEqualTypeOf<AgentTool[]>();
    expect(tools).toHaveLength(3);
  });

  it('types the input by hand for JSON Schema', () => {
    const tool = defineTool<{ city: string }>({
      name: 'weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
      run: ({ city }) => city.toUpperCase(),
    });
    expectTypeOf(tool).toEqualTypeOf<AgentTool>();
    expect(tool.name).toBe('weather');
  });
});
