// How the engine samples, in a process of its own: reads {"model"} from standard input, and writes one object of JSON.
// The prompt asks for a call in hermes, as the tiny model was trained; the answer is free of any grammar.
// Uses the built packages, and DRAGOMAN_NODE_LLAMA_CPP.

import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { findDialect } from '@dragoman/core';
import { ggufFile } from '@dragoman/local';
import { promptPieces } from '@dragoman/tiny';

const { model: path } = JSON.parse(await text(process.stdin));
const inside = (name) => new URL(`../../packages/local/dist/llama/${name}.js`, import.meta.url).href;
const { loadEngine } = await import(inside('load-llama'));
const { loadLlamaModel } = await import(inside('llama-model'));

/** The sequences that the model makes: each knows how many tokens it has evaluated. */
const sequences = [];
const { LlamaContext } = (await loadEngine({ gpu: false })).module;
const { getSequence } = LlamaContext.prototype;
LlamaContext.prototype.getSequence = function (...given) {
  const sequence = getSequence.apply(this, given);
  sequences.push(sequence);
  return sequence;
};
const model = await loadLlamaModel(ggufFile(path), { gpu: false, threads: 1, parallel: 1 });
const [sequence] = sequences;

const properties = { city: { type: 'string' }, date: { type: 'string' }, guests: { type: 'integer' } };
const prompt = promptPieces(findDialect('hermes'), {
  messages: [{ role: 'user', content: 'Book a table in Oslo for 4 people on 2027-03-05.' }],
  tools: [{ name: 'book_table', description: 'Book a table', parameters: { type: 'object', properties } }],
});

async function written(sampling, more = {}) {
  const pieces = [];
  let end;
  const request = {
    prompt,
    sampling,
    stop: [],
    maxTokens: 60,
    signal: new AbortController().signal,
    ...more,
  };
  for await (const event of model.generate(request)) {
    if (event.type === 'text') pieces.push(event.text);
    else end = event;
  }
  return { text: pieces.join(''), pieces, reason: end.reason, tokens: end.usage.outputTokens };
}

/** Nothing but the temperature decides. */
const hot = { temperature: 4, topP: 1, topK: 0, minP: 0 };
const greedy = await written({ temperature: 0 });
const stop = greedy.text.slice(12, 16);
const seeds = [1, 2, 3, 4];
const found = {
  greedy,
  likeliest: {
    topP: await written({ ...hot, topP: 0.01, seed: 1 }),
    topK: await written({ ...hot, topK: 1, seed: 1 }),
    minP: await written({ ...hot, minP: 1, seed: 1 }),
  },
  hot: [],
  again: [],
  penalties: {
    presence: await written({ temperature: 0, presencePenalty: 50 }),
    frequency: await written({ temperature: 0, frequencyPenalty: 50 }),
    repetition: await written({ temperature: 0, repetitionPenalty: 1e6 }),
  },
  stop,
  stopped: await written({ temperature: 0 }, { stop: ['never written', stop] }),
  abort: { byReader: await aborted('reader'), byTimer: await aborted('timer') },
};
// One after the other: what is evaluated together differs in its last digits.
for (const seed of seeds) found.hot.push((await written({ ...hot, seed })).text);
for (const seed of seeds) found.again.push((await written({ ...hot, seed })).text);
found.afterwards = await written({ temperature: 0 });

/** Aborts an answer that a grammar makes long. Gives the pieces that had come, and the tokens evaluated afterwards. */
async function aborted(by) {
  const aborter = new AbortController();
  const grammar = { gbnf: 'root ::= [a-z ]{600}' };
  let at;
  const abort = () => {
    at = sequence.nextTokenIndex;
    aborter.abort(new Error('left'));
  };
  let pieces = 0;
  const answer = async () => {
    const asked = { prompt, sampling: { temperature: 0 }, stop: [], grammar, signal: aborter.signal };
    for await (const event of model.generate(asked)) {
      pieces++;
      if (event.type === 'end') return 'ended';
      if (by === 'reader' && pieces === 5) abort();
      if (by === 'timer' && pieces === 5) setTimeout(abort, 5);
    }
  };
  const outcome = await answer().catch((error) => error.message);
  // Whatever still samples in the background would go on meanwhile.
  await wait(200);
  return { outcome, pieces, later: sequence.nextTokenIndex - at };
}

console.log(JSON.stringify(found));
await model.close();
process.exit(0);
