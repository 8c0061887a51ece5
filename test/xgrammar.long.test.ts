// Structural tags as the real xgrammar reads them: every dialect's can be compiled, the calls of the corpus are
// accepted, wrong ones are refused, and letters at random, of those it allows, end as calls that can be read. The
// engine is 0.1.27, in WebAssembly; what the tags say in newer words is put in older ones first. See xgrammar/.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isFullyTried, representatives } from '../packages/core/src/dialects/every.fixture.js';
import { Writer } from '../packages/core/src/engine/writer.js';
import { samplingRules } from '../packages/core/src/families/constrain.js';
import {
  acceptConversation,
  constrain,
  type Dialect,
  dialects,
  parse,
  type Tool,
  type ToolCall,
  type ToolChoice,
} from '../packages/core/src/index.js';
import { createValidator } from '../packages/core/src/schema/validate.js';
import { reportMissing } from './installs.mjs';
import { TOOLS } from './on-demand/bounded-tools.js';
import { findXgrammar } from './xgrammar/find-xgrammar.mjs';
import { olderTag } from './xgrammar/older-tag.mjs';

const RIGHT = { city: 'Oslo', days: 3 };
/** Each is refused: no such tool, the wrong type, out of bounds, nothing where something must be. */
const WRONG: readonly Pick<ToolCall, 'name' | 'input'>[] = [
  { name: 'get_wether', input: RIGHT },
  { name: 'get_weather', input: { city: 'Oslo', days: 'three' } },
  { name: 'get_weather', input: { city: 'Oslo', days: 15 } },
  { name: 'get_weather', input: { city: 'Oslo' } },
];

/** ASCII, a line break, and what the markers are made of beyond them. */
const LETTERS = [
  ...new Set([
    ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(0x20 + at)),
    '\n',
    ...dialects.flatMap(({ markers }) => [...JSON.stringify(markers.literals)]).filter((char) => char > '~'),
  ]),
];

interface Answer {
  error?: string;
  accepted?: boolean[];
  text?: string;
  ended?: boolean;
}

interface Job {
  name: string;
  tag: object;
  texts?: string[];
  seed?: number;
}

const held = dialects.filter((dialect) => dialect.constrain);
const answers = new Map<string, Answer>();
let missing: string | undefined;

beforeAll(async () => {
  const folder = await findXgrammar().catch((error: Error) => {
    missing = reportMissing('grammars in xgrammar', error);
  });
  if (!folder) return;
  for (const { name, ...answer } of await ask(folder, held.flatMap(jobsOf))) answers.set(name, answer);
}, 180_000);

/** One process for all: what it warns of is about its own age. */
async function ask(folder: string, jobs: readonly Job[]): Promise<({ name: string } & Answer)[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'xgrammar/hold.mjs'), folder], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.end(JSON.stringify({ letters: LETTERS, jobs }));
  const lines = (await text(child.stdout)).split('\n').filter((line) => line.startsWith('{"name"'));
  return lines.map((line) => JSON.parse(line));
}

// --- what it is asked ----------------------------------------------------------------------------------

const EFFORT = Number(process.env.DRAGOMAN_EFFORT ?? 1);
const VARIED = ['every-type', 'parallel-calls', 'unicode'];
const CONVERSATIONS = join(import.meta.dirname, '../packages/core/corpus/conversations');

const corpus = readdirSync(CONVERSATIONS).flatMap((name) => {
  const source = JSON.parse(readFileSync(join(CONVERSATIONS, name, 'conversation.json'), 'utf8'));
  const { messages, tools } = acceptConversation(source);
  return messages.flatMap((message) => {
    const calls =
      message.role === 'assistant' ? message.parts.filter((part) => part.type === 'tool-call') : [];
    const called = tools.filter((tool) => calls.some((call) => call.name === tool.name));
    return calls.length > 0 ? [{ conversation: name, tools: called, calls }] : [];
  });
});

function jobsOf(dialect: Dialect, at: number): Job[] {
  const { name } = dialect;
  const right = (days: number) => written(dialect, TOOLS, [callOf('get_weather', { ...RIGHT, days })]);
  const auto = tagFor(dialect, TOOLS, 'auto', 1);
  return [
    {
      name: `${name} required`,
      tag: tagFor(dialect, TOOLS, 'required', 2) as object,
      seed: at + 1,
      texts: [
        right(3),
        right(14),
        ...WRONG.map((call) => written(dialect, TOOLS, [callOf(call.name, call.input)])),
      ],
    },
    {
      name: `${name} named`,
      tag: tagFor(dialect, TOOLS, { name: 'get_weather' }, 1) as object,
      seed: at + 1000,
    },
    ...(auto ? [{ name: `${name} auto`, tag: auto, texts: ['No calls.', `Let me look.\n${right(3)}`] }] : []),
    ...corpusJobs(dialect),
  ];
}

