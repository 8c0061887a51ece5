import { describe, expect, test } from 'vitest';
import { dialects } from '../../dialects/every.fixture.js';
import { hermes, minimaxM2, mistral, qwen3Coder } from '../../dialects/index.js';
import type { Dialect } from '../../engine/dialect.js';
import { parse } from '../../engine/parse.js';
import { UsageError } from '../../model/index.js';
import { defineDialect } from './define-dialect.js';
import { fromResponseTemplate } from './response-template.js';
import { toResponseTemplate } from './to-response-template.js';

const BLANKS =
  '<tool_call>\n<function=write>\n<parameter=text>\n  a\n b \n</parameter>\n</function>\n</tool_call>';
const WRITE = [{ name: 'write', parameters: { type: 'object', properties: { text: { type: 'string' } } } }];

function exported(dialect: Dialect): string {
  try {
    toResponseTemplate(dialect);
    return 'yes';
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message;
  }
}

test('hermes is written as its vendor would', () => {
  expect(toResponseTemplate(hermes)).toEqual({
    template: {
      defaults: { role: 'assistant' },
      start_anchor: '<|im_start|>assistant\n',
      fields: {
        thinking: { open: '<think>', close: '</think>', repeats: true, join: '', content: 'text' },
        tool_calls: {
          open: '<tool_call>',
          close: '</tool_call>',
          repeats: true,
          content: 'json',
          transform: { type: 'function', function: '{content}' },
        },
        content: { close: ['<|im_end|>', '<|endoftext|>'], repeats: true, join: '', content: 'text' },
      },
    },
    left: ['White space around the texts beside calls is not kept.'],
  });
});

test('tags are written as patterns, with a note on each part that is lost', () => {
  const { template, left } = toResponseTemplate(qwen3Coder);
  expect(template.fields.tool_calls).toMatchObject({
    open_pattern: '<tool_call>\\s*<function=(?P<name>[\\w.:-]+)>',
    close: '</tool_call>',
    content: 'xml-inline',
    content_args: {
      tag_pattern: '<parameter=(?P<key>[\\w.-]+)>\\n?(?P<value>.*?)\\n?<\\/parameter>',
    },
  });
  expect(left).toEqual([
    'The types of values come from the schema: parse_response needs the tools, and gives texts without them.',
    'White space around the texts beside calls is not kept.',
  ]);
});

test('a frame around several calls may stand before the first and behind the last', () => {
  const { tool_calls: calls } = toResponseTemplate(minimaxM2).template.fields;
  expect(calls).toMatchObject({
    open_pattern: '(?:<minimax:tool_call>\\s*)?<invoke name="(?P<name>[\\w.:-]+)">',
    close_pattern: '<\\/invoke>(?:\\s*<\\/minimax:tool_call>)?',
  });
});

test('calls without a closer end at the next call and at the end of the turn', () => {
  expect(toResponseTemplate(mistral).template.fields.tool_calls).toMatchObject({
    close_pattern: '(?=\\[TOOL_CALLS\\]|<\\/s>)',
  });
});

test('the value of a tag keeps its blanks, and may be read back with its layout', () => {
  const { template } = toResponseTemplate(qwen3Coder);
  const read = parse(defineDialect(fromResponseTemplate(template, 'exported')), BLANKS, { tools: WRITE });
  expect(read.calls.map(({ input }) => input)).toEqual([{ text: '  a\n b ' }]);
});

test('an id that may stand behind the name is noted', () => {
  expect(toResponseTemplate(mistral).left).toEqual([
    'A call with an id ([CALL_ID] behind the name) is not read.',
    'A thought that the prompt opens is read as text.',
    'White space around the texts beside calls is not kept.',
  ]);
});

describe('every dialect', () => {
  const outcomes = new Map(dialects.map((dialect) => [dialect.name, exported(dialect)]));

  test('is written so that a call of it is read back, or refused with the reason', () => {
    for (const [name, outcome] of outcomes)
      if (outcome !== 'yes') expect(outcome).toMatch(`${name} cannot be said as a response template: `);
  });

  test('is refused by what its declaration has, never because the example came out differently', () => {
    for (const outcome of outcomes.values()) expect(outcome).not.toMatch('a template made from it reads');
  });

  test('can be said in good part', () => {
    const said = [...outcomes].filter(([, outcome]) => outcome === 'yes').map(([name]) => name);
    expect(said).toEqual(expect.arrayContaining(['hermes', 'qwen3-coder', 'gemma4', 'mistral']));
    expect(said.length).toBeGreaterThan(25);
  });
});
