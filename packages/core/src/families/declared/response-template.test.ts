import { describe, expect, it } from 'vitest';
import { parse } from '../../engine/parse.js';
import { checkDeclaration } from './check-declaration.js';
import { defineDialect } from './define-dialect.js';
import { fromResponseTemplate } from './response-template.js';

const thinking = { open: '<think>', close: '</think>', content: 'text' };
const whole = { type: 'function', function: '{content}' };
const named = { type: 'function', function: { name: '{name}', arguments: '{content}' } };

const chatml = {
  defaults: { role: 'assistant' },
  start_anchor: '<|im_start|>assistant\n',
  fields: {
    thinking,
    tool_calls: {
      open: '<tool_call>',
      close: '</tool_call>',
      repeats: true,
      content: 'json',
      transform: whole,
    },
    content: { close: '<|im_end|>', content: 'text' },
  },
};

const listed = {
  fields: {
    content: { open: '<|SAY|>', close: '<|END_SAY|>', content: 'text' },
    tool_calls: {
      open: '<|ACT|>',
      close: '<|END_ACT|>',
      content: 'json',
      transform_each: true,
      transform: { type: 'function', function: { name: '{tool_name}', arguments: '{parameters}' } },
    },
  },
};

const tagged = {
  fields: {
    thinking,
    tool_calls: {
      open_pattern: '<tool_call>\\s*<function=(?P<name>\\w+)>',
      close: '</tool_call>',
      repeats: true,
      content: 'xml-inline',
      content_args: { tag_pattern: '<parameter=(?P<key>\\w+)>\\s*(?P<value>.*?)\\s*</parameter>' },
      transform: named,
    },
  },
};

const braces = {
  fields: {
    tool_calls: {
      open_pattern: '<\\|tool_call>call:(?P<name>\\w+)',
      close: '<tool_call|>',
      repeats: true,
      content: 'json',
      content_args: { unquoted_keys: true, string_delims: [['<|"|>', '<|"|>']] },
      transform: named,
    },
    content: { close: ['<turn|>', '<eos>'], content: 'text' },
  },
};

const separated = {
  fields: {
    tool_calls: {
      open_pattern: '<\\|call\\|>(?P<name>[\\w.]+)<\\|args\\|>',
      close: '<|end|>',
      repeats: true,
      content: 'json',
      transform: named,
    },
  },
};

const tools = [{ name: 'f', parameters: { type: 'object', properties: { city: { type: 'string' } } } }];

const outputs: [name: string, template: object, text: string][] = [
  [
    'JSON in markers',
    chatml,
    '<think>Hm.</think>Yes.\n<tool_call>\n{"name": "f", "arguments": {"city": "Rome"}}\n</tool_call>',
  ],
  [
    'a list with keys of its own',
    listed,
    '<|SAY|>Yes.<|END_SAY|><|ACT|>[{"tool_name": "f", "parameters": {"city": "Rome"}}]<|END_ACT|>',
  ],
  [
    'tags',
    tagged,
    'Yes.\n<tool_call>\n<function=f>\n<parameter=city>Rome</parameter>\n</function>\n</tool_call>',
  ],
  ['bare keys and quotes of its own', braces, 'Yes.<|tool_call>call:f{city:<|"|>Rome<|"|>}<tool_call|>'],
  ['the name in the opener', separated, 'Yes.<|call|>f<|args|>{"city": "Rome"}<|end|>'],
];

describe('a response template', () => {
  it.each(outputs)('with %s is read as its author meant', (_, template, text) => {
    const declaration = checkDeclaration(fromResponseTemplate(template, 'theirs'));
    const answer = parse(defineDialect(declaration), text, { tools });
    expect(answer.calls.map(({ name, input }) => ({ name, input }))).toEqual([
      { name: 'f', input: { city: 'Rome' } },
    ]);
    expect(answer.text.trim()).toBe('Yes.');
    expect(answer.issues).toEqual([]);
    expect(answer.repairs).toEqual([]);
  });

  it('may stand in a tokenizer_config.json', () => {
    const config = { model_max_length: 4096, response_template: chatml };
    expect(fromResponseTemplate(config, 'theirs')).toEqual(fromResponseTemplate(chatml, 'theirs'));
  });
});

const refused: [what: string, template: unknown, error: string][] = [
  ['no fields', {}, 'expected a response template with `fields`'],
  ['no calls', { fields: { thinking } }, 'fields.tool_calls: there is no such field'],
  [
    'lines of keys and values',
    { fields: { tool_calls: { open: '<c>', close: '</c>', content: 'kv-lines' } } },
    'fields.tool_calls: calls written as "kv-lines" cannot be said; expected json or xml-inline',
  ],
  [
    'a pattern with anything in it',
    { fields: { tool_calls: { open_pattern: 'to=(?P<name>\\w+).*?<\\|message\\|>', content: 'json' } } },
    'fields.tool_calls.open_pattern: the pattern says more than text with names in it, from ".*?<\\\\|message\\\\|>" on',
  ],
];

describe('what cannot be said', () => {
  it.each(refused)('%s: names the field and what was expected', (_, template, error) => {
    expect(() => fromResponseTemplate(template, 'theirs')).toThrow(error);
  });
});
