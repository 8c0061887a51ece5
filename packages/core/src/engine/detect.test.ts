import { describe, expect, it } from 'vitest';
import { detect, dialects, hermes } from '../dialects/index.js';
import { detectAmong } from './detect.js';
import { renderMessages } from './renderer.js';

// Templates as vendors write them: text in quotes, put together with loops.

const templates: [dialect: string, template: string][] = [
  [
    'qwen3-coder',
    `{%- for call in message.tool_calls %}{{- '<tool_call>\\n<function=' + call.name + '>\\n' }}
{%- for key, value in call.arguments|items %}{{- '<parameter=' + key + '>\\n' }}{{ value }}{{- '\\n</parameter>\\n' }}
{%- endfor %}{{- '</function>\\n</tool_call>' }}{%- endfor %}`,
  ],
  [
    'glm-4.5',
    `{% for tc in m.tool_calls %}{{ '\\n<tool_call>' + tc.name }}{% for k, v in tc.arguments.items() %}
<arg_key>{{ k }}</arg_key>
<arg_value>{{ v }}</arg_value>{% endfor %}
</tool_call>{% endfor %}`,
  ],
  [
    'deepseek-v3.1',
    "{{'<｜tool▁calls▁begin｜>'}}{% for tool in tools %}{{'<｜tool▁call▁begin｜>' + tool.name + '<｜tool▁sep｜>' + tool.arguments + '<｜tool▁call▁end｜>'}}{% endfor %}{{'<｜tool▁calls▁end｜>'}}",
  ],
  [
    'kimi-k2',
    '<|tool_calls_section_begin|>{%- for call in calls -%}<|tool_call_begin|>{{ call.id }}<|tool_call_argument_begin|>{{ call.arguments | tojson }}<|tool_call_end|>{%- endfor -%}<|tool_calls_section_end|>',
  ],
  ['mistral-v3', "{{- '[TOOL_CALLS] [' }}{{- calls | join(', ') }}{{- ']' + eos_token }}"],
  [
    'minimax-m2',
    `{{- '<minimax:tool_call>\\n' }}{%- for c in calls %}<invoke name="{{ c.name }}">
{%- for k, v in c.arguments.items() %}<parameter name="{{ k }}">{{ v }}</parameter>{%- endfor %}</invoke>{%- endfor %}
{{- '</minimax:tool_call>' }}`,
  ],
  // Calls that are put together from variables and macros: the dialect lists signs of its templates.
  [
    'deepseek-v4',
    "{%- set dsml = '｜DSML｜' -%}{{- '<' + dsml + 'tool_calls>' }}{{- '<' + dsml + 'invoke name=' }}",
  ],
  ['deepseek-v3.2', "{%- set dsml = '｜DSML｜' -%}{{- '<' + dsml + 'function_calls>' }}"],
  [
    'kimi-k3',
    "{%- macro tag(name) -%}{{- '<|open|>' + name + '<|sep|>' -}}{%- endmacro -%}{{- tag('call') }}",
  ],
  ['harmony', '{{- "<|start|>assistant to=" }}{{- name + "<|channel|>commentary " }}{{- args }}'],
  ['functionary-v3.2', "{{ '>>>all\\n' + message['content'] }}{{ '>>>' + name + '\\n' + args }}"],
  ['hunyuan-3', "{%- set sep = '<tool_sep{}>'.format(x) %}{%- set key = '<arg_key{}>'.format(x) %}"],
  ['deepseek-v3', "{{'<｜tool▁calls▁begin｜>' + type + '<｜tool▁sep｜>' + name + '\\n```json\\n' + args}}"],
  [
    'llama3-json',
    'Respond in the format {"name": function name, "parameters": dictionary of argument name and its value}.',
  ],
];

