import { describe, expect, test } from 'vitest';
import { dialects } from '../../dialects/every.fixture.js';
import { hermes, qwen3Coder } from '../../dialects/index.js';
import type { Dialect } from '../../engine/dialect.js';
import { UsageError } from '../../model/index.js';
import { toResponseTemplate } from './to-response-template.js';

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
      fields: {
        thinking: { open: '<think>', close: '</think>', content: 'text' },
        tool_calls: {
          open: '<tool_call>',
          close: '</tool_call>',
          repeats: true,
          content: 'json',
          transform: { type: 'function', function: '{content}' },
        },
        content: { close: ['<|im_end|>', '<|endoftext|>'], content: 'text' },
      },
    },
    left: [],
  });
});

test('tags are written as patterns, with a note on each part that is lost', () => {
  const { template, left } = toResponseTemplate(qwen3Coder);
  expect(template.fields.tool_calls).toMatchObject({
    open_pattern: '<tool_call>\\s*<function=(?P<name>[\\w.:-]+)>',
    close: '</tool_call>',
    content: 'xml-inline',
  });
  expect(left).toEqual(['The types of values come from the schema here; the template gives texts.']);
});

describe('every dialect', () => {
  const outcomes = new Map(dialects.map((dialect) => [dialect.name, exported(dialect)]));

  test('is written so that a call of it is read back, or refused with the reason', () => {
    for (const [name, outcome] of outcomes)
      if (outcome !== 'yes') expect(outcome).toMatch(`${name} cannot be said as a response template: `);
  });

  test('can be said in good part', () => {
    const said = [...outcomes].filter(([, outcome]) => outcome === 'yes').map(([name]) => name);
    expect(said).toEqual(expect.arrayContaining(['hermes', 'qwen3-coder', 'gemma4', 'mistral']));
    expect(said.length).toBeGreaterThan(15);
  });
});
