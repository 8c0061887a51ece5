// Tokens and labels of masks against transformers' own tokenizers and `return_assistant_tokens_mask`: recorded vectors
// always, and a Python with transformers where it is at hand. `DRAGOMAN_WRITE=1` with such a Python writes the vectors.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findDialect } from '@dragoman/core/internal';
import { afterAll, describe, expect, it } from 'vitest';
import { loadTokenizer } from '../packages/convert/src/files/tokenizer.js';
import { hashTokenizer } from '../packages/convert/src/files/tokenizer-file.js';
import { createPromptForm } from '../packages/convert/src/text/prompt-form.js';
import { maskKinds, type TextTokenizer } from '../packages/convert/src/train/training.js';
import { missing } from './corpus/transformers.mjs';
import { addingTokenizers, writeAddingTokenizer } from './masks/adding-tokenizers.js';
import { askMasks, hasTransformers, type MaskAnswer } from './masks/masks.mjs';
import { conversationFor, type MaskQuestion, maskQuestions, optionsOf, type Way } from './masks/questions.js';
import { hashOf, rangesOf } from './masks/recorded-masks.js';

const here = (name: string) => fileURLToPath(new URL(`masks/${name}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'dragoman-masks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files of the tokenizers. */
const tokenizers: Readonly<Record<string, string>> = {
  'byte-level': here('byte-level.json'),
  spaced: here('spaced.json'),
  ...Object.fromEntries(addingTokenizers.map((name) => [name, writeAddingTokenizer(name, folder)])),
};
/** Dialects that are asked with the tokenizers that add a space, too. Answers of mistral begin behind a special token. */
const spacedOut = ['hermes', 'mistral', 'glm-4.5'];

function tokenizersOf({ dialect, way }: Omit<MaskQuestion, 'pieces'>): string[] {
  return spacedOut.includes(dialect) && !isTurn(way) ? Object.keys(tokenizers) : ['byte-level', 'spaced'];
}

const vectorFile = here('vectors.json');

interface Vector {
  dialect: string;
  conversation: string;
  way: Way;
  tokenizer: string;
  tokens: number;
  /** A hash of the ids. */
  ids: string;
  /** The ranges of tokens that transformers says the assistant writes. */
  learnt: number[][];
}

interface Vectors {
  how: string;
  transformers: string;
  /** Conversations that have no vector, and why. */
  leftOut: Pick<MaskQuestion, 'dialect' | 'conversation' | 'why'>[];
  rows: Vector[];
}

const isTurn = (way: Way) => way.startsWith('turn');

const questions = maskQuestions();
const asked = questions.flatMap(({ pieces, ...question }) =>
  pieces ? tokenizersOf(question).map((tokenizer) => ({ ...question, pieces, tokenizer })) : [],
);

function vectorOf(question: (typeof asked)[number], { ids, mask }: MaskAnswer): Vector {
  const { dialect, conversation, way, tokenizer } = question;
  return {
    dialect,
    conversation,
    way,
    tokenizer,
    tokens: ids.length,
    ids: hashOf(ids),
    learnt: rangesOf(mask),
  };
}

function askAll(): Vectors {
  const requests = asked.map(({ tokenizer, pieces }) => ({
    tokenizer: tokenizers[tokenizer] as string,
    pieces,
  }));
  const { version, answers } = askMasks(requests);
  return {
    how: 'DRAGOMAN_WRITE=1 npx vitest run test/masks.e2e.test.ts: a template writes each prompt in pieces, those of the model in {% generation %}; masks/questions.ts finds the pieces from prompts alone, masks/make_tokenizers.py makes the tokenizers',
    transformers: version,
    leftOut: questions.flatMap(({ pieces, way: _, ...question }) => (pieces ? [] : [question])),
    rows: asked.map((question, at) => vectorOf(question, answers[at] as MaskAnswer)),
  };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

async function loaded(): Promise<Map<string, TextTokenizer>> {
  const files = Object.entries(tokenizers).map(
    async ([name, path]) => [name, await loadTokenizer(hashTokenizer(path))] as const,
  );
  return new Map(await Promise.all(files));
}

/** Writes the whole row, or the sample of one answer. */
function write({ dialect: name, conversation: one, way }: Vector, tokenizer: TextTokenizer) {
  const dialect = findDialect(name);
  const conversation = conversationFor(dialect, one, isTurn(way) ? 'whole' : way);
  const form = createPromptForm(dialect, {
    render: { thinking: optionsOf(conversation).thinking },
    training: {
      mask: maskKinds,
      tokenizer,
      ...(isTurn(way) && { perTurn: true, train: Number(way.slice('turn '.length)) }),
    },
  });
  const { row, more = [], notes } = form.write({ conversation, rest: [] });
  expect(more).toEqual([]);
  return { row: row as unknown as TrainedRow, notes };
}

interface TrainedRow {
  prompt: string;
  completion?: string;
  input_ids: number[];
  attention_mask: number[];
  labels: number[];
}

describe('labels', async () => {
  const known = await loaded();

  const check = (vectors: Vectors) => {
    expect(vectors.rows.map(({ dialect }) => dialect)).toEqual(asked.map(({ dialect }) => dialect));
    for (const vector of vectors.rows) {
      const name = `${vector.dialect}, ${vector.conversation}, ${vector.way}, ${vector.tokenizer}`;
      const tokenizer = known.get(vector.tokenizer) as TextTokenizer;
      const { row, notes } = write(vector, tokenizer);
      const { prompt, completion = '', input_ids, attention_mask, labels } = row;
      expect(hashOf(input_ids), name).toBe(vector.ids);
      expect([attention_mask.length, labels.length], name).toEqual([vector.tokens, vector.tokens]);
      // Transformers counts a token that crosses a border as the assistant's; here it is not learnt.
      const split = new Set(notes.filter(({ code }) => code === 'split-token').map(({ path }) => path));
      const mask = labels.map((label, at) => (label !== -100 || split.has(`input_ids[${at}]`) ? 1 : 0));
      expect(labels.filter((label, at) => label !== -100 && label !== input_ids[at])).toEqual([]);
      const learnt = new Set(vector.learnt.flatMap(([from = 0, to = 0]) => range(from, to)));
      // Of a character of several tokens at the end of an answer, transformers counts only the first.
      const tokens = tokenizer.encode(prompt + completion);
      const isFirst = (at: number) => at === 0 || tokens[at - 1]?.start !== tokens[at]?.start;
      const other = mask.flatMap((one, at) => (isFirst(at) && (one === 1) !== learnt.has(at) ? [at] : []));
      expect(other, name).toEqual([]);
    }
  };

  it('are those of the recorded masks of transformers', () => {
    if (process.env.DRAGOMAN_WRITE && hasTransformers())
      writeFileSync(
        vectorFile,
        `${JSON.stringify(askAll(), null, 1).replaceAll(/\[\s+(\d+),\s+(\d+)\s+\]/g, '[$1, $2]')}\n`,
      );
    check(JSON.parse(readFileSync(vectorFile, 'utf8')) as Vectors);
  });

  it.skipIf(!hasTransformers())(`are those of transformers (${missing})`, () => check(askAll()));
});
