// Samples answers that a grammar holds, from a GGUF model in this process: a line of JSON for each dialect,
// {"dialect", "samples", "valid", "calls", "unread", "distinct", "tokens", "seconds", "faults"}. Reads {"model",
// "template"?, "dialects", "count", "temperature", "by", "parallel"?} from standard input. `by`: "engine" asks llama.cpp for each, as
// the gateway does; "tree" draws all answers to a prompt at once (answer-tree.mjs), which takes a tenth of the time;
// "free" asks llama.cpp, and leaves it to the model whether it calls a tool.
// Uses the built packages, and DRAGOMAN_NODE_LLAMA_CPP.

import { text } from 'node:stream/consumers';
import { findDialect } from '@dragoman/core';
import { createResponder } from '@dragoman/core/bridge';
import { createGgufUpstream, ggufFile, ModelShelf } from '@dragoman/local';
import { AnswerTree } from './answer-tree.mjs';
import { faultOf, freeWays, isUnread, requestOf, ways } from './held-ways.mjs';

const {
  model,
  template,
  dialects,
  count,
  temperature,
  by,
  parallel = 4,
} = JSON.parse(await text(process.stdin));
const file = ggufFile(model);
const shelf = new ModelShelf({ parallel, threads: 1, gpu: false, waiting: 10_000 });
const tree = by === 'tree' ? await AnswerTree.load(model) : undefined;
/** Of the tree: the seeds that are drawn together, and what was drawn. */
let drawing = [];
let drawn;

const player = {
  name: file.name,
  contextLength: tree?.contextLength,
  grammar: true,
  async *generate(request) {
    drawn ??= await tree.draw(request, drawing);
    const { pieces, tokens, reason, prompt } = drawn.get(request.sampling.seed);
    for (const piece of pieces) yield { type: 'text', text: piece, held: true };
    const usage = { inputTokens: prompt, cachedTokens: 0, outputTokens: tokens.length };
    yield { type: 'end', reason, held: true, usage };
  },
};

for (const name of dialects) {
  const dialect = findDialect(name);
  const { upstream } = createGgufUpstream(file, {
    dialect,
    ...(template && { template }),
    lease: tree ? async () => ({ model: player, release() {} }) : (context) => shelf.lease(file, context),
  });
  const respond = createResponder({ upstream, dialect, reasks: 0, turns: 'off' });
  const found = {
    dialect: name,
    samples: count,
    valid: 0,
    calls: 0,
    unread: 0,
    distinct: 0,
    tokens: 0,
    seconds: 0,
    faults: [],
  };
  const start = performance.now();
  let share = 0;
  for (const way of by === 'free' ? freeWays : ways) {
    const first = Math.round(share * count);
    share += way.share;
    const seeds = Array.from({ length: Math.round(share * count) - first }, (_, at) => first + at);
    if (seeds.length === 0) continue;
    const ask = async (seed) => {
      const answer = await (await respond(requestOf(way, seed, temperature))).json();
      if (way.isFree && isUnread(answer)) found.unread++;
      const calls = answer.choices?.[0]?.message.tool_calls?.length ?? 0;
      return { seed, fault: faultOf(answer, way), calls, tokens: answer.usage?.completion_tokens ?? 0 };
    };
    for (const { seed, fault, calls, tokens, times = 1 } of await (tree
      ? askOnce(seeds, ask)
      : askAll(seeds, ask))) {
      found.tokens += tokens * times;
      found.calls += calls * times;
      found.distinct++;
      if (fault === undefined) found.valid += times;
      else if (found.faults.length < 3) found.faults.push(`seed ${seed}: ${fault}`);
    }
  }
  found.seconds = Math.round((performance.now() - start) / 10) / 100;
  console.log(JSON.stringify(found));
}
await shelf.close();
// The engine keeps threads for a while.
process.exit(0);

async function askAll(seeds, ask) {
  const results = [];
  const left = [...seeds];
  const worker = async () => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) results.push(await ask(seed));
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return results;
}

/** Asks for one of the seeds that have the same answer: it is read in the same way each time. */
async function askOnce(seeds, ask) {
  drawing = seeds;
  drawn = undefined;
  const [first] = seeds;
  const results = [await ask(first)];
  const groups = new Map();
  for (const seed of seeds) {
    const key = JSON.stringify(drawn.get(seed));
    groups.set(key, [...(groups.get(key) ?? []), seed]);
  }
  for (const group of groups.values()) {
    const result = group.includes(first) ? results.pop() : await ask(group[0]);
    results.push({ ...result, times: group.length });
  }
  return results;
}
