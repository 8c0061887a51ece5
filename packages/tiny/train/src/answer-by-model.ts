// Lets a GGUF file answer the frozen test, greedily: node answer-by-model.js <answers> [options]
//
//   --model FILE       default: ../model/tiny.gguf
//   --every N          every Nth question; default 17, which asks 2,083 of 35,400
//   --held             requires a call, held by the dialect's grammar from the first token; asks for calls alone
//   --engine llama     llama.cpp by node-llama-cpp, in the folder DRAGOMAN_NODE_LLAMA_CPP (default); `tiny`: the runtime
//                      of this package, which needs no native code and knows no grammars
//
// What <answers> has already is not asked again.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { constrain, type Dialect, dialects } from '@dragoman/core';
import { ggufFile, type HeldGrammar, type LocalModel, ModelShelf } from '@dragoman/local';
import { loadTiny } from '@dragoman/tiny';
import type { Answer } from './answers.js';
import { type Question, questionsOf } from './frozen-test.js';

/** As the training answers it. */
const MOST_TOKENS = 220;
/** Questions after which the file is written. */
const PORTION = 50;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string', default: fileURLToPath(new URL('../../model/tiny.gguf', import.meta.url)) },
    every: { type: 'string', default: '17' },
    held: { type: 'boolean', default: false },
    engine: { type: 'string', default: 'llama' },
  },
});
const [file = 'answers.json'] = positionals;
const { held } = values;
if (held && values.engine !== 'llama') throw new Error('--held needs the engine llama');

const answers: Record<string, Answer> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const model = await load();
let asked = 0;
for (const dialect of dialects)
  for (const question of questionsOf(dialect, isAsked)) {
    if (held && question.sample.expected.length === 0) continue;
    answers[question.id] = await answer(dialect, question);
    if (++asked % PORTION === 0) save();
  }
save();
// The engine keeps threads for a while.
process.exit(0);

function isAsked(id: string, place: number): boolean {
  return place % Number(values.every) === 0 && answers[id] === undefined;
}

function save(): void {
  writeFileSync(file, JSON.stringify(answers));
  console.log(`${Object.keys(answers).length} answers`);
}

async function load(): Promise<LocalModel> {
  if (values.engine === 'tiny') return loadTiny({ weights: readFileSync(values.model), slots: 1 });
  const shelf = new ModelShelf({ parallel: 1, threads: 1, gpu: false });
  const { model } = await shelf.lease(ggufFile(values.model), { signal: new AbortController().signal });
  return model;
}

async function answer(dialect: Dialect, question: Question): Promise<Answer> {
  const grammar = held ? grammarOf(dialect, question) : undefined;
  let text = '';
  let isCut = false;
  const request = {
    prompt: question.prompt,
    sampling: { temperature: 0 },
    // Free answers go on to the end that they were trained with; a held one ends where the engine would stop it.
    stop: grammar ? dialect.render.stop : [],
    maxTokens: MOST_TOKENS,
    signal: new AbortController().signal,
    ...(grammar && { grammar }),
  };
  for await (const event of model.generate(request)) {
    if (event.type === 'text') text += event.text;
    else isCut = event.reason === 'length';
  }
  return isCut ? { text, isCut } : text;
}

function grammarOf(dialect: Dialect, { sample: { tools }, prompt, isThinking }: Question): HeldGrammar {
  const reasoning = isThinking ? 'open' : 'no';
  const { grammar } = constrain(dialect, tools, 'required', { format: 'gbnf', reasoning });
  if (typeof grammar !== 'string') throw new Error(`${dialect.name} has no grammar for these tools`);
  const { close } = dialect.traits.reasoning ?? {};
  const isThought = close !== undefined && prompt.at(-1)?.text.trimEnd().endsWith(close.trimEnd());
  return { gbnf: grammar, ...(isThought && { blankFirst: true }) };
}
