// Every public entry of every package, imported alone: in a process of Node, in a bundle for browsers, and in a worker that
// runs such a bundle. Each is asked for every dialect that it claims. An entry that gives an answer only where another one
// was imported before it fails here.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { type Dialect, dialects, renderMessages } from '@dragoman/core';
import { small } from '@dragoman/core/small';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { packageNames, root } from './sources.js';

const tools = [
  {
    name: 'get_weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
];
const call = { type: 'tool-call', id: 'call1', name: 'get_weather', input: { city: 'Rome' } };
const conversation = {
  messages: [
    { role: 'user', parts: [{ type: 'text', text: 'Weather?' }] },
    { role: 'assistant', parts: [call] },
  ],
  tools,
  toolChoice: 'auto',
};

/** What an entry is held to: a call as this dialect writes it, and what the dialect has. */
const sampleOf = (dialect: Dialect) => ({
  name: dialect.name,
  models: dialect.models,
  text: renderMessages(dialect, conversation).messages.at(-1)?.content,
  prompt: dialect.render.prompt !== undefined,
  rules: dialect.constrain !== undefined,
  back: dialect.render.back !== undefined,
});

// --- what is asked of an entry: programs, in which `m` is the entry and `s` the sample of a dialect -----------------

const upstream = `{ takes: 'messages', tools: false, media: false, async *ask() {
  yield { type: 'answer-start' };
  yield { type: 'text-delta', text: s.text };
  yield { type: 'finish', reason: 'stop' };
} }`;
const called = (calls: string) =>
  `isDeep(${calls}.map(({ name, input }) => ({ name, input })), [{ name: 'get_weather', input: { city: 'Rome' } }])`;
const body = `JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Weather?' }],
  tools: tools.map((tool) => ({ type: 'function', function: tool })) })`;

const reads = (dialect: string) => called(`m.parse(${dialect}, s.text, { tools }).calls`);
const writes = (dialect: string) => `(
  isDeep(m.renderMessages(${dialect}, conversation).messages.at(-1).content, s.text) &&
  (!s.prompt || m.renderPrompt(${dialect}, conversation).text.includes('Rome'))
)`;
const holds = `(!s.rules || typeof m.constrain(s.name, tools, 'required', { format: 'gbnf' }).grammar === 'string')`;
const has = (dialect: string) => `(${dialect}.name === s.name &&
  (${dialect}.constrain !== undefined) === s.rules && (${dialect}.render.back !== undefined) === s.back)`;
const configured = `m.parseConfig('upstream: http://localhost:1/v1\\ndialect: ' + s.name).ok`;

interface Claim {
  /** Names of dialects. Default: all. */
  of?: readonly Dialect[];
  /** Only Node runs it: it reads files, or starts a server. */
  node?: true;
  /** An expression that is true if the entry knows the dialect. */
  knows: string;
}

/** Of an entry that takes dialects as values, or knows none: it loads and gives something. */
const loads = 'Object.keys(m).length > 0';

const claims: Record<string, Claim> = {
  '@dragoman/core': {
    knows: [
      has('m.findDialect(s.name)'),
      has('m.all.find(s.name)'),
      reads('s.name'),
      writes('s.name'),
      holds,
    ].join(' && '),
  },
  '@dragoman/core/small': {
    of: small.dialects,
    knows: [has('m.small.find(s.name)'), reads('m.small.find(s.name)'), writes('m.small.find(s.name)')].join(
      ' && ',
    ),
  },
  '@dragoman/core/dialects': {
    knows: `${has('m.findDialect(s.name)')} && Object.values(m).includes(m.all.find(s.name)) &&
      (s.models.length === 0 || m.detect({ model: s.models[0] }).dialect.name === s.name)`,
  },
  '@dragoman/core/grammar': { knows: holds },
  '@dragoman/core/template': { knows: loads },
  '@dragoman/core/testing': { knows: loads },
  '@dragoman/core/wire': { knows: loads },
  '@dragoman/core/bridge': {
    knows: `(s.models.length === 0 || m.dialectOfModel(s.models[0]).name === s.name) &&
      (await (await m.createResponder({ dialect: s.name, upstream: ${upstream} })(
        new Request('http://x.invalid/v1/chat/completions', { method: 'POST', body: ${body} }))).text())
        .includes('"name":"get_weather"')`,
  },
  '@dragoman/core/agent': {
    knows: `(await m.runAgent({ model: { upstream: ${upstream}, dialect: s.name }, maxTurns: 1,
      tools: [{ ...tools[0], run: () => 'sunny' }], conversation: { messages: conversation.messages.slice(0, 1), tools: [], toolChoice: 'auto' },
    }).result).messages.some(({ parts }) => parts.some(({ type }) => type === 'tool-result'))`,
  },
  '@dragoman/core/internal': { knows: `${has('m.findDialect(s.name)')} && ${reads('m.all.find(s.name)')}` },
  '@dragoman/core/fetch': {
    knows: `(await (await m.dragoman({ dialect: s.name, upstream: ${upstream} })(
      'http://x.invalid/v1/chat/completions', { method: 'POST', body: ${body} })).text()).includes('"name":"get_weather"')`,
  },
  '@dragoman/core/ai-sdk': {
    knows: `(await m.dragomanMiddleware({ dialect: s.name }).wrapGenerate({
      params: { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Weather?' }] }],
        tools: tools.map(({ parameters: inputSchema, ...tool }) => ({ type: 'function', ...tool, inputSchema })) },
      model: { modelId: 'm', doGenerate: async () => ({ content: [{ type: 'text', text: s.text }], finishReason: { unified: 'stop' }, usage: {}, warnings: [] }) },
    })).content.some(({ type, toolName }) => type === 'tool-call' && toolName === 'get_weather')`,
  },
  '@dragoman/convert': { knows: `m.findForm('messages', { dialect: s.name }).name === 'messages'` },
  '@dragoman/convert/files': {
    node: true,
    knows: `await (async () => {
      const { Readable, Writable } = await import('node:stream');
      let written = '';
      const rows = new Writable({ write(chunk, _, done) { written += chunk; done(); } });
      const row = JSON.stringify({ messages: [{ role: 'user', content: 'Weather in Rome?' }] });
      await m.convertFiles({
        inputs: [], from: { form: 'openai' }, to: { form: 'messages', dialect: s.name }, renameTools: false,
        strict: true, filter: true, resume: false, force: false, jobs: 1, blockSize: 1 << 20,
        streams: { input: () => Readable.from([Buffer.from(row)]), rows, bad: rows },
        stop: new AbortController().signal, on() {},
      });
      return written.includes('Rome');
    })()`,
  },
  // Its jobs need a Redis: test/queue.long.test.ts runs them.
  '@dragoman/convert/queue': { node: true, knows: loads },
  '@dragoman/demo': {
    knows: `m.demoModels().includes('demo/' + s.name) && m.demoDialect('demo/' + s.name).name === s.name`,
  },
  '@dragoman/gateway': {
    node: true,
    knows: `m.configFromFlags({ upstream: 'http://localhost:1/v1', dialect: s.name }).ok`,
  },
  '@dragoman/gateway/app': { knows: configured },
  '@dragoman/gateway/config': { node: true, knows: configured },
  '@dragoman/gateway/dialect-file': { node: true, knows: '!m.isDialectFile(s.name)' },
  '@dragoman/gateway/nearest': { knows: 'm.nearest(s.name, [s.name]) === s.name' },
  '@dragoman/gateway/tiny': { node: true, knows: `m.tinyDialect('tiny/' + s.name).name === s.name` },
  '@dragoman/local': {
    node: true,
    knows: `m.chooseDialect({ name: 'x', info: { architecture: 'x', templates: {}, specialTokens: [], vocabulary: 0, sampling: {} } }, s.name).dialect.name === s.name`,
  },
  '@dragoman/sys': { node: true, knows: loads },
  '@dragoman/tiny': {
    knows: `await (async () => {
      const { findDialect } = await import('@dragoman/core');
      return m.promptPieces(findDialect(s.name), conversation).length > 1;
    })()`,
  },
  '@dragoman/verify': { knows: loads },
};

// --- the programs ------------------------------------------------------------------------------------------------------

/** Leaves the names of the dialects that the entry does not know, each with the reason, in `globalThis.unknown`. */
function programOf(entry: string, { of = dialects, knows }: Claim): string {
  return `
import * as m from '${entry}';
const tools = ${JSON.stringify(tools)};
const conversation = ${JSON.stringify(conversation)};
const isDeep = (a, b) => { if (JSON.stringify(a) === JSON.stringify(b)) return true; throw new Error(JSON.stringify(a)); };
const knows = async (s) => ${knows};
globalThis.unknown = (async () => {
  const unknown = [];
  for (const s of ${JSON.stringify(of.map(sampleOf))}) {
    const fault = await knows(s).then((known) => (known ? '' : 'no'), (error) => String(error?.message ?? error));
    if (fault !== '') unknown.push(s.name + ': ' + fault);
  }
  return unknown;
})();`;
}

function runInNode(program: string): string[] {
  const printed = `${program}\nconsole.log(JSON.stringify(await globalThis.unknown));`;
  const options = { cwd: `${root}packages/cli`, encoding: 'utf8', input: printed } as const;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-'], options));
}

async function bundleForBrowsers(program: string): Promise<{ code: string; builtins: string[] }> {
  const name = `${root}packages/cli/entry-alone.mjs`;
  const build = await rolldown({
    input: name,
    platform: 'browser',
    tsconfig: false,
    logLevel: 'silent',
    external: [/^node:/, ...builtinModules],
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === name ? name : undefined),
        load: (id) => (id === name ? program : undefined),
      },
    ],
  });
  const { output } = await build.generate({ format: 'iife', codeSplitting: false });
  await build.close();
  return { code: output[0].code, builtins: output[0].imports };
}

