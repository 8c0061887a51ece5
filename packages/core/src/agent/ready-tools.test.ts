import { jsonSchema, tool as sdkTool } from 'ai';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answer, call, calls, resultsIn, scripted } from '../../../../test/agent/scripted-model.js';
import type { AgentTools } from './ready-tools.js';
import { readyTools } from './ready-tools.js';
import { runAgent } from './run-agent.js';
import { defineTool } from './tool.js';

/** What comes back for each of these inputs. */
async function answersOf(tools: AgentTools, name: string, ...inputs: unknown[]): Promise<unknown[]> {
  const model = scripted(calls(...inputs.map((input, at) => call(`c${at}`, name, input))), answer('ok'));
  await runAgent({ model, tools, messages: 'Go.' }).result;
  return resultsIn(model.requests[1]);
}

describe('a tool with a Standard Schema', () => {
  it('of zod gets what the schema makes of the input', async () => {
    const parameters = z.object({
      day: z.string().transform((text) => text.length),
      city: z.string().default('Rome'),
    });
    const tool = defineTool({ name: 'weather', parameters, run: ({ day, city }) => ({ day, city }) });
    expect(await answersOf([tool], 'weather', { day: 'monday' }, { day: 1 })).toEqual([
      { day: 6, city: 'Rome' },
      expect.stringMatching(/the input of "weather" is wrong\. day: .*expected string/),
    ]);
    expect(readyTools([tool]).get('weather')?.definition.parameters).toMatchObject({
      type: 'object',
      properties: { day: { type: 'string' }, city: { type: 'string', default: 'Rome' } },
      required: ['day'],
    });
  });

  it('of ArkType, whose schemas are functions', async () => {
    const tool = defineTool({
      name: 'weather',
      parameters: type({ days: 'number > 0' }),
      run: ({ days }) => days * 2,
    });
    expect(await answersOf([tool], 'weather', { days: 2 }, { days: -1 })).toEqual([
      4,
      expect.stringContaining('days'),
    ]);
    expect(readyTools([tool]).get('weather')?.definition.parameters).toMatchObject({
      properties: { days: { type: 'number' } },
    });
  });

  it('of valibot, with JSON Schema beside it', async () => {
    const schema = v.object({ days: v.pipe(v.number(), v.minValue(1), v.transform(String)) });
    const parameters = { type: 'object', properties: { days: { type: 'number' } }, required: ['days'] };
    const tool = defineTool({
      name: 'weather',
      parameters,
      schema,
      run: ({ days }) => days.padStart(3, '0'),
    });
    expect(await answersOf([tool], 'weather', { days: 2 }, { days: 0 }, {})).toEqual([
      '002',
      expect.stringContaining('days: Invalid value'),
      expect.stringContaining('days: Invalid key'),
    ]);
  });

  it('that cannot say itself says what to do', () => {
    const tool = { name: 'weather', parameters: v.object({}), run: () => 1 };
    expect(() => readyTools([tool])).toThrow(
      'tools[0]: this valibot schema cannot say itself as JSON Schema: give its JSON Schema as `parameters`, and this schema as `schema`',
    );
  });

  it('that is asynchronous, hangs or throws does no harm', async () => {
    const checked = (check: (value: string) => boolean | Promise<boolean>) => ({
      name: 'get',
      parameters: { type: 'object' },
      schema: z.object({ id: z.string().refine(check) }),
      timeout: 20,
      run: () => 'got',
    });
    expect(await answersOf([checked(async (id) => id === 'a')], 'get', { id: 'a' }, { id: 'b' })).toEqual([
      'got',
      expect.stringContaining('id: '),
    ]);
    expect(await answersOf([checked(() => new Promise(() => {}))], 'get', { id: 'a' })).toEqual([
      expect.stringContaining('took too long'),
    ]);
    expect(
      await answersOf(
        [
          checked(() => {
            throw new Error('no database');
          }),
        ],
        'get',
        { id: 'a' },
      ),
    ).toEqual([expect.stringContaining('no database')]);
  });
});

describe('tools come', () => {
  it('as a record in the AI SDK’s form', async () => {
    const tools = {
      add: sdkTool({
        description: 'Adds.',
        inputSchema: z.object({ a: z.number(), b: z.number() }),
        execute: ({ a, b }, { toolCallId, abortSignal }) => [
          a + b,
          toolCallId,
          abortSignal instanceof AbortSignal,
        ],
      }),
      count: sdkTool({
        inputSchema: jsonSchema<{ to: number }>({
          type: 'object',
          properties: { to: { type: 'number' } },
          required: ['to'],
        }),
        async *execute({ to }) {
          for (let n = 1; n <= to; n++) yield n;
        },
      }),
    };
    expect(await answersOf(tools, 'add', { a: 1, b: 2 }, { a: 'x', b: 2 })).toEqual([
      [3, 'c0', true],
      expect.stringContaining('a: '),
    ]);
    expect(await answersOf(tools, 'count', { to: 3 }, {})).toEqual([3, expect.stringContaining('to')]);
    expect(readyTools(tools).get('add')?.definition.description).toBe('Adds.');
  });

  it('as lists, lists in lists, and records in lists', () => {
    const plain = (name: string) => ({ name, run: () => name });
    const tools: AgentTools = [plain('a'), [plain('b'), [plain('c')]], { d: { run: () => 'd' } }];
    expect([...readyTools(tools).keys()]).toEqual(['a', 'b', 'c', 'd']);
    expect(readyTools(undefined).size).toBe(0);
  });

  it('as instances with a state of their own', async () => {
    class Counter {
      readonly name = 'count';
      private count = 0;
      run(): number {
        return ++this.count;
      }
    }
    expect(await answersOf([new Counter()], 'count', { a: 1 }, { a: 2 })).toEqual([1, 2]);
  });

  it('with what an API says of them', () => {
    const tool = { name: 'a', strict: true, run: () => 1 };
    expect(readyTools([tool]).get('a')?.definition.extra).toEqual({ strict: true });
  });

  it.each<[unknown, string]>([
    [[{ name: 'a' }], 'tools[0]: expected a function `run`'],
    [{ a: { inputSchema: {} } }, 'tools.a: expected a function `run`'],
    [{ a: 1 }, 'tools.a: expected a tool'],
    ['tools', 'tools: expected a tool or a list of tools'],
    [
      [
        { name: 'a', run: () => 1 },
        { name: 'a', run: () => 1 },
      ],
      "tools[1]: two tools are named 'a'",
    ],
    [[{ name: 'a b', run: () => 1 }], 'tools[0].name: expected a name'],
    [[{ run: () => 1 }], "tools[0].name: expected the tool's name"],
    [[{ name: 'a', run: () => 1, parameters: 3 }], 'tools[0].parameters: expected a JSON Schema'],
    [[{ name: 'a', run: () => 1, schema: {} }], 'tools[0].schema: expected a Standard Schema'],
    [[{ name: 'a', run: () => 1, timeout: -1 }], 'tools[0].timeout: expected a number above 0'],
    [[{ name: 'a', run: () => 1, approve: true }], 'tools[0].approve: expected a function'],
    [[{ name: 'a', run: () => 1, type: 'web_search' }], 'tools[0]: this tool runs at its provider'],
  ])('and are refused where they are wrong: %o', (tools, words) => {
    expect(() => readyTools(tools)).toThrow(words);
  });
});
