// Checks of the service itself: it answers, lists its models, counts tokens, refuses bad requests, and is quick.

import { ApiError } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import type { Wire } from '@dragoman/core/wire';
import { type Check, fail, missing, PASS, warn } from '../check.js';
import { ask, said, system, user } from '../probe.js';
import { oneLine } from '../turn.js';

const answers: Check = {
  id: 'answers',
  title: 'answers a plain question',
  required: true,
  sends: 'One question without tools. It also looks at every whole answer.',
  expects:
    'An answer with text, in a message as the API has it: with its role, and the text where clients look for it.',
  why: 'Nothing else can be tested on an endpoint that does not answer.',
  reports: ['MiniMax-AI/MiniMax-Provider-Verifier'],
  advice: {
    any: 'Check the address (it ends before the path of the API, mostly with /v1), the name of the model and the key.',
    vllm: 'The name is that of --served-model-name, else the one the server was started with; the key is that of --api-key.',
    sglang:
      'The name is that of --served-model-name, else the one the server was started with; the key is that of --api-key.',
    'llama.cpp': 'Wait until the model is loaded (GET /health); the key is that of --api-key.',
    ollama: 'Pull the model first (ollama pull NAME); names have a tag, such as qwen3:8b.',
    'lm-studio': 'Load the model, and start the server in the Developer tab.',
  },
  probes: () => [{ id: 'plain', steps: [ask({ messages: [user('Reply with one word: ready')] })] }],
  judge({ turns: [turn] }) {
    if (!turn) return fail('No answer came.');
    if (turn.failure !== undefined) return missing(turn);
    const empty = turn.text.trim() === '' && turn.calls.length === 0;
    if (!empty) return PASS;
    return turn.reasoning.trim() === ''
      ? fail('The answer is empty.')
      : fail('The answer has reasoning, and no text after it.');
  },
  judgeTurn({ streamed, audit }) {
    const fault = streamed ? undefined : audit?.message;
    return fault === undefined ? undefined : fail(fault, { hides: false });
  },
};

const models: Check = {
  id: 'models',
  title: 'lists its models',
  required: false,
  sends: 'GET /models.',
  expects: 'A list in which each model has an id, and the tested model is one of them.',
  why: 'Agents and editors read the list to offer its models, and show nothing where it is missing.',
  reports: ['madroidmaq/mlx-omni-server#130', 'huggingface/text-generation-inference#2369'],
  advice: {
    any: 'Serve GET /v1/models with {"data": [{"id": …}]}, and ask for the model by an id of the list.',
    vllm: 'Set --served-model-name to the name that clients use.',
    sglang: 'Set --served-model-name to the name that clients use.',
    'llama.cpp': 'Set --alias to the name that clients use.',
    ollama: 'It lists what was pulled; names have a tag.',
    'lm-studio': 'It lists what was downloaded; the server must run.',
  },
  probes: () => [{ id: 'list', steps: [{ get: '/models' }] }],
  judge({ turns: [turn] }, { model }) {
    const status = turn?.exchange.status ?? 0;
    if (status === 404 || status === 405) return warn('There is no list of models.');
    if (!turn || turn.failure !== undefined) return fail(turn?.failure ?? 'No answer came.');
    const ids = idsIn(turn.body);
    if (!ids) return fail(`The list of models has no data with ids: ${oneLine(turn.body, 120)}`);
    // Ollama lists names with their tag.
    const isListed = ids.some((id) => id === model || id.startsWith(`${model}:`));
    return isListed ? PASS : warn(`The list of models does not have ${model}.`);
  },
};

function idsIn(body: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(body);
    if (!isObject(value) || !Array.isArray(value.data)) return undefined;
    const ids = value.data.map((one) => (isObject(one) ? one.id : undefined));
    return ids.every((id) => typeof id === 'string') ? ids : undefined;
  } catch {
    return undefined;
  }
}

const usage: Check = {
  id: 'usage',
  title: 'reports the tokens of every answer',
  required: false,
  sends: 'Nothing of its own: it looks at every answer.',
  expects:
    'Counts of input and output tokens, above zero, also at the end of a stream. The total is their sum.',
  why: 'Agents decide by them when to compact a conversation, and bills are made of them.',
  reports: ['anomalyco/opencode#13141', 'earendil-works/pi#5182'],
  advice: {
    any: 'Send usage with whole answers, and as the last event of a stream whose request asks for it.',
    vllm: 'Update; --enable-force-include-usage sends it with every stream.',
    sglang: 'Update: stream_options.include_usage is honoured.',
    ollama: 'Update: stream_options.include_usage is honoured.',
    'lm-studio': 'Update: stream_options.include_usage is honoured.',
    'llama.cpp': 'Update llama-server: older versions send no usage in streams.',
  },
  judgeTurn({ failure, usage: counted, audit, calls, text }, probe) {
    if (failure !== undefined || probe.check === 'errors') return undefined;
    if (!counted) return fail('The answer has no usage.');
    if (counted.inputTokens <= 0) return fail(`The usage has ${counted.inputTokens} input tokens.`);
    if (audit?.usage !== undefined) return fail(audit.usage);
    const wrote = text !== '' || calls.length > 0;
    return wrote && counted.outputTokens <= 0
      ? fail(`The usage has ${counted.outputTokens} output tokens.`)
      : PASS;
  },
};

/** Bodies that no server may accept. `{model}` stands for the model's name. */
const badBodies: Record<string, string> = {
  'no-json': '{"model": "{model}", "messages": [',
  'no-messages': '{"model": "{model}"}',
  'wrong-type': '{"model": "{model}", "messages": 7, "input": 7, "max_tokens": 16}',
  'wrong-type-stream': '{"model": "{model}", "messages": 7, "input": 7, "max_tokens": 16, "stream": true}',
};

