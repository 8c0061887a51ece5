// Checks of whether calls come: when they should, when they should not, and as the tool choice says.

import { type Check, fail, failIn, missing, PASS } from '../check.js';
import { ask, bothWays, type Probe, user } from '../probe.js';
import { exactPrompt } from '../suite/exact-prompt.js';
import { allTools, echo, getWeather } from '../tools.js';
import { oneLine, type Turn } from '../turn.js';

const PARSER = 'The parser of the model’s calls must be switched on, and must be the one of this model.';
const VLLM = 'Start vLLM with --enable-auto-tool-choice and --tool-call-parser NAME of this model.';
const SGLANG = 'Start SGLang with --tool-call-parser NAME of this model.';
const LLAMA = 'Start llama-server with --jinja, and --chat-template-file if the GGUF has an old template.';
const OLLAMA = 'Take a model whose template knows tools (ollama show NAME lists the capability "tools").';
const STUDIO = 'Take a model with the tool icon; others get a prompt instead of their own format.';

export const parserAdvice = {
  any: PARSER,
  vllm: VLLM,
  sglang: SGLANG,
  'llama.cpp': LLAMA,
  ollama: OLLAMA,
  'lm-studio': STUDIO,
};

/** Whether a call came that another check blames: as text, or without the tokens it is made of. */
const isLeaked = (turn: Turn) => turn.leak !== undefined;

function shown(turn: Turn): string {
  return turn.text.trim() === '' ? '(nothing)' : oneLine(turn.text, 120);
}

const callsTool: Check = {
  id: 'calls-tool',
  title: 'calls a tool when it is told to',
  required: true,
  sends: 'The exact cases of the suite: prompts that spell the call out.',
  expects: 'A call, once.',
  why: 'An agent whose calls do not come does nothing. Small models may fail it on a right endpoint.',
  reports: ['vllm-project/vllm#22975', 'vllm-project/vllm#46863'],
  advice: parserAdvice,
  needs: ['answers'],
  judge({ probe, turns: [turn] }) {
    // What does not come in a stream is the fault of streaming: see stream-equals-whole.
    if (!turn || turn.exchange.streamed) return undefined;
    if (turn.failure !== undefined) return missing(turn);
    if (probe.suite !== 'exact') return probe.suite === 'given' ? PASS : undefined;
    if (turn.calls.length > 0) return isRepeated(turn) ? fail('The same call came twice.') : PASS;
    if (isLeaked(turn)) return undefined;
    return fail(turn.audit?.call ?? `The answer has no call, but text: ${shown(turn)}`);
  },
  judgeTurn({ streamed, audit, calls }) {
    const fault = streamed || calls.length === 0 ? undefined : audit?.call;
    return fault === undefined ? undefined : fail(fault, { hides: false });
  },
};

function isRepeated({ calls }: Turn): boolean {
  const made = calls.map(({ name, raw }) => JSON.stringify([name, raw]));
  return new Set(made).size < made.length;
}

const noCall: Check = {
  id: 'no-call-when-none-fits',
  title: 'calls nothing when no tool fits',
  required: true,
  sends: 'Questions that need no tool, with tools that do not fit.',
  expects: 'Text, and no call.',
  why: 'A call for its own sake runs a tool that nobody asked for. Mostly a template forces it.',
  reports: ['MoonshotAI/K2-Vendor-Verifier'],
  advice: {
    any: 'Look for a template or a grammar that forces a call; a tool choice of the server may be set to required.',
    'lm-studio': 'Take a model with native tool use: the prompt for other models makes them call too often.',
  },
  needs: ['answers', 'calls-tool'],
  probes: () =>
    ['Reply with one word: ready', '只回复一个词：好'].map((text, at) => ({
      id: `none-${at + 1}`,
      steps: [ask({ messages: [user(text)], tools: [getWeather], stream: at > 0 })],
    })),
  judge({ turns: [turn] }) {
    if (!turn) return undefined;
    if (turn.failure !== undefined) return missing(turn);
    const [call] = turn.calls;
    return call ? fail(`It called ${call.name}, which does not fit.`) : PASS;
  },
};

/** A prompt that spells a call out, with a tool choice. */
function choiceProbe(
  id: string,
  toolChoice: 'none' | 'required' | { name: string },
  text: string,
): Omit<Probe, 'check'>[] {
  return bothWays({ id, steps: [ask({ messages: [user(text)], tools: allTools, toolChoice })] });
}

const choiceAdvice = {
  any: 'The server must honour tool_choice: with a sampling grammar for required and named, and without tools in the prompt, or with calls dropped, for none.',
  vllm: 'Update vLLM: required and named need structured output, which a --guided-decoding-backend of older versions may lack. --exclude-tools-when-tool-choice-none keeps tools out of the prompt for none.',
  sglang: 'Update SGLang: required and named need a --grammar-backend.',
  'llama.cpp': 'Start with --jinja; without it the tool choice is ignored.',
  ollama: 'Ollama ignores tool_choice. Dragoman in front of it enforces it.',
  'lm-studio': 'Versions before 0.3.15 know no tool choice but auto.',
};