/** What pages have: the globals of the web, and no `process`, `Buffer` or `require`. */
const web = {
  AbortController,
  AbortSignal,
  crypto,
  DOMException,
  fetch,
  Headers,
  ReadableStream,
  Request,
  Response,
};
const more = { TextDecoder, TextEncoder, URL, setTimeout, clearTimeout, structuredClone, queueMicrotask };

async function runInPage(code: string): Promise<string[]> {
  const context = createContext({ ...web, ...more });
  runInContext(code, context);
  return [...(await (context as unknown as { unknown: Promise<string[]> }).unknown)];
}

function runInWorker(code: string): Promise<string[]> {
  const told = `globalThis.unknown.then((names) => require('node:worker_threads').parentPort.postMessage(names));`;
  return new Promise((resolve, reject) => {
    new Worker(`${code}\n${told}`, { eval: true }).once('message', resolve).once('error', reject);
  });
}

// --- the tests ---------------------------------------------------------------------------------------------------------

function publicEntries(): string[] {
  return packageNames().flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(`${root}packages/${folder}/package.json`, 'utf8'));
    const paths = Object.keys(manifest.private ? {} : (manifest.exports ?? {}));
    return paths
      .filter((path) => !/\.(json|gguf)$/.test(path))
      .map((path) => posix.join(manifest.name, path));
  });
}

