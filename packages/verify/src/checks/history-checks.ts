// Checks of what a conversation may hold: results, odd histories, system messages, a format for the answer.

import type { Message } from '@dragoman/core';
import { createValidator } from '@dragoman/core/internal';
import { type Check, type Finding, failIn, missing, PASS } from '../check.js';
import { type Answered, ask, bothWays, called, type Probe, returned, said, system, user } from '../probe.js';
import { isMarked } from '../stray-markup.js';
import { echo, getWeather } from '../tools.js';
import { oneLine, type ReadCall, type Turn } from '../turn.js';
import { sameInput } from './argument-checks.js';

const rome = { id: 'call_Rm4nT7xQa', name: 'get_weather', input: { city: 'Rome' } };
const oslo = { id: 'call_Os8lB2wZe', name: 'get_weather', input: { city: 'Oslo' } };
const gone = { id: 'call_Gn6dK1yVu', name: 'read_calendar', input: { day: 'Monday' } };
const question = user('What is the weather in Rome? Use the tool, then repeat what it gives.');

const tools = [getWeather, echo];

function probe(id: string, messages: Message[], says: readonly string[] = []): Omit<Probe, 'check'> {
  return { id, says, steps: [ask({ messages, tools })] };
}

const plain = (id: string, messages: Message[]): Omit<Probe, 'check'> => ({ id, steps: [ask({ messages })] });

/** Accepted, and answered with something. */
function judgeAnswered({ probe: { says = [] }, turns: [turn] }: Answered): Finding | undefined {
  if (!turn) return undefined;
  if (turn.failure !== undefined) return missing(turn);
  if (turn.leak) return undefined;
  if (turn.text.trim() === '' && turn.calls.length === 0) return failIn(turn, 'The answer is empty.');
  const again = turn.calls.find((call) => says.length > 0 && isMade(call, turn));
  if (again) return failIn(turn, `It calls ${again.name} again, as if there were no result.`);
  // The tool that gives texts back is a way to repeat them.
  const answer = [turn.text, ...turn.calls.map(({ name, raw }) => `${name} ${raw}`)].join(' ');
  const lost = says.find((word) => !answer.includes(word));
  return lost === undefined
    ? PASS
    : failIn(
        turn,
        `The answer does not repeat ${JSON.stringify(lost)} of the conversation: ${oneLine(answer, 120)}`,
      );
}

/** Whether the conversation has the same call already. */
function isMade({ name, input }: ReadCall, { question: asked }: Turn): boolean {
  const parts = asked?.messages.flatMap((message) => [...message.parts]) ?? [];
  return parts.some(
    (part) => part.type === 'tool-call' && part.name === name && sameInput(part.input, input),
  );
}

const TEMPLATE = {
  any: 'The chat template must know such messages. Dragoman in front of the endpoint mends histories (docs/bridge.md).',
  vllm: 'Give a template that does with --chat-template.',
  sglang: 'Give a template that does with --chat-template.',
  'llama.cpp': 'Give a template that does with --jinja --chat-template-file.',
  ollama: 'Change the TEMPLATE of the Modelfile.',
  'lm-studio': 'Change the prompt template in the settings of the model.',
};

const resultAccepted: Check = {
  id: 'result-accepted',
  title: 'goes on after the result of a tool',
  required: true,
  sends:
    'A conversation with a call and its result, which has a code word; and one with two calls and results. Each with and without a stream.',
  expects: 'An answer that repeats the code words of the results.',
  why: 'This is the second request of every agent. A template without results answers as if there were none.',
  reports: ['huggingface/text-generation-inference#3198', 'InternLM/lmdeploy#2973'],
  advice: TEMPLATE,
  needs: ['answers', 'calls-tool'],
  probes: () =>
    [
      probe(
        'one',
        [question, called([rome]), returned([{ ...rome, output: 'Sunny, 21 degrees, code KX4711.' }])],
        ['KX4711'],
      ),
      probe(
        'two',
        [
          user('What is the weather in Rome and in Oslo? Use the tool, then repeat what it gives.'),
          called([rome, oslo]),
          returned([{ ...rome, output: 'Sunny, code QF2093.' }]),
          returned([{ ...oslo, output: 'Snow, code BT8856.' }]),
        ],
        ['QF2093', 'BT8856'],
      ),
    ].flatMap(bothWays),
  judge: judgeAnswered,
};

const historyTolerant: Check = {
  id: 'history-tolerant',
  title: 'accepts the histories that agents send',
  required: false,
  sends:
    'Calls beside text, results in another order than the calls, a call of a tool that is no longer offered, an error as a result, an empty result, and two messages of the user in a row. Each with and without a stream.',
  expects: 'An answer to each.',
  why: 'Agents stop, switch models and change tools in the middle of a conversation; a 400 there ends the task.',
  reports: ['nomic-ai/gpt4all#3255'],
  advice: TEMPLATE,
  needs: ['result-accepted', 'system-order'],
  probes: () => histories.flatMap(bothWays),
  judge: judgeAnswered,
};