/**
 * To compile is what costs. So the project's own are tried with all that the corpus has; one of each kind of the field
 * with the types, the signs and the numbers of calls there are and a third of the rest, each with another third; the
 * others, which differ in their spelling, with one of those three in turn. DRAGOMAN_EFFORT=2: all.
 */
function turnsFor(dialect: Dialect): typeof corpus {
  if (EFFORT > 1 || isFullyTried(dialect)) return corpus;
  const place = held.indexOf(dialect);
  const names = [...new Set(corpus.map(({ conversation }) => conversation))];
  const isShare = (name: string) => (place + names.indexOf(name)) % 3 === 0;
  return representatives.includes(dialect)
    ? corpus.filter(({ conversation: name }) => VARIED.includes(name) || isShare(name))
    : corpus.filter(({ conversation: name }) => name === VARIED[place % VARIED.length]);
}

/** Turns that come to the same tag share it. */
function corpusJobs(dialect: Dialect): Job[] {
  const jobs = new Map<string, Job & { texts: string[] }>();
  for (const { tools, calls } of turnsFor(dialect)) {
    const tag = tagFor(dialect, tools, 'required', calls.length) as object;
    const key = JSON.stringify(tag);
    const job = jobs.get(key) ?? { name: `${dialect.name} corpus ${jobs.size}`, tag, texts: [] };
    jobs.set(key, job);
    job.texts.push(written(dialect, tools, calls));
  }
  return [...jobs.values()];
}

function tagFor(
  dialect: Dialect,
  tools: readonly Tool[],
  choice: ToolChoice,
  most: number,
): object | undefined {
  const { grammar } = constrain(dialect, tools, choice, { format: 'structural-tag' });
  return grammar === undefined ? undefined : olderTag(grammar as object, most);
}

function callOf(name: string, input: ToolCall['input']): ToolCall {
  return { type: 'tool-call', id: 'call_1', name, input };
}

function written(dialect: Dialect, tools: readonly Tool[], calls: readonly ToolCall[]): string {
  const out = new Writer(dialect.markers);
  dialect.render.calls(out, calls, { tools, afterText: false });
  return out.text.trim();
}

// --- what it must answer -------------------------------------------------------------------------------

beforeEach((context) => {
  if (missing) context.skip(missing);
});

describe.each(held.map((dialect) => [dialect.name, dialect] as const))('%s', (name, dialect) => {
  test.each(['required', 'named'])('letters that it allows end as calls: %s', (way) => {
    expectCalls(dialect, answerTo(`${name} ${way}`), way === 'named' ? 1 : undefined);
  });
  test('a right call is accepted, a wrong one refused', () => {
    const { error, accepted } = answerTo(`${name} required`);
    expect([error, accepted]).toEqual([undefined, [true, true, false, false, false, false]]);
  });
  test('the calls of the corpus are accepted', () => {
    const asked = [...answers].filter(([key]) => key.startsWith(`${name} corpus `));
    for (const [key, { error, accepted = [] }] of asked)
      expect([error, accepted.includes(false)], key).toEqual([undefined, false]);
    expect(asked.flatMap(([, { accepted = [] }]) => accepted)).toHaveLength(turnsFor(dialect).length);
  });
  if (samplingRules(dialect)?.triggers.length)
    test('where it may, text comes first or alone', () => {
      const { error, accepted } = answerTo(`${name} auto`);
      expect([error, accepted]).toEqual([undefined, [true, true]]);
    });
});

function answerTo(name: string): Answer {
  return answers.get(name) as Answer;
}

function expectCalls(dialect: Dialect, { error, text: said = '', ended }: Answer, count?: number): void {
  expect([error, ended], said).toEqual([undefined, true]);
  const answer = parse(dialect, said, { tools: TOOLS });
  expect([answer.text, answer.repairs, answer.issues], said).toEqual(['', [], []]);
  expect(answer.calls.length, said).toBeGreaterThan(0);
  if (count !== undefined) expect(answer.calls).toHaveLength(count);
  for (const { name, input } of answer.calls) {
    const schema = TOOLS.find((tool) => tool.name === name)?.parameters;
    expect(createValidator(schema ?? false).check(input), said).toEqual([]);
  }
}
