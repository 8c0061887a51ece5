// A model with random weights, held by grammars: reads [{"name", "grammar"}] from standard input and writes a line of
// JSON for each, {"name", "text", "ended"} or {"name", "error"}.
//
//   node write-held.mjs <folder of node-llama-cpp> <file for the model>

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { bytesOf, END_TOKEN, tinyModel } from './tiny-model.mjs';

const MAX_TOKENS = 3_000;

const [folder, modelPath] = process.argv.slice(2);
const { getLlama, LlamaGrammarEvaluationState, LlamaLogLevel } = await import(
  pathToFileURL(join(folder, 'dist/index.js')).href
);
writeFileSync(modelPath, tinyModel());
const llama = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.error });
const model = await llama.loadModel({ modelPath, gpuLayers: 0 });
const context = await model.createContext({ contextSize: 4096, threads: 1, sequences: 1 });
const sequence = context.getSequence();

for (const [at, { name, grammar }] of JSON.parse(await text(process.stdin)).entries()) {
  let answer;
  try {
    answer = { name, ...(await write(grammar, at + 1)) };
  } catch (error) {
    answer = { name, error: String(error?.message ?? error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0);

async function write(grammar, seed) {
  const held = await llama.createGrammar({ grammar });
  const grammarEvaluationState = new LlamaGrammarEvaluationState({ model, grammar: held });
  await sequence.clearHistory();
  const bytes = [];
  // It stops by itself at the end of a text.
  for await (const token of sequence.evaluate([1], {
    grammarEvaluationState,
    temperature: 1.5,
    topK: 0,
    topP: 1,
    minP: 0,
    seed,
  })) {
    if (token === END_TOKEN) break;
    bytes.push(...bytesOf(token));
    if (bytes.length >= MAX_TOKENS) break;
  }
  return { text: Buffer.from(bytes).toString('utf8'), ended: bytes.length < MAX_TOKENS };
}