it('every public entry of every package says here what it knows', () => {
  expect(publicEntries().sort()).toEqual(Object.keys(claims).sort());
});

describe.each(Object.entries(claims))('%s alone', (entry, claim) => {
  const program = programOf(entry, claim);

  it('knows every dialect it claims, in Node', () => {
    expect(runInNode(program)).toEqual([]);
  });

  if (claim.node) return;

  it('knows the same in a bundle for browsers, and in a worker', async () => {
    const { code, builtins } = await bundleForBrowsers(program);
    expect(builtins).toEqual([]);
    expect(await runInPage(code)).toEqual([]);
    expect(await runInWorker(code)).toEqual([]);
  });
});

it("the page's worker writes every dialect", async () => {
  const view = `${root}packages/playground/src/views/write`;
  const { code } = await bundleForBrowsers(`
import { drawColumns } from '${view}/draw.ts';
import { firstState, toColumn } from '${view}/state.ts';
const columns = ${JSON.stringify(dialects.map(({ name }) => name))}.map((name) => toColumn(name, 'messages'));
const drawings = drawColumns({ ...firstState(), columns });
globalThis.unknown = Promise.resolve(drawings.flatMap((one) => ('problem' in one ? [one.problem.message] : [])));`);
  expect(await runInWorker(code)).toEqual([]);
});

it('the guard sees an entry that knows a dialect only by its side effects', () => {
  const claim = {
    of: dialects.slice(0, 2),
    knows: `m.findDialect(s.name === 'xnl' ? 'nobody' : s.name) && true`,
  };
  expect(runInNode(programOf('@dragoman/core', claim))).toEqual([
    expect.stringMatching(/^xnl: no dialect is called "nobody"/),
  ]);
});
