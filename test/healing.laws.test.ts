// Heal: what a native upstream leaks becomes calls, and text that only talks about calls stays text.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type AnswerEvent,
  type Dialect,
  findDialect,
  type ModelRequest,
  type ParsedAnswer,
  type ParserOptions,
  parse,
  type Report,
  type Tool,
} from '@dragoman/core';
import { type BridgeOptions, heal, type Upstream } from '@dragoman/core/bridge';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFullyTried, representatives } from '../packages/core/src/dialects/every.fixture.js';
import { prepareTools } from '../packages/core/src/model/prepared-tools.js';
import { cutEvery, cutRandomly } from './corpus/reading.js';

interface Case {
  name: string;
  dialect: string;
  tools?: { name: string; parameters?: Tool['parameters'] }[];
  thinking?: boolean;
  policies?: NonNullable<ParserOptions['policies']>;
  text: string;
}

const root = fileURLToPath(new URL('../', import.meta.url));
const corpus = `${root}packages/core/corpus/`;

/** A native upstream that writes these pieces of text. */
function writes(pieces: readonly string[]): Upstream {
  return {
    takes: 'messages',
    tools: true,
    media: false,
    async *ask() {
      yield { type: 'answer-start' };
      for (const text of pieces) yield { type: 'text-delta', text };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

interface Healed {
  text: string;
  reasoning: string;
  calls: { id: string; name: string; input: unknown }[];
  finish: string | undefined;
  report: Report | undefined;
}

function collect(events: readonly AnswerEvent[]): Healed {
  const healed: Healed = { text: '', reasoning: '', calls: [], finish: undefined, report: undefined };
  const open = new Map<string, { name: string; raw: string }>();
  for (const event of events) {
    if (event.type === 'text-delta') healed.text += event.text;
    else if (event.type === 'reasoning-delta') healed.reasoning += event.text;
    else if (event.type === 'call-start') open.set(event.id, { name: event.name, raw: '' });
    else if (event.type === 'call-delta') (open.get(event.id) as { raw: string }).raw += event.text;
    else if (event.type === 'call-end') {
      const { name, raw } = open.get(event.id) as { name: string; raw: string };
      healed.calls.push({ id: event.id, name, input: JSON.parse(raw) });
    } else if (event.type === 'finish') healed.finish = event.reason;
    else if (event.type === 'report') healed.report = event.report;
  }
  return healed;
}

async function healed(
  pieces: readonly string[],
  tools: readonly Tool[],
  watch: readonly Dialect[],
  more: BridgeOptions = {},
): Promise<Healed> {
  const request: ModelRequest = {
    model: 'some-model',
    conversation: { messages: [{ role: 'user', parts: [] }], tools: [...tools], toolChoice: 'auto' },
    settings: {},
    stream: true,
  };
  const events: AnswerEvent[] = [];
  let made = 0;
  const options = { watch, newId: (prefix: string) => `${prefix}${++made}`, ...more };
  const { signal } = new AbortController();
  for await (const event of heal(request, writes(pieces), { ...options, signal })) events.push(event);
  return collect(events);
}

/** Whole, by single characters, and in seeded random cuts, for the project's own two of them: all the same. */
async function healedEveryWay(
  text: string,
  tools: readonly Tool[],
  watch: readonly Dialect[],
  more: BridgeOptions = {},
): Promise<Healed> {
  const whole = await healed([text], tools, watch, more);
  const seeds = watch.every(isFullyTried) ? [1, 2] : [1];
  for (const pieces of [cutEvery(text, 1), ...seeds.map((seed) => cutRandomly(text, seed))])
    expect(await healed(pieces, tools, watch, more)).toEqual(whole);
  return whole;
}

// ---------------------------------------------------------------- what models leak

const wildCases = representatives.flatMap(({ name }) =>
  readdirSync(`${corpus}wild/${name}`).map(
    (file): Case => JSON.parse(readFileSync(`${corpus}wild/${name}/${file}`, 'utf8')),
  ),
);

/** A name under which a tool can be declared at all. */
function isName(name: string): boolean {
  return /^[A-Za-z0-9_.:-]{1,128}$/.test(name);
}

/** What emulation takes out of the text and heal leaves in it, unless a call was made of it. */
const leftIn = [
  'role-token',
  'stray-closer',
  'stray-marker',
  'stray-think',
  'text-in-block',
  'missing-closer',
];

/** Where no call is delivered, the text is what was written; else what emulation says, asides and all. */
function checkText({ text, dialect }: Case, emulated: ParsedAnswer, found: Healed): void {
  const thinks = emulated.reasoning !== '' || /<\/?think>/.test(text);
  if (found.calls.length === 0 && !thinks) expect(found.text).toBe(text);
  const delivered = found.calls.length === emulated.calls.length && emulated.calls.length > 0;
  const failed = emulated.issues.some(
    ({ code }) => code === 'unsupported-code' || code.endsWith('-call') || code.startsWith('too-'),
  );
  if (!delivered || failed || emulated.repairs.some(({ code }) => leftIn.includes(code))) return;
  // Frames around text are no calls: heal leaves them as they are.
  if (findDialect(dialect).grammar.frames) return;
  const parts = emulated.parts.map((part) => (part.type === 'text' ? part.text : ''));
  expect(found.text).toBe(parts.join(''));
  expect(found.reasoning).toBe(emulated.reasoning);
}

/** DRAGOMAN_EFFORT multiplies the mixtures: 1 is the full measure. */
const EFFORT = Number(process.env.DRAGOMAN_EFFORT ?? 0.2);

/** Outputs that emulation reads as calls and healing leaves as text, each with the reason that it reports. */
const shown = new Map([
  ['alkaid: mention then call', 'the line above announces an example'],
  ['glm-4.5: mention then call', 'the line above announces an example'],
  ['hermes: mention then call', 'the line above announces an example'],
  ['qwen3-coder: mention then call', 'the line above announces an example'],
  ['alkaid: opener in the line', 'it does not begin its line'],
]);

describe('outputs of the wild corpus that only show a call', () => {
  it.each([...shown])('stay text, with the reason: %s', async (title, why) => {
    const test = wildCases.find(({ dialect, name }) => `${dialect}: ${name}` === title) as Case;
    const found = await healedEveryWay(test.text, (test.tools ?? []) as Tool[], [findDialect(test.dialect)]);
    expect(found).toMatchObject({ calls: [], text: test.text, finish: 'stop' });
    const reported = found.report?.issues.find(({ code }) => code === 'quoted-call');
    expect(reported?.message).toContain(why);
  });
});

describe('every output of the wild corpus, through a native upstream', () => {
  for (const test of wildCases.filter(({ dialect, name }) => !shown.has(`${dialect}: ${name}`))) {
    it(`gives its calls: ${test.dialect}: ${test.name}`, async () => {
      const dialect = findDialect(test.dialect);
      const { text, thinking = false } = test;
      // The corpus states what a parser gives, which coerces strings only where its dialect does; the bridge always does.
      const policies = { coerceStrings: dialect.traits.coercesStrings, ...test.policies };
      const emulated = parse(dialect, text, { tools: test.tools, thinking, policies });
      const names = new Set(emulated.calls.map(({ name }) => name));
      const tools: Tool[] = test.tools ?? [...names].filter(isName).map((name) => ({ name }));
      const declared = new Set(tools.map(({ name }) => name));
      const found = await healedEveryWay(text, tools, [dialect], { policies, inReasoning: thinking });
      const calls = emulated.calls.filter(({ name }) => declared.has(name));
      expect(found.calls.map(({ name, input }) => ({ name, input }))).toEqual(
        calls.map(({ name, input }) => ({ name, input })),
      );
      expect(found.finish).toBe(calls.length > 0 ? 'tool-calls' : 'stop');
      checkText(test, emulated, found);
    });
  }
});

describe('with all dialects watched at once', () => {
  const canonical = wildCases.filter(({ name }) => name === 'canonical');
  it.each(canonical.map((test) => [test.dialect, test] as const))('%s is heard', async (name, test) => {
    const { calls } = parse(findDialect(name), test.text, { tools: test.tools });
    const tools = test.tools ?? calls.map((call) => ({ name: call.name }));
    const found = await healedEveryWay(test.text, tools, representatives);
    expect(found.calls.map(({ input }) => input)).toEqual(calls.map(({ input }) => input));
    expect(found.report?.repairs.map(({ code }) => code)).toEqual(calls.map(() => 'leaked-call'));
  });
});

// ---------------------------------------------------------------- what only talks about calls

const documents = [
  'README.md',
  'README.zh-CN.md',
  'CONTRIBUTING.md',
  'docs/architecture.md',
  'docs/library.md',
  'docs/zh-CN/library.md',
  'docs/templates.md',
  'packages/core/corpus/README.md',
  ...readdirSync(`${root}docs/dialects`).map((file) => `docs/dialects/${file}`),
];

const talk: [title: string, text: string][] = [
  ...readdirSync(`${corpus}talk`).map((file) => `packages/core/corpus/talk/${file}`),
  ...documents,
].map((path) => [path, readFileSync(`${root}${path}`, 'utf8')]);

/** Without bare-json: its call is JSON on a line of its own, which text about calls often contains. */
const watched = representatives.filter(({ name }) => name !== 'bare-json');

const known = new Map<string, readonly Tool[]>();

/** Every tool that a text may name, by what stands before a name in some dialect. Read once for all parsers. */
function toolsNamed(text: string): readonly Tool[] {
  const tools = known.get(text) ?? prepareTools(namesIn(text).map((name) => ({ name })));
  known.set(text, tools);
  return tools;
}

function namesIn(text: string): string[] {
  const named = text.matchAll(
    /(?:name\\*["'=:\s]+|<function=|<tool_call>\s*|begin｜>|[A-Za-z]\.)([A-Za-z_][\w.-]{0,60})/g,
  );
  const snake = text.matchAll(/\b[a-z]+_[a-z_]+\b/g);
  const names = [...[...named].map((match) => match[1] as string), ...[...snake].map(([name]) => name)];
  return [...new Set([...names, 'now', 'bash', 'search', 'f'])];
}

describe('text that only talks about calls', () => {
  it('is there in good number, and most of it would be calls if it were not quoted', () => {
    expect(talk.length).toBeGreaterThanOrEqual(80);
    const calling = talk.filter(([, text]) =>
      representatives.some((dialect) => parse(dialect, text, { tools: toolsNamed(text) }).calls.length > 0),
    );
    expect(calling.length).toBeGreaterThanOrEqual(60);
  });

  // Every text in every dialect is held below, where each has a watch of its own. Here, where a watch is alone: the
  // project's own, and of the others a third, another one for each text; whole as well in one of four.
  it.each(talk.map(([path, text], at) => [path, text, at] as const))(
    'stays text, whichever dialect is watched: %s',
    async (_, text, at) => {
      const tools = toolsNamed(text);
      for (const [place, dialect] of watched.entries()) {
        if (!isFullyTried(dialect) && (at + place) % 3 > 0) continue;
        const cut = await healed(cutRandomly(text, 1), tools, [dialect]);
        expect(cut).toMatchObject({ calls: [], text, reasoning: '', finish: 'stop' });
        if ((at + place) % 4 === 0) expect(await healed([text], tools, [dialect])).toEqual(cut);
      }
    },
  );

  it.each(talk)('stays text, with all dialects watched at once: %s', async (_, text) => {
    const found = await healed(cutRandomly(text, 2), toolsNamed(text), watched);
    expect(found).toMatchObject({ calls: [], text, reasoning: '', finish: 'stop' });
  });
});

// ---------------------------------------------------------------- any mixture of both

const mixed = ['now', 'get_weather'].map((name): Tool => ({ name }));

/** What Markdown and models are made of, and a call of the dialect, whole and cut. */
function piecesFor(dialect: Dialect): string[] {
  const [call = ''] = wildCases
    .filter(({ dialect: name, name: title }) => name === dialect.name && title === 'canonical')
    .map(({ text }) => text);
  const markdown = [
    '```\n',
    '\n```\n',
    '~~~\n',
    '`',
    '``',
    '> ',
    '    ',
    '\t',
    '- ',
    '+',
    '"',
    '"""',
    '<pre>',
    '</pre>',
    '<!--',
    '-->',
    '<example>\n',
    '</example>\n',
    'x: |\n  ',
    '1. ',
    'cat <<EOF\n',
    '\nEOF\n',
    '@@ -1 +1 @@\n',
    'For example:\n',
    '例如：\n',
    'It goes on and on, as if nothing at all had been called here.\n',
  ];
  const other = [
    '\n',
    '\n\n',
    '\r\n',
    ' ',
    'Then ',
    'x',
    '<think>',
    '</think>',
    '</tool_call>',
    '<tool_call>',
    '\\',
    '<',
    '|',
  ];
  return [
    ...markdown,
    ...other,
    call,
    call,
    call,
    call.slice(0, call.length / 2),
    call.slice(call.length / 2),
  ];
}

describe('any mixture of quotes and calls', () => {
  it.each(representatives.map((dialect) => [dialect.name, dialect] as const))(
    'is read alike however it is cut: %s',
    async (_, dialect) => {
      const tools = [...mixed, ...toolsNamed(piecesFor(dialect).join(''))];
      const pieces = fc.array(fc.constantFrom(...piecesFor(dialect)), { maxLength: 14 });
      await fc.assert(
        fc.asyncProperty(pieces, fc.integer({ min: 1, max: 1000 }), async (parts, seed) => {
          const text = parts.join('');
          const whole = await healed([text], tools, [dialect]);
          expect(await healed(cutEvery(text, 1), tools, [dialect])).toEqual(whole);
          expect(await healed(cutRandomly(text, seed), tools, [dialect])).toEqual(whole);
          const thinks = whole.reasoning !== '' || /^\s*<\/?think>/.test(text);
          if (whole.calls.length === 0 && !thinks) expect(whole.text).toBe(text);
        }),
        { seed: 1, numRuns: Math.ceil((isFullyTried(dialect) ? 600 : 150) * EFFORT) },
      );
    },
  );
});
