// Commands, options, scripts, paths and parsers that the documents name exist, and the command takes what they write.

import { existsSync, readFileSync } from 'node:fs';
import { findDialect } from '@dragoman/core';
import { configFromFlags } from '@dragoman/gateway';
import { describe, expect, it } from 'vitest';
import { optionsOf } from '../packages/cli/src/common-options.js';
import { greeting } from '../packages/cli/src/greeting.js';
import { verbs } from '../packages/cli/src/verbs.js';
import { commandProblem } from './docs/command-problem.js';
import { commandsOf } from './docs/commands.js';
import { blocksOf, documents, readDocument } from './docs/documents.js';
import { spansOf } from './docs/markdown.js';
import { root } from './sources.js';

/** The options of all verbs, as they are written on the command line. */
const commands = await Promise.all(verbs.map(({ load }) => load()));
const everyOption = new Set([
  '--version',
  ...commands.flatMap((command) => optionsOf(command).map(({ name }) => `--${name}`)),
]);
const verbNames = new Set(verbs.map(({ name }) => name));

/** Options of other programs that the documents name. */
const foreign = new Set(
  [
    'enable-auto-tool-choice tool-call-parser tool-parser-plugin reasoning-parser chat-template', // vLLM, SGLang
    'exclude-tools-when-tool-choice-none grammar-backend', // the same
    'jinja chat-template-file special reasoning-format alias', // llama.cpp
    'package-lock-only omit workspace workspaces access', // npm
    'keep-order sshlogin auth-type provider', // GNU parallel, Qwen Code, pi
    'build-arg offline token max-old-space-size', // Docker, systemd, programs in general, Node
    'single-threaded-gc min-semi-space-size max-semi-space-size', // V8
    'seconds executable publish', // npm run soak, bundle.mjs, release.mjs
  ].flatMap((names) => names.split(' ').map((name) => `--${name}`)),
);

const scripts = new Set(
  Object.keys((JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: object }).scripts),
);

describe.each(documents())('%s', (path) => {
  const text = readDocument(path);
  const spans = spansOf(text);

  it('calls the command as it wants to be called: verbs, options, their values', async () => {
    const found = await Promise.all(
      commandsOf(text, verbNames).map(async (command) => {
        const problem = await commandProblem(command);
        return problem === undefined ? [] : [`${command.argv.join(' ')}: ${problem}`];
      }),
    );
    expect(found.flat()).toEqual([]);
  });

  it('names options that there are', () => {
    const named = spans.flatMap((span) =>
      [...span.matchAll(/(?:^|\s)(--[a-z][\w-]*)/g)].map(([, one]) => one),
    );
    const unknown = named.filter((one) => one !== undefined && !everyOption.has(one) && !foreign.has(one));
    expect(unknown).toEqual([]);
  });

  it('names scripts that there are', () => {
    const code = [...spans, ...blocksOf(text).map((block) => block.code)];
    const named = code.flatMap((one) => [...one.matchAll(/npm run (?!-)([\w:-]+)/g)].map(([, name]) => name));
    expect(named.filter((name) => name !== undefined && !scripts.has(name))).toEqual([]);
  });

  it('names files that there are', () => {
    const paths = spans.filter((span) =>
      /^(?:packages|test|docs|examples|bench|deploy|\.ci)\/[\w./-]+$/.test(span),
    );
    expect(paths.filter((one) => !existsSync(root + one) && !isMade(one))).toEqual([]);
  });
});

/** Written by a command, so not in a clone. */
function isMade(path: string): boolean {
  return path === 'bench/results/latest.json' || path.startsWith('test/page/screenshots');
}

it('no option of another program is listed that no document names', () => {
  const spans = new Set(
    documents().flatMap((path) => spansOf(readDocument(path)).flatMap((span) => span.split(/[ =]/))),
  );
  expect([...foreign].filter((one) => !spans.has(one))).toEqual([]);
});

