// What is written for Hugging Face's transformers, and what is rendered as it does, held to transformers itself, where a
// Python that has it is at hand: see corpus/transformers.mjs.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dialects } from '../packages/core/src/dialects/every.fixture.js';
import type { Dialect } from '../packages/core/src/engine/dialect.js';
import { parse } from '../packages/core/src/engine/parse.js';
import { renderPrompt } from '../packages/core/src/engine/renderer.js';
import { Writer } from '../packages/core/src/engine/writer.js';
import {
  type ExportedTemplate,
  toResponseTemplate,
} from '../packages/core/src/families/declared/to-response-template.js';
import { acceptTools, parseExact, stringifyJson, UsageError } from '../packages/core/src/model/index.js';
import {
  askTransformers,
  hasTransformers,
  missing,
  type TransformersAnswer,
} from './corpus/transformers.mjs';

// --- response templates --------------------------------------------------------------------------------

const text = { type: 'string' };
const properties = {
  city: text,
  days: { type: 'integer' },
  hourly: { type: 'boolean' },
  near: { type: 'object' },
  tags: { type: 'array', items: text },
};
const tools = [
  { type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties } } },
  { type: 'function', function: { name: 'now', parameters: { type: 'object', properties: {} } } },
];

const weather = (input: Record<string, unknown>) => ({ name: 'get_weather', input });
const rome = weather({ city: 'Rome' });
const every = { days: 2, hourly: true, near: { lat: 1.5, of: [null, 'q'] }, tags: ['a', 'b'] };
const turns = [
  [rome],
  [rome, weather({ city: 'Oslo' })],
  [weather({ city: 'Rome "x" <b>', ...every })],
  [weather({ city: '42' })],
  [weather({ city: ' a\n  b ' })],
  [{ name: 'now', input: {} }],
];

interface Question {
  prompt: string;
  answer: string;
}

/** Writes answers as a model does: behind its prompt, with a thought or a text before its calls. */
function questions(dialect: Dialect): Question[] {
  const request = { messages: [{ role: 'user', content: 'Hello.' }], tools };
  const prompt = dialect.render.prompt ? renderPrompt(dialect, request).text : '';
  const { reasoning } = dialect.traits;
  const isOpened = reasoning !== undefined && prompt.trimEnd().endsWith(reasoning.open);
  return turns.flatMap((calls) =>
    ['', 'Let me look.'].flatMap((said) =>
      [...new Set(['', reasoning ? 'I look it up.' : ''])].map((thought) => {
        const opener = reasoning && !isOpened && thought ? reasoning.open : '';
        const closer = reasoning && (isOpened || thought) ? reasoning.close : '';
        const end = dialect.render.stop[0] ?? '';
        return { prompt, answer: opener + thought + closer + written(dialect, said, calls) + end };
      }),
    ),
  );
}

function written(dialect: Dialect, said: string, calls: (typeof turns)[number]): string {
  const out = new Writer(dialect.markers, 'exact').ours(said);
  const made = calls.map((call, at) => ({ type: 'tool-call' as const, id: `aB3xY7kQ${at}`, ...call }));
  dialect.render.calls(out, made as never, { tools: acceptTools(tools), afterText: said !== '' });
  return out.text;
}

interface Reading {
  calls: unknown[];
  text: string;
  reasoning: string;
}

function readHere(dialect: Dialect, { prompt, answer }: Question): Reading {
  const { reasoning } = dialect.traits;
  const thinking = reasoning !== undefined && prompt.trimEnd().endsWith(reasoning.open);
  const read = parse(dialect, answer, { tools, thinking });
  const calls = read.calls.map(({ name, input }) => ({ name, input }));
  return { calls, text: read.text.trim(), reasoning: (read.reasoning ?? '').trim() };
}

function readThere({ message = {}, error }: TransformersAnswer): Reading {
  if (error !== undefined) throw new Error(error);
  const calls = [message.tool_calls ?? []].flat(2) as { function: { name: string; arguments: unknown } }[];
  return {
    calls: calls.map(({ function: { name, arguments: input } }) => ({ name, input })),
    text: message.content ?? '',
    reasoning: message.thinking ?? '',
  };
}

function exported(): [Dialect, ExportedTemplate['template']][] {
  return dialects.flatMap((dialect) => {
    try {
      return [[dialect, toResponseTemplate(dialect).template] as [Dialect, ExportedTemplate['template']]];
    } catch (error) {
      if (error instanceof UsageError) return [];
      throw error;
    }
  });
}

// --- chat templates ------------------------------------------------------------------------------------

interface Fixture {
  variables: never;
  cases: { name: string; template: string; text?: string; error?: string }[];
}

const path = new URL('../packages/core/src/template/template.fixture.json', import.meta.url);
const fixture = parseExact(readFileSync(path, 'utf8')) as unknown as Fixture;
const now = '2024-03-05T07:08:09Z';

const isHere = hasTransformers();

describe.runIf(isHere)('transformers', () => {
  it('reads what the dialects write by the response templates made from them', () => {
    const asked = exported().flatMap(([dialect, responseTemplate]) =>
      questions(dialect).map((question) => ({ dialect, responseTemplate, ...question })),
    );
    const { answers } = askTransformers(
      asked.map(({ responseTemplate, prompt, answer }) => ({ responseTemplate, prompt, answer, tools })),
    );
    expect(asked.length).toBeGreaterThan(300);

    for (const [at, one] of asked.entries())
      expect(readThere(answers[at] ?? {}), `${one.dialect.name}: ${one.answer}`).toEqual(
        readHere(one.dialect, one),
      );
  });

  it('renders the templates of the fixture as it is recorded there', () => {
    const variables = stringifyJson(fixture.variables, 'compact');
    const { answers } = askTransformers(
      fixture.cases.map(({ template }) => {
        const rest = JSON.stringify({ template, request: { messages: [] }, now }).slice(0, -1);
        return `${rest},"variables":${variables}}`;
      }),
    );
    for (const [at, { name, text: wanted, error }] of fixture.cases.entries())
      expect(answers[at], name).toEqual(wanted === undefined ? { error } : { text: wanted });
  });
});

if (!isHere) it.skip(`is held to: ${missing}`);
