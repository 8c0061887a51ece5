// Every dialect's grammar against the dialect itself. DRAGOMAN_DIALECTS=glm-4.5,xnl tries only these.
//
// 1,000 texts are drawn from each, and some more with one tool, with one call, with just so many calls.
// DRAGOMAN_EFFORT multiplies that.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dialects } from '../packages/core/src/dialects/every.fixture.js';
import { callRules } from '../packages/core/src/families/constrain.js';
import {
  acceptConversation,
  acceptTools,
  constrain,
  type Dialect,
  type Message,
  renderPrompt,
  type Tool,
  type ToolCall,
} from '../packages/core/src/index.js';
import { acceptText } from '../packages/core/src/testing/accept-text.js';
import {
  createRandom,
  grammarAccepts,
  grammarReads,
  type LawReport,
} from '../packages/core/src/testing/index.js';

const EFFORT = Number(process.env.DRAGOMAN_EFFORT ?? 1);
const ONLY = process.env.DRAGOMAN_DIALECTS?.split(',');
const CONVERSATIONS = join(import.meta.dirname, '../packages/core/corpus/conversations');

/** One schema for everything a grammar can say. */
const TOOLS = acceptTools([
  { name: 'ping', parameters: { type: 'object', properties: {} } },
  {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
        days: { type: 'integer', minimum: 1, maximum: 14 },
        code: { type: 'string', pattern: '^[A-Z]{2}-[0-9]+$' },
        when: { type: 'string', format: 'date' },
      },
      required: ['city'],
    },
  },
  {
    name: 'store',
    parameters: {
      type: 'object',
      properties: {
        note: { type: 'string', minLength: 1, maxLength: 12 },
        ratio: { type: 'number', minimum: -0.5, exclusiveMaximum: 2.25 },
        flag: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
        point: {
          type: 'object',
          properties: { x: { type: 'number' }, y: { type: ['integer', 'null'] }, label: { type: 'string' } },
          required: ['x', 'y'],
          additionalProperties: false,
        },
        tree: { $ref: '#/$defs/tree' },
        kind: { anyOf: [{ const: 'a' }, { type: 'integer' }] },
      },
      required: ['ratio', 'tree'],
      $defs: {
        tree: {
          type: 'object',
          properties: { leaf: { type: 'string' }, below: { type: 'array', items: { $ref: '#/$defs/tree' } } },
          required: ['leaf'],
        },
      },
    },
  },
  { name: 'free', parameters: { type: 'object', properties: { any: {}, map: { type: 'object' } } } },
  { name: 'open', parameters: { type: 'object' } },
  { name: 'bare' },
]) as readonly Tool[];

const CALL: ToolCall = { type: 'tool-call', id: 'call_1', name: 'get_weather', input: { city: 'Rome' } };

interface CorpusTurn {
  tools: readonly Tool[];
  calls: readonly ToolCall[];
}

const corpus: CorpusTurn[] = readdirSync(CONVERSATIONS).flatMap((name) => {
  const source = JSON.parse(readFileSync(join(CONVERSATIONS, name, 'conversation.json'), 'utf8'));
  const { messages, tools } = acceptConversation(source);
  return messages.flatMap((message) => {
    const calls =
      message.role === 'assistant' ? message.parts.filter((part) => part.type === 'tool-call') : [];
    return calls.length > 0 ? [{ tools, calls }] : [];
  });
});

function holds({ law, tried, failures }: LawReport): void {
  expect(failures.join('\n'), law).toBe('');
  expect(tried, law).toBeGreaterThan(0);
}

/** The answer with these calls as the dialect's own prompt has it, from the end of the question on and up to its stop. */
function answerInPrompt(dialect: Dialect, { tools, calls }: CorpusTurn): string {
  const messages: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'Go on.' }] }];
  const { text: before } = renderPrompt(dialect, { tools, messages }, { thinking: false });
  const answered = [...messages, { role: 'assistant' as const, parts: calls }];
  const { text, stop } = renderPrompt(
    dialect,
    { tools, messages: answered },
    { thinking: false, generate: false },
  );
  let at = 0;
  while (at < before.length && before[at] === text[at]) at++;
  // Where the prompt ends with reasoning that is empty, the turn has none: two markers may differ within.
  const open = text.lastIndexOf('<', at);
  if (at < before.length && /^<[|a-z_]*$/.test(text.slice(open, at))) at = open;
  const answer = text.slice(at);
  const ends = stop.map((end) => answer.indexOf(end)).filter((end) => end >= 0);
  const end = Math.min(answer.length, ...ends);
  // The stop of harmony closes the call.
  return stop.includes('<|call|>') ? answer.slice(0, end + '<|call|>'.length) : answer.slice(0, end);
}

const tried = dialects.filter(({ name, constrain }) => constrain && (ONLY?.includes(name) ?? true));

describe.each(tried.map((dialect, at) => [dialect.name, dialect, at] as const))(
  '%s',
  (_name, dialect, at) => {
    test('1,000 texts drawn from the grammar are read as what was drawn, and satisfy their schemas', () => {
      holds(grammarReads(dialect, TOOLS, createRandom(7000 + at), 1000 * EFFORT));
    });
    test.each([1, 2, 3])('so many calls are so many calls: %i', (count) => {
      const random = createRandom(8000 + 10 * at + count);
      holds(grammarReads(dialect, TOOLS, random, 20 * EFFORT, { from: count, to: count }));
    });
    test('a tool that is named is called', () => {
      for (const tool of TOOLS)
        holds(grammarReads(dialect, [tool], createRandom(9000 + at), 10 * EFFORT, { from: 1, to: 1 }));
    });
    test('every call of the corpus is accepted', () => {
      holds(grammarAccepts(dialect, corpus));
    });
    test.runIf(dialect.render.prompt)('what the prompt of the dialect has as an answer is accepted', () => {
      const answer = answerInPrompt(dialect, { tools: TOOLS, calls: [CALL] });
      const rules = callRules(dialect, TOOLS, { from: 1 });
      // A blank may be part of the spelling, or stand between the reasoning and the call.
      expect([answer, answer.trim()].map((text) => acceptText(rules, text))).toContain(true);
    });
  },
);

test('no tool to be called is no grammar, and said', () => {
  for (const dialect of tried)
    for (const format of ['gbnf', 'structural-tag', 'lark', 'json-schema'] as const) {
      const { grammar, limits } = constrain(dialect, TOOLS, 'none', { format });
      expect([grammar, limits[0]?.message]).toEqual([
        undefined,
        'no tool is to be called, so there is nothing to hold the model to',
      ]);
    }
});

test('every dialect has a grammar', () => {
  expect(dialects.filter(({ constrain }) => !constrain).map(({ name }) => name)).toEqual([]);
});