const choiceNone: Check = {
  id: 'tool-choice-none',
  title: 'calls nothing with tool choice none',
  required: true,
  sends: 'A prompt that spells a call out, with tool choice none, with and without a stream.',
  expects: 'No call, neither as a call nor as text.',
  why: 'Clients use it for the last turn, to get words. A call there is run, or shown as markup.',
  reports: ['ollama/ollama#17921', 'vllm-project/vllm#55080'],
  advice: choiceAdvice,
  needs: ['calls-tool'],
  probes: () => choiceProbe('exact', 'none', exactPrompt([{ name: echo.name, input: { text: 'hello' } }])),
  judge({ turns: [turn] }) {
    if (!turn) return undefined;
    if (turn.failure !== undefined) return missing(turn);
    if (turn.calls.length > 0) return fail(`It called ${turn.calls[0]?.name} all the same.`);
    return turn.leak ? fail(`It wrote the call as text, in ${turn.leak.dialect.name}.`) : PASS;
  },
};

const choiceRequired: Check = {
  id: 'tool-choice-required',
  title: 'calls a tool with tool choice required',
  required: true,
  sends: 'A greeting with tools, and tool choice required, with and without a stream.',
  expects: 'A call of one of the tools.',
  why: 'Programs that read only calls (extraction, routing) break on words.',
  reports: ['ollama/ollama#17921', 'lmstudio-ai/lmstudio-bug-tracker#1904'],
  advice: choiceAdvice,
  needs: ['calls-tool'],
  probes: () => choiceProbe('greeting', 'required', 'Good morning! How are you?'),
  judge({ turns: [turn] }) {
    if (!turn) return undefined;
    if (turn.failure !== undefined) return missing(turn);
    if (turn.calls.length > 0) return PASS;
    return isLeaked(turn) ? undefined : failIn(turn, `The answer has no call, but text: ${shown(turn)}`);
  },
};

const choiceNamed: Check = {
  id: 'tool-choice-named',
  title: 'calls the tool that the choice names',
  required: true,
  sends: 'A prompt about one tool, with a tool choice that names another, with and without a stream.',
  expects: 'A call of the named tool, and of no other.',
  why: 'Programs ask for one tool by its name to get an answer in its schema.',
  reports: ['ollama/ollama#17921'],
  advice: choiceAdvice,
  needs: ['calls-tool'],
  probes: () => choiceProbe('other', { name: getWeather.name }, 'Convert 5 EUR into USD. I am in Rome.'),
  judge({ turns: [turn] }) {
    if (!turn) return undefined;
    if (turn.failure !== undefined) return missing(turn);
    const known = turn.calls.filter(({ problem }) => problem !== 'unknown-tool');
    const other = known.find(({ name }) => name !== getWeather.name);
    if (other) return fail(`It called ${other.name} instead of ${getWeather.name}.`);
    if (turn.calls.length > 0) return PASS;
    return isLeaked(turn) ? undefined : failIn(turn, `The answer has no call, but text: ${shown(turn)}`);
  },
};

const two = ['alpha', 'beta'].map((text) => ({ name: echo.name, input: { text } }));

const parallelCalls: Check = {
  id: 'parallel-calls',
  title: 'makes two calls in one answer',
  required: false,
  sends: 'A prompt that spells two calls out, and asks for both at once.',
  expects: 'Two calls.',
  why: 'Agents read several files at once. Where the second call is lost, they wait for a result that never comes.',
  reports: ['InternLM/lmdeploy#3412'],
  advice: {
    any: 'Use a parser that reads all calls of an answer. Some models make one call at a time by their training.',
    vllm: 'Llama 3 models cannot; take another model, or a chat template for parallel calls.',
    ollama: 'The template must range over all calls of a turn.',
  },
  needs: ['calls-tool'],
  probes: () => [
    {
      id: 'two',
      wants: two,
      steps: [ask({ messages: [user(exactPrompt(two))], tools: [echo], parallelCalls: true })],
    },
  ],
  judge({ turns: [turn] }) {
    if (!turn) return undefined;
    if (turn.failure !== undefined) return missing(turn);
    if (isLeaked(turn)) return undefined;
    return turn.calls.length >= 2 ? PASS : fail(`Two calls were asked for, ${turn.calls.length} came.`);
  },
};

export const toolChecks: readonly Check[] = [
  callsTool,
  noCall,
  choiceNone,
  choiceRequired,
  choiceNamed,
  parallelCalls,
];
