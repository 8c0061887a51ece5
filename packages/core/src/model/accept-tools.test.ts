import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  acceptTools,
  acceptToolsReport,
  ExactNumber,
  parseExact,
  stringifyJson,
  UsageError,
} from './index.js';

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tool = {
  name: 'get_weather',
  description: 'The weather.',
  parameters: schema,
  source: {
    type: 'function',
    function: { name: 'get_weather', description: 'The weather.', parameters: schema },
  },
};
const about = { name: 'get_weather', description: 'The weather.' };

function errorOf(run: () => unknown): UsageError {
  try {
    run();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('acceptTools', () => {
  it.each([
    ['OpenAI chat', [{ type: 'function', function: { ...about, parameters: schema } }]],
    ['OpenAI chat without its type', [{ function: { ...about, parameters: schema } }]],
    ['OpenAI Responses', [{ type: 'function', ...about, parameters: schema }]],
    ['Anthropic', [{ ...about, input_schema: schema }]],
    ['Anthropic with a type', [{ type: 'custom', ...about, input_schema: schema }]],
    ['MCP', [{ ...about, inputSchema: schema }]],
    ['AI SDK', { get_weather: { description: 'The weather.', inputSchema: schema, execute: () => 1 } }],
    [
      'AI SDK with jsonSchema()',
      { get_weather: { ...about, inputSchema: { jsonSchema: schema, validate: () => 1 } } },
    ],
    ['AI SDK with a lazy schema', { get_weather: { ...about, inputSchema: () => ({ jsonSchema: schema }) } }],
    ['AI SDK 4', { get_weather: { description: 'The weather.', parameters: { jsonSchema: schema } } }],
    ['plain', [{ ...about, parameters: schema }]],
    ['ours', [tool]],
    ['ours without a source', [{ ...about, parameters: schema }]],
  ])('takes the shape of %s', (_, value) => {
    expect(acceptTools(value)).toStrictEqual([tool]);
  });

  it('takes a Standard Schema that can give JSON Schema, on an object or on a function', () => {
    const standard = (target?: object) =>
      Object.assign(target ?? {}, {
        '~standard': {
          version: 1,
          vendor: 'test',
          jsonSchema: { input: (options: { target: string }) => ({ ...schema, $schema: options.target }) },
        },
      });
    for (const inputSchema of [standard(), standard(() => 1)]) {
      const [read] = acceptTools({ a: { inputSchema } });
      expect(read?.parameters).toStrictEqual({ ...schema, $schema: 'draft-2020-12' });
    }
    const [chat] = acceptTools([
      { type: 'function', function: { name: 'a', parameters: standard(), strict: true } },
    ]);
    expect(stringifyJson(chat?.source ?? null, 'compact')).toBe(
      `{"type":"function","function":{"name":"a","parameters":${JSON.stringify({ ...schema, $schema: 'draft-2020-12' })},"strict":true}}`,
    );
  });

  it('says to pass JSON Schema where a Standard Schema cannot give it', () => {
    const error = errorOf(() =>
      acceptTools({ a: { inputSchema: { '~standard': { version: 1, vendor: 'zod' } } } }),
    );
    expect(error.code).toBe('bad-tools');
    expect(error.path).toBe('tools.a.inputSchema');
    expect(error.message).toContain('this zod schema cannot give JSON Schema: pass JSON Schema instead');
    const jsonSchema = {
      input: () => {
        throw new Error('dates cannot be represented');
      },
    };
    expect(() => acceptTools({ a: { inputSchema: { '~standard': { jsonSchema } } } })).toThrow(
      'dates cannot',
    );
    expect(() => acceptTools({ a: { inputSchema: { jsonSchema: Promise.resolve({}) } } })).toThrow('await');
  });

  it('takes nothing as no tools', () => {
    for (const nothing of [undefined, null, [], {}]) expect(acceptTools(nothing)).toEqual([]);
  });

  it('keeps a definition in OpenAI’s shape as it arrived: key order, unknown keys, digits', () => {
    const text =
      '[{"function":{"strict":true,"parameters":{"maximum":1.0,"properties":{"2":{},"1":{}}},"name":"f","x":1},"type":"function","cache_control":{"ttl":1.50}}]';
    const [read] = acceptTools(parseExact(text));
    expect(`[${stringifyJson(read?.source ?? null, 'compact')}]`).toBe(text);
    expect(read?.parameters).toStrictEqual({ maximum: 1, properties: { 1: {}, 2: {} } });
    expect(read?.extra).toStrictEqual({ cache_control: { ttl: 1.5 }, strict: true, x: 1 });
  });

  it('builds the source of other shapes with the schema’s own digits', () => {
    const [read] = acceptTools(
      parseExact('[{"name":"f","input_schema":{"minimum":0.10},"cache_control":{}}]'),
    );
    expect(read?.source).toStrictEqual({
      type: 'function',
      function: { name: 'f', parameters: { minimum: new ExactNumber('0.10') } },
    });
    expect(read?.extra).toStrictEqual({ cache_control: {} });
  });

  it('allows tools without description and parameters, and schemas that are true or false', () => {
    expect(acceptTools([{ name: 'f' }])).toStrictEqual([
      { name: 'f', source: { type: 'function', function: { name: 'f' } } },
    ]);
    expect(acceptTools([{ name: 'f', description: null, parameters: null }])[0]).not.toHaveProperty(
      'parameters',
    );
    expect(acceptTools([{ name: 'f', parameters: true }])[0]?.parameters).toBe(true);
  });

  it.each(['constructor', '__proto__', 'toString', 'tool_call', 'think', 'a.b:c-d_E9', 'x'.repeat(128)])(
    'takes a tool named %s, in a list and in a record',
    (name) => {
      expect(acceptTools([{ name, parameters: schema }]).map((read) => read.name)).toEqual([name]);
      const record = JSON.parse(`{${JSON.stringify(name)}: {"parameters": {}}}`);
      expect(acceptTools(record).map((read) => read.name)).toEqual([name]);
      expect(acceptTools(new Map([[name, { parameters: {} }]])).map((read) => read.name)).toEqual([name]);
    },
  );

  it.each(['', ' ', 'a b', 'a\n', 'é', '<tool_call>', 'a"b', 'x'.repeat(129), '＜'])(
    'refuses the name %j',
    (name) => {
      const error = errorOf(() => acceptTools([{ type: 'function', function: { name } }]));
      expect(error.code).toBe('bad-tool-name');
      expect(error.path).toBe('tools[0].function.name');
      expect(error.message).toContain('1 to 128 of the characters');
      expect(errorOf(() => acceptTools({ [name]: {} })).code).toBe('bad-tool-name');
    },
  );

  it('lets the later of two tools of one name replace the first at its place', () => {
    const read = acceptTools([
      { name: 'a', description: '1' },
      { name: 'b' },
      { name: 'a', description: '2' },
    ]);
    expect(read.map(({ name, description }) => [name, description])).toEqual([
      ['a', '2'],
      ['b', undefined],
    ]);
  });

  it.each([
    ['tools', 'x', 'expected a list of tools, found "x"'],
    ['tools', { name: 'f', parameters: {} }, 'put it into a list'],
    ['tools[0]', [1], 'expected a tool: {name, description, parameters}, found 1'],
    ['tools[0].name', [{}], "expected the tool's name, found nothing"],
    [
      'tools[1].function',
      [{ name: 'f' }, { type: 'function', function: 'f' }],
      'expected {name, parameters}',
    ],
    [
      'tools[0].function.description',
      [{ function: { name: 'f', description: 1 } }],
      'expected a string, found 1',
    ],
    ['tools[0].parameters', [{ name: 'f', parameters: [] }], 'expected a JSON Schema, found a list'],
    ['tools[0].parameters', [{ name: 'f', parameters: new ExactNumber('1.0') }], 'found 1.0'],
    [
      'tools[0].parameters.a["b c"]',
      [{ name: 'f', parameters: { a: { 'b c': () => 1 } } }],
      'found a function',
    ],
    ['tools[0].type', [{ type: 1, name: 'f' }], "expected 'function', found 1"],
  ])('says at %s what was expected', (path, value, message) => {
    const error = errorOf(() => acceptTools(value));
    expect(error.code).toBe('bad-tools');
    expect(error.path).toBe(path);
    expect(error.message).toContain(message);
  });

  it('refuses a schema without end instead of overflowing', () => {
    const cycle: Record<string, unknown> = {};
    cycle.items = cycle;
    expect(() => acceptTools([{ name: 'f', parameters: cycle }])).toThrow('at most 512 levels');
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`);
    expect(() => acceptTools([{ name: 'f', parameters: deep }])).toThrow('at most 512 levels');
  });

  it('is idempotent', () => {
    const key = fc.constantFrom('parameters', 'inputSchema', 'input_schema');
    const json = fc.dictionary(
      fc.constantFrom('a', '1', '__proto__', 'type', 'x y'),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const definition = fc.tuple(fc.stringMatching(/^[a-c]{1,2}$/), key, json, json, fc.boolean());
    const value = fc.array(
      definition.map(([name, schemaKey, parameters, more, wrapped]) => {
        const { type: _, ...extra } = more;
        const inner = { ...extra, name, [schemaKey]: parameters };
        return wrapped ? { type: 'function', function: inner } : inner;
      }),
    );
    fc.assert(
      fc.property(value, (tools) => {
        const once = acceptTools(tools);
        expect(acceptTools(once)).toStrictEqual(once);
      }),
    );
  });

  it('does not change what it is given and shares nothing with it', () => {
    const given = [{ type: 'function', function: { ...about, parameters: structuredClone(schema) } }];
    const before = structuredClone(given);
    const [read] = acceptTools(given);
    expect(given).toStrictEqual(before);
    given[0]!.function.parameters.required.push('later');
    expect(read).toStrictEqual(tool);
  });
});

describe('acceptToolsReport', () => {
  it('lists the tools of providers that it skips', () => {
    const value = [
      { type: 'web_search' },
      { name: 'f' },
      { type: 'web_search_20250305', name: 'web_search' },
      { type: 'custom', name: 'apply_patch', format: {} },
    ];
    const { tools, skipped } = acceptToolsReport(value);
    expect(tools.map((read) => read.name)).toEqual(['f']);
    expect(skipped).toEqual([
      { path: 'tools[0]', type: 'web_search' },
      { path: 'tools[2]', type: 'web_search_20250305' },
      { path: 'tools[3]', type: 'custom' },
    ]);
    expect(acceptToolsReport({ search: { type: 'provider', id: 'openai.web_search' } }).skipped).toEqual([
      { path: 'tools.search', type: 'provider' },
    ]);
  });
});