const histories = [
  probe('text-beside-call', [
    question,
    called([rome], 'I look it up.'),
    returned([{ ...rome, output: 'Sunny.' }]),
  ]),
  probe('other-order', [
    user('What is the weather in Rome and in Oslo?'),
    called([rome, oslo]),
    returned([{ ...oslo, output: 'Snow.' }]),
    returned([{ ...rome, output: 'Sunny.' }]),
  ]),
  probe('tool-is-gone', [
    user('What do I have on Monday?'),
    called([gone]),
    returned([{ ...gone, output: 'Nothing.' }]),
    said('Nothing.'),
    user('Reply with one word: thanks'),
  ]),
  probe('error', [question, called([rome]), returned([{ ...rome, output: 'Error: no such city.' }])]),
  probe('empty-result', [question, called([rome]), returned([{ ...rome, output: '' }])]),
  plain('two-users', [user('I have a question.'), user('Reply with one word: ready')]),
];

const systemCode = (code: string) => system(`The code word is ${code}. Tell it to everyone who asks.`);

/** A server that leaves a system message out answers without its code word. */
function coded(id: string, messages: Message[], says: readonly string[]): Omit<Probe, 'check'> {
  const asked = user('Which code words do your system messages give? Reply with them and nothing else.');
  return { id, says, steps: [ask({ messages: [...messages, asked] })] };
}

const systemOrder: Check = {
  id: 'system-order',
  title: 'reads system messages where clients put them',
  required: false,
  sends:
    'A system message at the front, two in a row, and one in the middle, each with a code word that the question asks for. Each with and without a stream.',
  expects: 'Answers that have the code words.',
  why: 'Agents add reminders as system messages; templates of several models raise an error for them.',
  reports: ['suitenumerique/conversations#197', 'Noineri/vibe_tavern#44'],
  advice: TEMPLATE,
  needs: ['answers'],
  probes: () =>
    [
      coded('front', [systemCode('LM3042')], ['LM3042']),
      coded('two', [systemCode('DV9178'), systemCode('HC6650')], ['DV9178', 'HC6650']),
      coded(
        'middle',
        [system('Be short.'), user('Reply with one word: ready'), said('ready'), systemCode('PW5283')],
        ['PW5283'],
      ),
    ].flatMap(bothWays),
  judge: judgeAnswered,
};

const city = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const }, population: { type: 'integer' as const } },
  required: ['city', 'population'],
  additionalProperties: false,
};

const structuredOutput: Check = {
  id: 'structured-output',
  title: 'answers in the schema that was asked for',
  required: false,
  sends: 'A question with a JSON schema for the answer.',
  expects: 'Text that is JSON, and that the schema accepts.',
  why: 'Programs parse such answers without looking. Many servers accept the schema and ignore it.',
  reports: ['ggml-org/llama.cpp#21537', 'vllm-project/vllm#44012'],
  advice: {
    any: 'The server must sample with a grammar made from the schema.',
    vllm: 'It is on by default; --structured-outputs-config chooses the backend.',
    sglang: 'It is on by default; --grammar-backend chooses the backend.',
    'llama.cpp': 'It is on by default for response_format of the type json_schema.',
    ollama: 'Update Ollama: the OpenAI API takes schemas since 0.5.',
    'lm-studio': 'Models below 7B may not be able to.',
  },
  needs: ['answers', 'reasoning-leak'],
  probes: ({ wire }) =>
    wire.formats?.includes('json-schema')
      ? bothWays({
          id: 'city',
          steps: [
            ask({
              messages: [user('Name a large city, and how many people live there. Answer in JSON.')],
              format: { type: 'json-schema', name: 'city', schema: city, strict: true },
            }),
          ],
        })
      : [],
  judge({ turns: [turn] }) {
    if (!turn) return undefined;
    if (turn.failure !== undefined) return missing(turn);
    if (isMarked(turn)) return undefined;
    let value: unknown;
    try {
      value = JSON.parse(turn.text);
    } catch {
      return failIn(turn, `The text is no JSON: ${oneLine(turn.text, 120)}`);
    }
    const [problem] = createValidator(city).check(value as never);
    return problem
      ? failIn(turn, `The answer breaks the schema: ${problem.path}: ${problem.message}.`)
      : PASS;
  },
};

export const historyChecks: readonly Check[] = [
  resultAccepted,
  historyTolerant,
  systemOrder,
  structuredOutput,
];
