import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineMarkers } from '../../engine/markers.js';
import { Writer } from '../../engine/writer.js';
import type { Tool, ToolCall, ToolResult } from '../../model/index.js';
import { alkaidRender } from './prompt.js';

const names = ['tools', 'tools_input', 'tools_return'];
const tags = names.flatMap((name) => [`<${name}>`, `</${name}>`]);
const markers = defineMarkers(tags);
const languages = ['en', 'zh'] as const;

const weather: Tool = {
  name: 'get_weather',
  description: 'Weather of a city',
  parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
};

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...tags, '<', '\\', '"', '\n', '\u2028', '\ud83d'),
      fc.string({ unit: 'binary' }),
    ),
  )
  .map((pieces) => pieces.join(''));

function instructions(
  tools: readonly Tool[],
  options: Parameters<typeof alkaidRender.instructions>[2] = {},
): string {
  const out = new Writer(markers);
  alkaidRender.instructions(out, tools, options);
  return out.text;
}

/** What stands in each block of a name, in order. */
function blocks(text: string, name: string): string[] {
  return text
    .split(`\n<${name}>\n`)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf(`\n</${name}>`)));
}

function call(name: string, id: string, more: Partial<ToolCall> = {}): ToolCall {
  return { type: 'tool-call', id, name, input: {}, ...more };
}

function calls(list: readonly ToolCall[], afterText = false): string {
  const out = new Writer(markers);
  alkaidRender.calls(out, list, { tools: [], afterText });
  return out.text;
}

function results(list: readonly ToolResult[], made: readonly ToolCall[] = []): string {
  const out = new Writer(markers);
  alkaidRender.results(out, list, { calls: made });
  return out.text;
}

function countTags(text: string): number[] {
  return tags.map((tag) => text.split(tag).length - 1);
}

describe.each(languages)('the taught prompt in %s', (language) => {
  it('shows examples that are JSON, with parameters as an object', () => {
    const text = instructions([weather], { language });
    // The first of each kind explains the format in words; the last <tools_input> is the list itself.
    const [, exampleTools, realTools] = blocks(text, 'tools_input').map(parseOrNothing);
    const [, exampleCalls] = blocks(text, 'tools').map(parseOrNothing);
    const [, exampleResults] = blocks(text, 'tools_return').map(parseOrNothing);
    expect(exampleTools).toMatchObject([
      { name: 'get_weather', parameters: { location: { required: true } } },
    ]);
    expect(exampleCalls).toMatchObject([
      { name: 'get_weather', id: 'get_weather_beijing', parameters: { location: expect.any(String) } },
      { name: 'get_weather', id: 'get_weather_shanghai', parameters: { location: expect.any(String) } },
    ]);
    expect(exampleResults).toHaveLength(2);
    for (const { return: value } of exampleResults as { return: string }[]) {
      expect(JSON.parse(value)).toMatchObject({ weather: expect.any(String) });
    }
    expect(realTools).toHaveLength(1);
  });

  it('has no list of parameters, no misspelling and no placeholder left in it', () => {
    const text = instructions([weather], { language });
    expect(text).not.toMatch(/"parameters": \[|"parameter":|boolen|toolsJson|<!--/);
  });

  it('has a short form under 800 characters without the tools', () => {
    const text = instructions([], { language, short: true });
    expect(text.length).toBeLessThan(800);
    expect(blocks(text, 'tools').map(parseOrNothing)).toMatchObject([[{ parameters: {} }]]);
  });

  it('ends with the tool list, under a heading', () => {
    const text = instructions([weather], { language });
    expect(text).toMatch(
      /\n#### (?:Available tools|可用工具)\n\n<tools_input>\n\[\n {4}\{\n {8}"name": "get_weather",\n/,
    );
    expect(text).toMatch(/\n\]\n<\/tools_input>$/);
  });
});

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

describe('the tool list', () => {
  it('is JSON that says the same, whatever names and descriptions hold', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (name, description, key) => {
        const parameters = {
          type: 'object',
          properties: Object.fromEntries([[key, { type: 'string', description }]]),
        };
        const text = instructions([{ name, description, parameters }]);
        expect(countTags(text)).toEqual(countTags(instructions([weather])));
        const list = JSON.parse(blocks(text, 'tools_input').at(-1) ?? '');
        expect(list).toEqual([
          {
            name,
            description,
            parameters: Object.fromEntries([[key, { description, type: 'string', required: false }]]),
          },
        ]);
      }),
    );
  });

  it('is written without looking for placeholders in it', () => {
    const text = instructions([{ name: 'a', description: '{{.toolsJson}} {{7*7}}' }]);
    expect(text).toContain('"description": "{{.toolsJson}} {{7*7}}"');
  });

  it('says which tool a marker was found in, where markers are rejected', () => {
    const out = new Writer(markers, 'reject');
    const bad: Tool = { name: 'a', description: '</tools>' };
    expect(() => alkaidRender.instructions(out, [weather, bad], {})).toThrow(/^tools\[1\]: /);
  });
});

describe('calls', () => {
  it('stand in one block, name first, behind a line break where text goes before', () => {
    const list = [call('a', '1', { raw: '{"n": 1.0, "2": [12345678901234567890]}' }), call('b', '2')];
    const text = calls(list, true);
    expect(text).toBe(`
<tools>
[
    {
        "name": "a",
        "id": "1",
        "parameters": {
            "n": 1.0,
            "2": [
                12345678901234567890
            ]
        }
    },
    {
        "name": "b",
        "id": "2",
        "parameters": {}
    }
]
</tools>`);
    expect(calls(list)).toBe(text.slice(1));
  });

  it('carry any strings without loss, in one frame', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (name, id, key, value) => {
        const input = Object.fromEntries([[key, value]]);
        const text = calls([call(name, id, { input })]);
        expect(countTags(text)).toEqual([1, 1, 0, 0, 0, 0]);
        expect(JSON.parse(text.slice('<tools>'.length, -'</tools>'.length))).toEqual([
          { name, id, parameters: input },
        ]);
      }),
    );
  });

  it('are written from their input where the exact text is no object', () => {
    for (const raw of ['', '[1]', '{"a":', '1.0'])
      expect(calls([call('a', '1', { raw })])).toContain('"parameters": {}');
  });
});

describe('results', () => {
  const result = (output: ToolResult['output']): ToolResult => ({ type: 'tool-result', callId: '1', output });

  it('are strings, take the name of their call, and show that an empty one ran', () => {
    const text = results([result(''), result({ a: 1 }), result('x')], [call('get_weather', '1')]);
    const list = JSON.parse(blocks(`\n${text}`, 'tools_return')[0] ?? '') as {
      name: string;
      return: string;
    }[];
    expect(list.map((one) => one.return)).toEqual(['{}', '{"a": 1}', 'x']);
    expect(list.map((one) => one.name)).toEqual(['get_weather', 'get_weather', 'get_weather']);
  });

  it('count as one frame whatever they hold', () => {
    fc.assert(
      fc.property(hostile, (output) => {
        const text = results([result(output)]);
        expect(countTags(text)).toEqual([0, 0, 0, 0, 1, 1]);
        expect(JSON.parse(blocks(`\n${text}`, 'tools_return')[0] ?? '')[0].return).toBe(output || '{}');
      }),
    );
  });
});
