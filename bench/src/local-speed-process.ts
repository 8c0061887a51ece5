// How fast a GGUF model is in this process, on one thread: prompt and generated tokens a second, free and held by a
// grammar, by the clock and by the time of the processor, which other programs do not change as much. `npm run bench --
// tiny` runs it for the tiny model; for another:
//
//   npx tsc -b bench && DRAGOMAN_GGUF=model.gguf node bench/dist/local-speed-process.js

import { acceptTools, constrain, findDialect } from '@dragoman/core';
import { ggufFile, type LocalModel, type LocalRequest, ModelShelf } from '@dragoman/local';
import type { NativeSpeed } from './native-speed.js';

/** Tokens of a prompt, about, and of an answer at most. */
const PROMPT = 256;
const WRITTEN = 128;
const ANSWERS = 8;
const { signal } = new AbortController();

const file = ggufFile(process.env.DRAGOMAN_GGUF ?? '');
const shelf = new ModelShelf({ threads: 1, gpu: false, parallel: 1 });
const { model, release } = await shelf.lease(file, { signal }).catch(failed);
const tools = acceptTools([
  {
    name: 'get',
    parameters: { type: 'object', properties: { a: { type: 'string', maxLength: 40 } }, required: ['a'] },
  },
]);
const { grammar } = constrain(findDialect('hermes'), tools, 'required', { format: 'gbnf' });
const anything = 'root ::= [^\\x00]{200}';

function failed(error: Error): never {
  if (process.send) process.send({ failed: error.message });
  else console.error(error.message);
  process.exit(1);
}

async function measure(what: NativeSpeed['what'], run: () => Promise<number>): Promise<NativeSpeed> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const tokens = await run();
  const { user, system } = process.cpuUsage(before);
  const wall = (performance.now() - start) / 1000;
  return {
    what,
    tokens,
    wall: Math.round(tokens / wall),
    processor: Math.round(tokens / ((user + system) / 1e6)),
  };
}

async function usageOf(one: LocalModel, request: Partial<LocalRequest>) {
  const all: LocalRequest = {
    prompt: [],
    sampling: { temperature: 1, seed: 1 },
    stop: [],
    signal,
    ...request,
  };
  for await (const event of one.generate(all)) if (event.type === 'end') return event.usage;
  throw new Error('no end');
}

let run = 0;
/** A prompt that begins with another word each time, so that none of it was evaluated before. */
const prompt = () => [
  { text: `${run++} ${'words of a prompt '.repeat(PROMPT / 4)}`, origin: 'outside' as const },
];
const short = [{ text: 'Write: ', origin: 'ours' as const }];

/** So hot that the end of the answer is hardly ever drawn. */
const endless = { temperature: 10, topK: 40, topP: 1, minP: 0 };

const written = (request: Partial<LocalRequest>) => async () => {
  let tokens = 0;
  for (let at = 0; at < ANSWERS; at++)
    tokens += (await usageOf(model, { prompt: short, maxTokens: WRITTEN, ...request })).outputTokens;
  return tokens;
};

await usageOf(model, { prompt: prompt(), maxTokens: 1 });
const speeds = [
  await measure('prompt', async () => {
    let tokens = 0;
    for (let at = 0; at < ANSWERS; at++)
      tokens += (await usageOf(model, { prompt: prompt(), maxTokens: 1 })).inputTokens;
    return tokens;
  }),
  await measure('free', written({ sampling: endless })),
  await measure('held to any text', written({ grammar: { gbnf: anything } })),
  await measure('held to a call', written({ grammar: { gbnf: String(grammar) } })),
];
if (process.send) process.send({ speeds });
else console.table(speeds);
release();
await shelf.close();
process.exit(0);
