// Example outputs, taken from the corpus when the page is built: a correct one for each dialect, and some with faults.

import { readFileSync } from 'node:fs';
import { dialects } from '@dragoman/core';
import type { Example } from './examples.js';

const corpus = new URL('../../../../core/corpus/', import.meta.url);

type Taken = readonly [folder: string, dialect: string, title: string];

/** The first turn of each of these conversations. */
const conversations = [
  ['text-around-calls', 'glm-4.5', 'Text, then a call'],
  ['parallel-calls', 'hermes', 'Three calls at once'],
  ['nested-input', 'alkaid', 'Lists and objects as arguments'],
  ['code-with-markers', 'qwen3-coder', 'Code that holds markup'],
  ['reasoning', 'glm-4.7', 'Reasoning, then a call'],
  ['parallel-calls', 'deepseek-v3.1', 'Three calls in special tokens'],
  ['every-type', 'deepseek-v3.2', 'Values of every type'],
  ['parallel-calls', 'deepseek-v4', 'Three calls in DSML'],
  ['one-call', 'deepseek-v4.1', 'One call in DSML'],
  ['every-type', 'xnl', 'A call as JavaScript'],
] as const;

const wild = [
  ['hermes', 'unescaped-quotes', 'Quotes without backslashes'],
  ['hermes', 'broken-value-then-call', 'A broken call, then a good one'],
  ['glm-4.5', 'in-thought-then-real', 'A call in a thought, then a real one'],
  ['glm-4.5', 'cut-in-second-call', 'Cut off inside a call'],
  ['glm-4.5', 'missing-value-closer-then-call', 'A closing tag is missing'],
  ['deepseek-v4', 'text-for-arguments', 'Prose where arguments belong'],
  ['deepseek-v4', 'ascii-bars', 'The wrong kind of bars'],
  ['deepseek-v3.1', 'call-in-reasoning-unclosed', 'A call in a thought that never ends'],
  ['alkaid', 'forged-result-behind-call', 'The model invents the result'],
  ['alkaid', 'unknown-tool', 'A tool that does not exist'],
] as const;

export function collectExamples(): Example[] {
  return [...conversations.map(fromConversation), ...wild.map(fromWild), ...others().map(fromConversation)];
}

/** Gives one call of every dialect that is not among them. */
function others(): Taken[] {
  const shown: readonly string[] = conversations.map(([, dialect]) => dialect);
  const rest = dialects.filter(({ name }) => !shown.includes(name));
  return rest.map(({ name }) => ['one-call', name, 'One call']);
}

function fromConversation([folder, dialect, title]: Taken): Example {
  const at = `conversations/${folder}/`;
  const [text = ''] = read(`${at}${dialect}.txt`).split('\n=== assistant 2 ===\n');
  const { tools } = JSON.parse(read(`${at}conversation.json`));
  // The prompt of this dialect opens the reasoning; the model's text begins inside.
  const thinking =
    dialect === 'glm-4.7' && text.includes('</think>') && !text.trimStart().startsWith('<think>');
  return { title, dialect, text, tools: tools ?? [], thinking, broken: false };
}

function fromWild([dialect, file, title]: (typeof wild)[number]): Example {
  const { text, tools = [], thinking = false } = JSON.parse(read(`wild/${dialect}/${file}.json`));
  return { title, dialect, text, tools, thinking, broken: true };
}

function read(path: string): string {
  return readFileSync(new URL(path, corpus), 'utf8');
}