const errors: Check = {
  id: 'errors',
  title: 'refuses bad requests as the API says',
  required: false,
  sends:
    'A body that is no JSON, one without messages, and one whose messages are a number, with and without a stream. It also looks at every answer.',
  expects:
    'A status from 400 to 499, and the error in the shape of the API. No error comes with the status 200: that fails the whole verification.',
  why: 'Clients retry a 500, and show the message of an error where the API has its place.',
  reports: ['EricLBuehler/mistral.rs#506'],
  advice: {
    any: 'Answer a bad request with 400 and the error object of the API; a proxy in front must not turn it into a page.',
  },
  probes: () => Object.entries(badBodies).map(([id, body]) => ({ id, steps: [{ body }] })),
  judge({ turns: [turn] }, { wire }) {
    if (!turn || turn.exchange.status === 0) return fail(turn?.failure ?? 'No answer came.');
    const { status } = turn.exchange;
    if (status < 400) return fail(`A bad request got the status ${status}.`);
    if (status > 499)
      return fail(`A bad request got the status ${status}: clients take that for a passing fault.`);
    return hasShape(turn.body, wire)
      ? PASS
      : fail(`The error has no message where the API has it: ${oneLine(turn.body, 120)}`);
  },
  judgeTurn({ isInnerError, exchange, failure = '' }) {
    if (!isInnerError) return undefined;
    return fail(`An error came with the status ${exchange.status}: ${failure}`, { required: true });
  },
};

/** Whether the body has a text at the place where the API's own error has its message. */
function hasShape(body: string, wire: Wire): boolean {
  const message = 'the message';
  const sample = wire.encodeError(new ApiError('bad-request', message)).body;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return false;
  }
  return fits(sample, value, message);
}

function fits(sample: unknown, value: unknown, message: string): boolean {
  if (sample === message) return typeof value === 'string' && value !== '';
  if (!isObject(sample)) return true;
  return Object.entries(sample).every(([key, one]) => {
    const holds = JSON.stringify(one)?.includes(message) ?? false;
    return !holds || (isObject(value) && fits(one, value[key], message));
  });
}

const latency: Check = {
  id: 'latency',
  title: 'is measured: first byte, and time for each token',
  required: false,
  sends: 'Nothing of its own: it looks at every streamed answer.',
  expects: 'The first byte within 30 seconds. The times are in the report.',
  why: 'An agent makes dozens of requests for one task.',
  reports: ['ollama/ollama#10281', 'magnusoverli/opencode#77'],
  advice: {
    any: 'Measure again without other load. A long wait for the first byte is the prompt: turn prefix caching on.',
    'llama.cpp': 'Put all layers on the GPU (-ngl), and turn flash attention on (-fa).',
    ollama: 'Keep the model loaded (OLLAMA_KEEP_ALIVE); a first request loads it.',
    'lm-studio': 'Load the model before; a first request loads it.',
  },
  judgeTurn({ failure, streamed, times }) {
    if (failure !== undefined || !streamed) return undefined;
    return times.firstByte > 30_000
      ? warn(`The first byte came after ${Math.round(times.firstByte / 1000)} s.`)
      : PASS;
  },
};

const RULES = Array.from(
  { length: 120 },
  (_, at) => `Rule ${at + 1}: keep answers short, polite and in the language of the question.`,
).join('\n');

const prefixCache: Check = {
  id: 'prefix-cache',
  title: 'reports cached tokens for a second, longer turn',
  required: false,
  sends:
    'A long system message with a question, then the same with one more turn. It also looks at every answer.',
  expects: 'The second answer reports cached input tokens; none reports more of them than input tokens.',
  why: 'Without it every turn of an agent pays for, and waits for, the whole conversation again.',
  reports: ['gpustack/gpustack#5189', 'vllm-project/vllm-ascend#9030'],
  advice: {
    any: 'Turn prefix caching on, and report it as cached tokens of the usage.',
    vllm: 'Prefix caching is on by default; --enable-prompt-tokens-details reports the cached tokens.',
    sglang: 'The radix cache is on by default; --enable-cache-report reports the cached tokens.',
    'llama.cpp': 'Leave cache_prompt on, and give one slot to each conversation (-np).',
    ollama: 'It keeps the last prompt of a loaded model, and does not report it.',
    'lm-studio': 'It keeps the last prompt of a loaded model, and does not report it.',
  },
  needs: ['system-order', 'usage'],
  probes() {
    const first = [system(RULES), user('Reply with one word: ready')];
    const second = [...first, said('ready'), user('Reply with one word: again')];
    return [{ id: 'two-turns', steps: [ask({ messages: first }), ask({ messages: second })] }];
  },
  judge({ turns }) {
    const failed = turns.find(({ failure }) => failure !== undefined);
    const lost = failed && missing(failed);
    if (lost) return { ...lost, turn: turns.indexOf(failed) };
    if (failed || turns.length < 2) return undefined;
    const counted = turns[1]?.usage;
    if (counted?.cachedTokens === undefined) return warn('The usage does not report cached tokens.');
    return counted.cachedTokens > 0 ? PASS : warn('No token of the first turn was cached for the second.');
  },
  judgeTurn({ failure, usage: { cachedTokens = 0, inputTokens = 0 } = {} }) {
    return failure !== undefined || cachedTokens <= inputTokens
      ? undefined
      : fail(`The usage has more cached tokens (${cachedTokens}) than input tokens (${inputTokens}).`);
  },
};

export const serviceChecks: readonly Check[] = [answers, models, usage, errors, latency, prefixCache];
