// GBNF in the real llama.cpp: a model with random weights, constrained by our grammars, writes calls that can be read, in
// every dialect that has a grammar. The project's own dialects, and one of each kind of other models' dialects, are
// tested in both ways, the others in one of the two in turn; DRAGOMAN_EFFORT=2 tests all in both. See llama/.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { representatives } from '../packages/core/src/dialects/every.fixture.js';
import {
  type ConstrainOptions,
  constrain,
  type Dialect,
  dialects,
  parse,
  type ToolChoice,
} from '../packages/core/src/index.js';
import { createValidator } from '../packages/core/src/schema/validate.js';
import { reportMissing } from './installs.mjs';
import { findLlama } from './llama/find-llama.mjs';
import { TOOLS } from './on-demand/bounded-tools.js';

const WAYS: [choice: ToolChoice, options: Omit<ConstrainOptions, 'format'>][] = [
  [{ name: 'get_weather' }, {}],
  ['required', { parallel: false }],
];

const EFFORT = Number(process.env.DRAGOMAN_EFFORT ?? 1);

function waysOf(dialect: Dialect) {
  const both = EFFORT > 1 || representatives.includes(dialect);
  return WAYS.map(([choice, options], way) => ({ choice, options, way })).filter(
    ({ way }) => both || way === held.indexOf(dialect) % WAYS.length,
  );
}

interface Written {
  name: string;
  text?: string;
  ended?: boolean;
  error?: string;
}

const held = dialects.filter((dialect) => dialect.constrain);
const written = new Map<string, Written>();
const folder = mkdtempSync(join(tmpdir(), 'dragoman-llama-'));
let missing: string | undefined;

beforeAll(async () => {
  const llama = await findLlama().catch((error: Error) => {
    missing = reportMissing('grammars in llama.cpp', error);
  });
  if (!llama) return;
  for (const answer of await write(llama)) written.set(answer.name, answer);
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One process for all grammars: loading the model costs more than writing with it. */
async function write(llama: string): Promise<Written[]> {
  const grammars = held.flatMap((dialect) =>
    waysOf(dialect).map(({ choice, options, way }) => ({
      name: `${dialect.name} ${way}`,
      grammar: constrain(dialect, TOOLS, choice, { ...options, format: 'gbnf' }).grammar,
    })),
  );
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'llama/write-held.mjs'), llama, join(folder, 'tiny.gguf')],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  child.stdin.end(JSON.stringify(grammars));
  const lines = (await text(child.stdout)).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Written);
}

describe.each(held.map((dialect) => [dialect.name, dialect] as const))('%s', (_name, dialect) => {
  for (const { choice, way } of waysOf(dialect)) {
    test(`a model held to ${JSON.stringify(choice)} writes a call`, (context) => {
      if (missing) context.skip(missing);
      expectCall(dialect, written.get(`${dialect.name} ${way}`) as Written, choice);
    });
  }
});

function expectCall(dialect: Dialect, { text: said = '', ended, error }: Written, choice: ToolChoice): void {
  expect(error).toBeUndefined();
  expect(ended, said).toBe(true);
  const answer = parse(dialect, said, { tools: TOOLS });
  expect({ text: answer.text, repairs: answer.repairs, issues: answer.issues }, said).toEqual({
    text: '',
    repairs: [],
    issues: [],
  });
  expect(answer.calls, said).toHaveLength(1);
  const [call] = answer.calls;
  if (typeof choice !== 'string') expect(call?.name).toBe(choice.name);
  const schema = TOOLS.find(({ name }) => name === call?.name)?.parameters;
  expect(createValidator(schema ?? false).check(call?.input ?? null), said).toEqual([]);
}
