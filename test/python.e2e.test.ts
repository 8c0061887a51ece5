// The Python package (clients/python), with the python3 of this machine and the command as it is built: its own tests, and
// the events of texts in the corpus that have a dialect: all of `wild`, the outputs of `vectors`, and a quarter of
// `conversations`. The texts of `talk` and `errors` have none: the bridge reads them, which is not in the package.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createParser, dialects, type ParseEvent, type Policies } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { root } from './sources.js';

const client = join(root, 'clients/python');
const env = {
  ...process.env,
  DRAGOMAN_COMMAND: `"${process.execPath}" "${root}packages/cli/bin/dragoman.js"`,
};

function python(args: readonly string[], input = '') {
  const options = { input, env, cwd: client, encoding: 'utf8', maxBuffer: 1 << 28 } as const;
  const { status, stdout, stderr, error } = spawnSync(
    'python3',
    ['-W', 'error::ResourceWarning', ...args],
    options,
  );
  return { status, stdout: stdout ?? '', stderr: stderr ?? '', error };
}

const found = python(['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;

interface Case {
  dialect: string;
  text: string;
  tools?: unknown;
  thinking?: boolean;
  policies?: Policies;
}

const corpus = join(root, 'packages/core/corpus');
const readJson = (...path: string[]) => JSON.parse(readFileSync(join(corpus, ...path), 'utf8'));

function wildCases(): Case[] {
  const files = readdirSync(join(corpus, 'wild'), { recursive: true, encoding: 'utf8' });
  return files.filter((name) => name.endsWith('.json')).map((name) => readJson('wild', name));
}

function vectorCases(): Case[] {
  const files = readdirSync(join(corpus, 'vectors')).filter((name) =>
    /-(outputs|completions)\.json$/.test(name),
  );
  return files.flatMap((name) => readJson('vectors', name).cases);
}

/** A quarter of the conversations in every dialect: all turns, as the dialect spells them. */
function conversationCases(): Case[] {
  return readdirSync(join(corpus, 'conversations')).flatMap((name, at) => {
    const { tools } = readJson('conversations', name, 'conversation.json');
    return dialects.flatMap(({ name: dialect }, which) => {
      const file = join(corpus, 'conversations', name, `${dialect}.txt`);
      if ((at + which) % 4 !== 0 || !existsSync(file)) return [];
      const turns = readFileSync(file, 'utf8').split(/^=== assistant [0-9]+ ===\n/m);
      return turns.map((text) => ({ dialect, text, tools }));
    });
  });
}

/** Pieces of a few characters, never cut inside a pair of surrogates: Python has no halves. */
function cut(text: string, size: number): string[] {
  const letters = [...text];
  const pieces: string[] = [];
  for (let at = 0; at < letters.length; at += size) pieces.push(letters.slice(at, at + size).join(''));
  return pieces;
}

const missing = !found && process.env.CI !== 'true';

describe.skipIf(missing)('the Python package', () => {
  it('passes its own tests', () => {
    const { status, stderr } = python(['-m', 'unittest', 'discover', '-s', 'tests']);
    expect(stderr).toMatch(/Ran \d{2,} tests/);
    expect(status, stderr).toBe(0);
    // A hundred tests that start processes: on a busy machine they took four minutes.
  }, 600_000);

  it('gives the events of every case in wild', () => {
    const cases = wildCases();
    expect(cases.length).toBeGreaterThan(1_100);
    expectSameEvents(cases, 3);
  });

  it('gives the events of the outputs in vectors', () => {
    const cases = vectorCases();
    expect(cases.length).toBeGreaterThan(50);
    expectSameEvents(cases, 3);
  });

  it('gives the events of a quarter of the conversations in every dialect', () => {
    const cases = conversationCases();
    expect(new Set(cases.map(({ dialect }) => dialect)).size).toBe(dialects.length);
    expectSameEvents(cases, 200);
  });
});

/** The event as JSON gives it back. Python has compared the input with `raw`. */
function withoutInput(event: ParseEvent): unknown {
  return JSON.parse(JSON.stringify(event.type === 'call-end' ? { ...event, input: undefined } : event));
}

/** Reads the cases in Python and here, in pieces of `size` to `size + 19` characters. */
function expectSameEvents(cases: readonly Case[], size: number): void {
  const asked = cases.map(({ text, ...options }, at) => ({
    ...options,
    pieces: cut(text, size + (at % 20)),
  }));
  const input = asked.map((one) => JSON.stringify(one)).join('\n');
  const { status, stdout, stderr } = python(['tests/read_cases.py'], input);
  expect(status, stderr).toBe(0);
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers).toHaveLength(cases.length);
  for (const [at, { dialect, tools, thinking = false, policies = {}, pieces }] of asked.entries()) {
    const parser = createParser(dialect, { tools, thinking, policies });
    const events = [...pieces.map((piece) => parser.feed(piece)), parser.finish()];
    const wanted = events.map((some) => some.map(withoutInput));
    // The quick comparison first: the other one is slow, but shows the difference.
    if (!isDeepStrictEqual(answers[at].events, wanted)) {
      expect(answers[at].events, cases[at]?.text).toStrictEqual(wanted);
    }
    const calls = events
      .flat()
      .flatMap((event) => (event.type === 'call-end' ? [[event.name, event.raw]] : []));
    expect(answers[at].calls).toEqual(calls);
  }
}
