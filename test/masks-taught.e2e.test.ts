// Tokens and labels of taught messages against transformers' own `return_assistant_tokens_mask`: the chat templates carry
// the tags, and both sides render them. Recorded vectors always, a Python with transformers where it is at hand.
// `DRAGOMAN_WRITE=1` with such a Python writes the vectors.

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { acceptConversation, findDialect } from '@dragoman/core/internal';
import { afterAll, describe, expect, it } from 'vitest';
import { type LoadedTokenizer, loadTokenizer } from '../packages/convert/src/files/tokenizer.js';
import { hashTokenizer } from '../packages/convert/src/files/tokenizer-file.js';
import { createMessagesForm } from '../packages/convert/src/text/messages-form.js';
import { maskKinds } from '../packages/convert/src/train/training.js';
import { missing } from './corpus/transformers.mjs';
import { chatTemplates } from './masks/chat-templates.js';
import { askMasks, hasTransformers, type MaskAnswer } from './masks/masks.mjs';
import { hashOf, rangesOf } from './masks/recorded-masks.js';

const vectorFile = fileURLToPath(new URL('masks/taught-vectors.json', import.meta.url));
const masks = fileURLToPath(new URL('masks/', import.meta.url));
const conversations = ['one-call', 'parallel-calls', 'several-turns', 'unicode', 'chinese'];
const dialects = ['hermes', 'glm-4.5', 'pythonic', 'qwen3-coder', 'mistral'];

const folder = mkdtempSync(join(tmpdir(), 'dragoman-chat-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A tokenizer with a chat template beside it, as a model's repository has them. */
function repository(template: string): string {
  const path = join(folder, template);
  mkdirSync(path, { recursive: true });
  copyFileSync(join(masks, 'byte-level.json'), join(path, 'tokenizer.json'));
  writeFileSync(
    join(path, 'tokenizer_config.json'),
    JSON.stringify({ chat_template: chatTemplates[template] }),
  );
  return join(path, 'tokenizer.json');
}

const loaded = new Map<string, LoadedTokenizer>();
for (const name of Object.keys(chatTemplates))
  loaded.set(name, await loadTokenizer(hashTokenizer(repository(name), true)));

interface Written {
  messages: { role: string; content: string }[];
  input_ids: number[];
  labels: number[];
}

function write(dialect: string, conversation: string, template: string) {
  const tokenizer = loaded.get(template) as LoadedTokenizer;
  const training = { mask: maskKinds, tokenizer, chat: tokenizer.chat() };
  const form = createMessagesForm(findDialect(dialect), { render: { short: true }, training });
  const file = new URL(
    `../packages/core/corpus/conversations/${conversation}/conversation.json`,
    import.meta.url,
  );
  const { about: _, ...request } = JSON.parse(readFileSync(file, 'utf8'));
  const { row, notes } = form.write({ conversation: acceptConversation(request), rest: [] });
  return { row: row as unknown as Written, notes };
}

const questions = dialects.flatMap((dialect) =>
  conversations.flatMap((conversation) =>
    Object.keys(chatTemplates).map((template) => ({ dialect, conversation, template })),
  ),
);

interface Vector {
  dialect: string;
  conversation: string;
  template: string;
  /** A hash of the ids. */
  ids: string;
  /** The ranges of tokens that transformers says the assistant writes. */
  learnt: number[][];
}

function framed({ messages }: Written) {
  return messages.map(({ role, content }) => ({ role: role === 'tool' ? 'user' : role, content }));
}

function check({ dialect, conversation, template, ids, learnt }: Vector): void {
  const name = `${dialect}, ${conversation}, ${template}`;
  const { row, notes } = write(dialect, conversation, template);
  expect(hashOf(row.input_ids), name).toBe(ids);
  expect(notes.filter(({ code }) => code === 'rewritten-answer')).toEqual([]);
  expect(row.labels.filter((label, at) => label !== -100 && label !== row.input_ids[at])).toEqual([]);
  // Transformers counts a token that crosses a border as the assistant's; here it is not learnt.
  const split = new Set(notes.filter(({ code }) => code === 'split-token').map(({ path }) => path));
  const mask = row.labels.map((label, at) => label !== -100 || split.has(`input_ids[${at}]`));
  const isTheirs = (at: number) => learnt.some(([from = 0, to = 0]) => at >= from && at < to);
  // Of a character of several tokens at the end of an answer, transformers counts only the first.
  const tokenizer = loaded.get(template) as LoadedTokenizer;
  const tokens = tokenizer.encode(tokenizer.chat().render(framed(row), false));
  const isFirst = (at: number) => at === 0 || tokens[at - 1]?.start !== tokens[at]?.start;
  const other = mask.flatMap((one, at) => (isFirst(at) && one !== isTheirs(at) ? [at] : []));
  expect(other, name).toEqual([]);
}

function theirs(): { transformers: string; rows: Vector[] } {
  const asked = questions.map(({ dialect, conversation, template }) => ({
    tokenizer: join(masks, 'byte-level.json'),
    template: chatTemplates[template] as string,
    messages: framed(write(dialect, conversation, template).row),
  }));
  const { version, answers } = askMasks(asked);
  const rows = questions.map((question, at) => {
    const { ids, mask } = answers[at] as MaskAnswer;
    return { ...question, ids: hashOf(ids), learnt: rangesOf(mask) };
  });
  return { transformers: version, rows };
}

describe('labels of taught messages', () => {
  it('are those of the recorded masks of transformers', () => {
    if (process.env.DRAGOMAN_WRITE && hasTransformers()) {
      const how =
        'DRAGOMAN_WRITE=1 npx vitest run test/masks-taught.e2e.test.ts: a hash of the ids and the learnt tokens, by return_assistant_tokens_mask';
      const text = JSON.stringify({ how, ...theirs() }, null, 1);
      writeFileSync(vectorFile, `${text.replaceAll(/\[\s+(\d+),\s+(\d+)\s+\]/g, '[$1, $2]')}\n`);
    }
    const { rows } = JSON.parse(readFileSync(vectorFile, 'utf8')) as { rows: Vector[] };
    expect(rows).toHaveLength(questions.length);
    for (const row of rows) check(row);
  });

  it.skipIf(!hasTransformers())(`are those of transformers (${missing})`, () => {
    for (const row of theirs().rows) check(row);
  });
});
