// Samples answers that a grammar holds, from a GGUF model in this process: a line of JSON for each dialect,
// {"dialect", "samples", "valid", "tokens", "seconds", "faults"}. Reads {"model", "template"?, "dialects", "count",
// "temperature", "parallel"} from standard input. Uses the built packages, and DRAGOMAN_NODE_LLAMA_CPP.

import { text } from 'node:stream/consumers';
import { findDialect } from '@dragoman/core';
import { createResponder } from '@dragoman/core/bridge';
import { createGgufUpstream, ggufFile, ModelShelf } from '@dragoman/local';

const { model, template, dialects, count, temperature, parallel } = JSON.parse(await text(process.stdin));
const file = ggufFile(model);
const shelf = new ModelShelf({ parallel, threads: 1, gpu: false, waiting: 10_000 });

/** Nothing in them is without an end: noise never finds the closer of a text by itself. */
const tools = [
  [
    'get_weather',
    {
      city: { type: 'string', minLength: 1, maxLength: 6 },
      days: { type: 'integer', minimum: 1, maximum: 9 },
    },
  ],
  ['stop', { now: { type: 'boolean' } }],
].map(([name, properties]) => ({
  type: 'function',
  function: {
    name,
    description: 'A tool',
    strict: true,
    parameters: {
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    },
  },
}));

const format = {
  type: 'json_schema',
  json_schema: { name: 'sum', strict: true, schema: tools[0].function.parameters },
};

/** The ways to be held from the first token. Each has a prompt of its own, so the samples of one come together. */
const ways = [
  { tools, tool_choice: 'required', parallel_tool_calls: false },
  { tools, tool_choice: { type: 'function', function: { name: 'get_weather' } } },
  { tools, tool_choice: { type: 'function', function: { name: 'stop' } } },
  { response_format: format },
];

for (const name of dialects) {
  const dialect = findDialect(name);
  const { upstream } = createGgufUpstream(file, {
    dialect,
    ...(template && { template }),
    lease: (context) => shelf.lease(file, context),
  });
  const respond = createResponder({ upstream, dialect, reasks: 0, turns: 'off' });
  const faults = [];
  let [valid, tokens, next] = [0, 0, 0];
  const start = performance.now();
  const worker = async () => {
    while (next < count) {
      const seed = next++;
      const { fault, written } = await sample(respond, ways[Math.floor((seed * ways.length) / count)], seed);
      tokens += written;
      if (fault === undefined) valid++;
      else if (faults.length < 3) faults.push(`seed ${seed}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  const seconds = Math.round((performance.now() - start) / 10) / 100;
  console.log(JSON.stringify({ dialect: name, samples: count, valid, tokens, seconds, faults }));
}
await shelf.close();
// The engine keeps threads for a while.
process.exit(0);

async function sample(respond, way, seed) {
  const body = {
    model: 'sampled',
    messages: [{ role: 'user', content: 'show me the weather in Rome' }],
    temperature,
    top_p: 1,
    top_k: 0,
    min_p: 0,
    seed,
    max_tokens: 400,
    ...way,
  };
  const request = new Request('http://local/v1/chat/completions', {
    method: 'POST',
    body: JSON.stringify(body),
  });
  const answer = await (await respond(request)).json();
  return { fault: faultOf(answer, way), written: answer.usage?.completion_tokens ?? 0 };
}

function faultOf(answer, way) {
  const { choices: [choice] = [], dragoman } = answer;
  const shown = () => JSON.stringify(choice ?? answer).slice(0, 400);
  if (!choice || !dragoman?.held) return `not held: ${shown()}`;
  if (dragoman.issues.length + dragoman.repairs.length > 0) return `${JSON.stringify(dragoman)} ${shown()}`;
  if (way.response_format) return isInput(choice.message.content ?? '', 'get_weather') ? undefined : shown();
  const { tool_calls: calls = [] } = choice.message;
  const isRight =
    calls.length === 1 &&
    calls.every(({ function: { name, arguments: input } }) => {
      const isNamed = typeof way.tool_choice === 'string' || way.tool_choice.function.name === name;
      return isNamed && isInput(input, name);
    });
  return isRight ? undefined : shown();
}

function isInput(json, name) {
  try {
    const input = JSON.parse(json);
    if (name === 'stop') return typeof input.now === 'boolean' && Object.keys(input).length === 1;
    const { city, days, ...others } = input;
    const isCity = typeof city === 'string' && [...city].length >= 1 && [...city].length <= 6;
    return isCity && Number.isInteger(days) && days >= 1 && days <= 9 && Object.keys(others).length === 0;
  } catch {
    return false;
  }
}