describe('by a chat template', () => {
  it.each(templates)('%s is told, with a piece of the template as the reason', (name, template) => {
    const found = detect({ template });
    expect([found?.dialect.name, ...(found?.others ?? []).map((one) => one.name)]).toContain(name);
    expect(found?.by).toBe('template');
    const [piece = ''] = /with (\S+?),? /.exec(found?.reason ?? '')?.slice(1) ?? [];
    expect(template).toContain(piece);
  });

  it('one that two dialects share names both, and is half sure', () => {
    const template = `{{ '<tool_call>\\n{"name": "' + name + '", "arguments": ' + args + '}\\n</tool_call>' }}`;
    const found = detectAmong([hermes, { ...hermes, name: 'twin' }], { template });
    expect(found).toMatchObject({ confidence: 0.5, dialect: { name: 'hermes' } });
    expect(found?.others.map(({ name }) => name)).toEqual(['twin']);
    expect(detect({ template })).toMatchObject({ confidence: 0.9, dialect: { name: 'hermes' }, others: [] });
  });

  it('one with the calls of hermes and tags of its own is another', () => {
    const call = `{{ '<tool_call>\\n{"name": "' + name + '", "arguments": ' + args + '}\\n</tool_call>' }}`;
    const results = "{{ '<tool_output>\\n' + content + '\\n</tool_output>' }}";
    const answer = "{{ '<|im_start|>assistant\\n<response>\\n' + content + '\\n</response>\\n' }}";
    for (const other of [results, answer])
      expect(detect({ template: call + other })?.dialect.name).toBe('ernie-4.5');
  });

  it('one that only frames turns tells nothing', () => {
    const template =
      "{% for m in messages %}<|im_start|>{{ m.role + '\\n' + m.content }}<|im_end|>{% endfor %}";
    expect(detect({ template })).toBeUndefined();
    expect(detect({ template: '' })).toBeUndefined();
  });
});

describe("by the model's name", () => {
  it.each([
    ['zai-org/GLM-4.5-Air', 'glm-4.5'],
    ['accounts/fireworks/models/glm-4p7', 'glm-4.7'],
    ['moonshotai/Kimi-K2-Instruct', 'kimi-k2'],
    ['openai/gpt-oss-120b', 'harmony'],
    ['qwen3-coder:30b', 'qwen3-coder'],
  ])('%s speaks %s', (model, name) => {
    const found = detect({ model });
    expect(found).toMatchObject({ by: 'model', dialect: { name } });
    expect(found?.reason).toContain(JSON.stringify(model));
  });

  it('counts before the template, and a name that tells nothing leaves it to the template', () => {
    const [, template] = templates[0] as [string, string];
    expect(detect({ model: 'glm-4.5', template })?.by).toBe('model');
    expect(detect({ model: 'our-model', template })?.by).toBe('template');
    expect(detect({ model: 'our-model' })).toBeUndefined();
  });
});

const tools = [{ name: 'now', parameters: { type: 'object', properties: { zone: { type: 'string' } } } }];

describe('by a sample', () => {
  it.each(dialects.map((dialect) => ({ name: dialect.name, dialect })))(
    '$name is told from its own call, or cannot be told from what is',
    ({ name, dialect }) => {
      const parts = [{ type: 'tool-call', id: 'call_1', name: 'now', input: { zone: 'UTC' } }];
      const { messages } = renderMessages(dialect, { tools, messages: [{ role: 'assistant', parts }] });
      const text = messages.at(-1)?.content ?? '';
      const found = detect({ text, tools });
      const names = [found?.dialect, ...(found?.others ?? [])].map((one) => one?.name);
      expect(names).toContain(name);
      expect(found?.confidence).toBeLessThan(0.9);
      if (names.length > 1) expect(found?.confidence).toBeLessThanOrEqual(0.5);
    },
  );

  it('prose tells nothing, and nothing tells nothing', () => {
    expect(detect({ text: 'It is sunny in Paris.', tools })).toBeUndefined();
    expect(detect({ text: 'Write <tool_call> and then the JSON.', tools })).toBeUndefined();
    expect(detect({ text: '' })).toBeUndefined();
    expect(detect({})).toBeUndefined();
  });
});

describe('hostile and long evidence', () => {
  it('is shown in part in the reason', () => {
    expect(detect({ model: `glm-4.5-${'x'.repeat(5_000)}` })?.reason.length).toBeLessThan(300);
  });

  it('is no place for prototype games', () => {
    for (const model of ['__proto__', 'constructor', 'toString']) expect(detect({ model })).toBeUndefined();
  });
});