describe('the reader of commands', () => {
  it('finds verbs and options in examples and in code spans', () => {
    const text = [
      '```sh\necho a |\n  dragoman parse --dialect hermes \\\n  -q\nnpx dragoman --no-color explain\n```',
      'With `dragoman serve --inspect 5`, `convert --queue`, `dragoman help verify` and `serve`.',
    ].join('\n\n');
    const found = commandsOf(text, verbNames).map(({ argv }) => argv.join(' '));
    expect(found).toEqual([
      ...['parse --dialect hermes -q', '--no-color explain'],
      ...['serve --inspect 5', 'help verify', 'convert --queue'],
    ]);
  });

  it('reads quotes, here-documents, redirections, what is inserted, and GNU parallel', () => {
    const script = [
      "cat > a.jsonl <<'END'\ndragoman no-call | here\nEND",
      'dragoman chat --mcp "npx -y a | b" 2>&1 | tee log > x # dragoman no-verb',
      'eval "$(dragoman completion bash)" && X=1 dragoman serve --port $((8000 + 1)) & p=$!',
      'parallel --pipe dragoman convert --shard {}/4 ::: 1 2',
    ].join('\n');
    const found = commandsOf(`\`\`\`sh\n${script}\n\`\`\`\n`, verbNames).map(({ argv }) => argv);
    expect(found).toEqual([
      ['chat', '--mcp', 'npx -y a | b'],
      ['completion', 'bash'],
      ['serve', '--port', '$((8000 + 1))'],
      ['convert', '--shard', '{}/4'],
    ]);
  });

  it.each([
    ['pars --dialect hermes', 'there is no verb pars'],
    ['parse --dialekt hermes', 'unknown option --dialekt; did you mean --dialect?'],
    ['parse --dialect', '--dialect needs a value'],
    ['parse --dialect hermez', '--dialect takes no hermez'],
    ['convert a.jsonl --to opnai', '--to takes no opnai'],
    ['convert a.jsonl --to prompt:hermez', '--to takes no prompt:hermez'],
    ['serve --kind nativ', '--kind takes no nativ'],
    ['serve --port x', '--port takes no x'],
    ['serve http://localhost:8000/v1', 'expected options only'],
    ['help nothing', 'there is no verb nothing'],
  ])('finds what is wrong with %s', async (line, problem) => {
    expect(await commandProblem({ argv: line.split(' '), isSpan: false })).toContain(problem);
  });

  it('finds many of them in the documents', () => {
    const all = documents().flatMap((path) => commandsOf(readDocument(path), verbNames));
    expect(all.length).toBeGreaterThan(250);
    expect(new Set(all.map(({ argv }) => argv[0])).size).toBeGreaterThan(8);
  });
});

describe('docs/engines', () => {
  const pages = documents().filter((path) => path.startsWith('docs/engines/'));
  const rows = pages.flatMap((path) =>
    [...readDocument(path).matchAll(/\| `([\w-]+)` \| \[`([\w.-]+)`\]\(/g)].map(([, parser, dialect]) => ({
      path,
      parser: parser as string,
      dialect,
    })),
  );

  it.each(rows)('$path: $parser is $dialect', ({ parser, dialect }) => {
    expect(findDialect(parser).name).toBe(dialect);
  });

  it('have rows', () => {
    expect(rows.length).toBeGreaterThan(20);
  });
});

describe('docs/recipes.md', () => {
  it('shows what `dragoman serve` prints for each client', () => {
    const read = configFromFlags({ upstream: 'http://localhost:11434/v1' });
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const printed = greeting('http://127.0.0.1:8787', read.config).split('\n');
    const shown = blocksOf(readDocument('docs/recipes.md')).map(({ code }) => code);
    for (const client of ['curl', 'OpenAI', 'Anthropic', 'Claude Code', 'Codex', 'opencode', 'Qwen Code']) {
      const from = printed.indexOf(client) + 1;
      const length = printed.slice(from).findIndex((line) => !line.startsWith('  '));
      const lines = printed.slice(from, from + length).map((line) => `${line.slice(2)}\n`);
      expect(lines.length, client).toBeGreaterThan(0);
      expect(shown, client).toContain(lines.join(''));
    }
  });
});
