// The Python package (clients/python), with the python3 of this machine and the command as it is built: its own tests, and
// the events of the whole corpus.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createParser } from '@dragoman/core';
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

interface WildCase {
  dialect: string;
  text: string;
  tools?: unknown;
  thinking?: boolean;
  policies?: unknown;
}

function wildCases(): WildCase[] {
  const wild = join(root, 'packages/core/corpus/wild');
  const files = readdirSync(wild, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.json'),
  );
  const cases = files.map((name): WildCase => JSON.parse(readFileSync(join(wild, name), 'utf8')));
  // The package does not have the parser's policies.
  return cases.filter(({ policies }) => policies === undefined);
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
    expect(stderr).toMatch(/Ran \d{2} tests/);
    expect(status, stderr).toBe(0);
  }, 120_000);

  it('gives the events of the whole corpus, piece by piece', () => {
    const cases = wildCases();
    expect(cases.length).toBeGreaterThan(900);
    const asked = cases.map(({ dialect, text, tools, thinking }, at) => ({
      dialect,
      tools,
      thinking,
      pieces: cut(text, 3 + (at % 20)),
    }));
    const input = asked.map((one) => JSON.stringify(one)).join('\n');
    const { status, stdout, stderr } = python(['tests/read_cases.py'], input);
    expect(status, stderr).toBe(0);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers).toHaveLength(cases.length);
    for (const [at, { dialect, tools, thinking, pieces }] of asked.entries()) {
      const parser = createParser(dialect, { tools, ...(thinking !== undefined && { thinking }) });
      const events = [...pieces.map((piece) => parser.feed(piece)), parser.finish()];
      const withoutInput = JSON.parse(JSON.stringify(events), (_, value) =>
        value?.type === 'call-end' ? { ...value, input: undefined } : value,
      );
      expect(answers[at].events, cases[at]?.text).toEqual(withoutInput);
      const calls = events
        .flat()
        .flatMap((event) => (event.type === 'call-end' ? [[event.name, event.raw]] : []));
      expect(answers[at].calls).toEqual(calls);
    }
  }, 120_000);
});
