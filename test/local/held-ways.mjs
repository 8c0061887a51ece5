// Questions whose answers a grammar holds from the first token, and what is wrong with an answer. The check is written
// apart from the schemas, so that it does not repeat a mistake of whatever reads them.

/** Nothing in them is without an end: noise never finds the closer of a text by itself. */
const tools = [
  tool('get_weather', {
    city: { type: 'string', minLength: 1, maxLength: 6 },
    days: { type: 'integer', minimum: 1, maximum: 9 },
  }),
  tool('stop', { now: { type: 'boolean' } }),
  tool('plan', {
    kind: { enum: ['walk', 'long drive'] },
    place: {
      type: 'object',
      properties: { name: { type: 'string', maxLength: 3 }, seen: { type: 'boolean' } },
      required: ['name', 'seen'],
      additionalProperties: false,
    },
  }),
];

function tool(name, properties) {
  const parameters = {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
  return { type: 'function', function: { name, description: 'A tool', strict: true, parameters } };
}

const named = (name) => ({ tools, tool_choice: { type: 'function', function: { name } } });
const format = (name) => ({
  response_format: {
    type: 'json_schema',
    json_schema: {
      name,
      strict: true,
      schema: tools.find((one) => one.function.name === name).function.parameters,
    },
  },
});

/**
 * Each has a prompt of its own, so the samples of one come together: `share` of all. `calls` or `content`: what has to
 * come.
 */
export const ways = [
  {
    share: 0.25,
    body: { tools, tool_choice: 'required', parallel_tool_calls: false },
    calls: ['get_weather', 'stop', 'plan'],
  },
  { share: 0.25, body: named('get_weather'), calls: ['get_weather'] },
  { share: 0.1, body: named('stop'), calls: ['stop'] },
  { share: 0.15, body: named('plan'), calls: ['plan'] },
  { share: 0.15, body: format('get_weather'), content: 'get_weather' },
  { share: 0.1, body: format('plan'), content: 'plan' },
];

/** The model is free to answer in words: the grammar holds from the opener of a call on. */
export const freeWays = [{ share: 1, body: { tools, max_tokens: 100 }, isFree: true }];

export function requestOf({ body }, seed, temperature) {
  return new Request('http://local/v1/chat/completions', {
    method: 'POST',
    body: JSON.stringify({
      model: 'sampled',
      messages: [{ role: 'user', content: 'show me the weather in Rome' }],
      temperature,
      top_p: 1,
      top_k: 0,
      min_p: 0,
      seed,
      max_tokens: 400,
      ...body,
    }),
  });
}

/** Undefined where an answer is right, and needed no repair. */
export function faultOf(answer, way) {
  const { choices: [choice] = [], dragoman } = answer;
  const shown = () => JSON.stringify(choice ?? answer).slice(0, 400);
  if (way.isFree) return freeFaultOf(choice, dragoman) ? `${JSON.stringify(dragoman)} ${shown()}` : undefined;
  if (!choice || !dragoman?.held) return `not held: ${shown()}`;
  if (dragoman.issues.length + dragoman.repairs.length > 0) return `${JSON.stringify(dragoman)} ${shown()}`;
  if (way.content) return isInput(choice.message.content ?? '', way.content) ? undefined : shown();
  const { tool_calls: calls = [] } = choice.message;
  const [call] = calls;
  const isRight =
    calls.length === 1 &&
    way.calls.includes(call.function.name) &&
    isInput(call.function.arguments, call.function.name);
  return isRight ? undefined : shown();
}

/** Words are right; a call that was begun has to be, unless the answer was cut. */
function freeFaultOf(choice, dragoman) {
  if (!choice) return true;
  const { tool_calls: calls = [] } = choice.message;
  const isCut = choice.finish_reason === 'length';
  const isBroken = dragoman?.held === true && !isCut && dragoman.issues.length > 0;
  return isBroken || calls.some(({ function: { name, arguments: input } }) => !isInput(input, name));
}

/** Whether a free answer was held to a call, came to its end, and no call was read from it. */
export function isUnread({ choices: [choice] = [], dragoman }) {
  const { message, finish_reason: reason } = choice ?? {};
  return dragoman?.held === true && reason !== 'length' && (message?.tool_calls ?? []).length === 0;
}

function isInput(json, name) {
  try {
    return checks[name](JSON.parse(json));
  } catch {
    return false;
  }
}

const has = (value, ...names) => Object.keys(value).sort().join() === names.sort().join();
const isText = (value, least, most) =>
  typeof value === 'string' && [...value].length >= least && [...value].length <= most;

const checks = {
  get_weather: (input) =>
    has(input, 'city', 'days') &&
    isText(input.city, 1, 6) &&
    Number.isInteger(input.days) &&
    input.days >= 1 &&
    input.days <= 9,
  stop: (input) => has(input, 'now') && typeof input.now === 'boolean',
  plan: (input) =>
    has(input, 'kind', 'place') &&
    ['walk', 'long drive'].includes(input.kind) &&
    has(input.place, 'name', 'seen') &&
    isText(input.place.name, 0, 3) &&
    typeof input.place.seen === 'boolean',
};
