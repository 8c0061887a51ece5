// Checks of the calls that came: their names, ids and arguments, and the reason why the answer ended.

import { isObject } from '@dragoman/core/internal';
import { type Check, type Finding, fail, failIn, missing, PASS, warn } from '../check.js';
import { ask, bothWays, type Probe, user } from '../probe.js';
import { withoutTokens } from '../special-tokens.js';
import { exactPrompt } from '../suite/exact-prompt.js';
import { allTools, echo } from '../tools.js';
import type { CallProblem, ReadCall, Turn } from '../turn.js';
import { parserAdvice } from './tool-checks.js';

/** A stream that broke off has cut its calls as well: see stream-order. */
export const isEnded = ({ isBroken, audit }: Turn) => isBroken && audit?.finish !== undefined;

/** Judges the calls of an answer by one of the three ways in which a call can be wrong. */
function judgeCalls(turn: Turn, problem: CallProblem, hidden: readonly CallProblem[]): Finding | undefined {
  if (turn.failure !== undefined && !isEnded(turn)) return undefined;
  const calls = turn.calls.filter((call) => call.problem === undefined || !hidden.includes(call.problem));
  const wrong = calls.find((call) => call.problem === problem);
  if (wrong) return fail(wrong.message ?? '');
  return calls.length > 0 ? PASS : undefined;
}

const unknownTool: Check = {
  id: 'unknown-tool',
  title: 'calls only tools that were declared',
  required: true,
  sends: 'Nothing of its own: it looks at every call.',
  expects: 'The name of a declared tool, to the letter.',
  why: 'An agent refuses such a call, and the model tries the same again.',
  reports: ['MoonshotAI/K2-Vendor-Verifier'],
  advice: {
    any: 'Look for a parser of another model: it takes a part of the markup into the name (functions.NAME, NAME:0).',
    vllm: parserAdvice.vllm,
    sglang: parserAdvice.sglang,
  },
  judgeTurn: (turn) =>
    turn.audit?.nameless ? fail('A call has no name.') : judgeCalls(turn, 'unknown-tool', []),
};

const argumentsJson: Check = {
  id: 'arguments-json',
  title: 'sends arguments that are a JSON object',
  required: true,
  sends: 'Nothing of its own: it looks at every call.',
  expects: 'Arguments that parse, and are an object.',
  why: 'Clients throw on anything else, mostly in the middle of a task.',
  reports: ['vllm-project/vllm#10589'],
  advice: {
    any: 'Look for a token limit that cuts calls off, and for a parser that hands the model’s text on as it is.',
    vllm: 'A call cut by max_tokens ends with the finish reason length; anything else is the parser: update vLLM.',
    'llama.cpp': 'Raise -n and -c: calls that are cut off are sent as they are.',
    ollama: 'Raise num_ctx (OLLAMA_CONTEXT_LENGTH): calls are cut at the end of the context.',
  },
  judgeTurn(turn, { check }) {
    // The longest text may be longer than answers of the endpoint can be.
    if (check === 'arguments-exact' && isCut(turn)) return undefined;
    const odd = turn.failure === undefined || isEnded(turn) ? turn.audit?.oddArguments : undefined;
    return odd === undefined ? judgeCalls(turn, 'arguments-json', ['unknown-tool']) : fail(odd);
  },
};

const argumentsSchema: Check = {
  id: 'arguments-schema',
  title: 'sends arguments that fit the schema',
  required: true,
  sends: 'Nothing of its own: it looks at every call. The suite has arguments of every type.',
  expects: 'Arguments that the schema of the tool accepts.',
  why: 'A number as a string ("3") passes a person’s eye and fails every typed client.',
  reports: ['antirez/ds4#569', 'exo-explore/exo#1651'],
  advice: {
    any: 'Use the parser of this model: those for tagged arguments must read the types from the schema.',
    vllm: 'Update vLLM: parsers for tagged arguments (qwen3_coder, glm45, minimax_m2) had this fault in older versions.',
    sglang: 'Update SGLang: parsers for tagged arguments had this fault in older versions.',
  },
  judgeTurn: (turn) =>
    turn.audit?.oddArguments === undefined
      ? judgeCalls(turn, 'arguments-schema', ['unknown-tool', 'arguments-json'])
      : undefined,
};

// --- exact text ----------------------------------------------------------------------------------------------

const line = (at: number) =>
  `  if (items[${at}] !== undefined && map.get("key ${at}") === '\\u00e9${at}') { total += ${at} * 0.1; } // <${at}>`;

function code(length: number): string {
  const lines: string[] = ['function sum(items, map) {', '  let total = 0;'];
  for (let size = 0, at = 0; size < length; at++) {
    lines.push(line(at));
    size += line(at).length + 1;
  }
  return [...lines, '  return total;', '}'].join('\n');
}

/** Texts that parsers, templates and tokenizers break. */
const hardTexts: Record<string, string> = {
  quotes: "He said \"it's 'fine'\", and `left`.",
  backslashes: 'C:\\new\\table \\" \\\\ \\u0041 \\n',
  lines: 'one\n\n  two\n\tthree\n',
  indent: '    four spaces before, none behind',
  emoji: '👩🏽‍💻 ☕️ 日本語 Ünïcödé 𝒳',
  zeros: '007',
  huge: '1e400',
  word: 'null',
  json: '{"name": "echo", "arguments": {"text": "x"}}',
  tags: 'a <tool_call> b </tool_call> c <function=echo> d </parameter> e',
  thoughts: 'before <think> within </think> after',
  tokens: 'x <|im_end|> y <|tool_call_begin|> z [TOOL_CALLS] w',
  html: '<p>1 < 2 && 3 > 2 &lt; &amp;</p>',
  code: code(1_000),
};

const longTexts: Record<string, string> = { 'code-40k': code(40_000) };
/** More tokens than the longest text has as JSON. */
const LONG_ANSWER = 20_000;

const argumentsExact: Check = {
  id: 'arguments-exact',
  title: 'passes arguments on to the letter',
  required: true,
  sends:
    'Texts to be given back, each with and without a stream: quotes, line breaks, markers of dialects, emoji, code (1 KB; with --suite full also 40 KB), 007 and 1e400.',
  expects: 'The same text in the argument, character by character.',
  why: 'An agent writes files through arguments: a lost backslash is a broken file.',
  reports: ['lablup/mlxcel#1575', 'JustVugg/colibri#118'],
  advice: {
    any: 'Use the parser of this model. Parsers that guess types turn 007 into 7; those that search for markers stop at one in the text. Small models may fail on the longest texts by themselves.',
    vllm: 'Update vLLM: its parsers for tagged arguments guessed types of values without looking at the schema.',
    ollama: 'Raise num_ctx for the long text.',
  },
  needs: ['calls-tool'],
  probes({ size, wire }) {
    // Where a request must name a limit, the default one cuts the longest text.
    const limit = size === 'full' && wire.needs?.includes('maxTokens') ? { maxTokens: LONG_ANSWER } : {};
    const texts = size === 'full' ? { ...hardTexts, ...longTexts } : hardTexts;
    return Object.entries(texts).flatMap(([id, text]) => {
      const wants = [{ name: echo.name, input: { text } }];
      const question = { messages: [user(exactPrompt(wants))], tools: [echo], ...limit };
      return bothWays({ id, wants, steps: [ask(question)] });
    });
  },
  judge({ probe, turns: [turn] }) {
    if (!turn) return undefined;
    if (turn.failure !== undefined) return hidesFailure(turn) ? undefined : missing(turn);
    const pair = comparable(turn, probe);
    if (!pair)
      return isCut(turn)
        ? warn(`The limit of tokens cut a text of ${textOf(probe)?.length} characters.`)
        : undefined;
    const { wanted, got } = pair;
    if (got === wanted) return PASS;
    return withoutTokens(wanted) === withoutTokens(got) && got.length < wanted.length
      ? undefined
      : failIn(turn, difference(wanted, got));
  },
  /** The exact cases of the suite have arguments of every type. */
  judgeTurn(turn, { suite, wants = [] }) {
    const { calls, failure } = turn;
    if (suite !== 'exact' || failure !== undefined || calls.length !== wants.length) return undefined;
    if (calls.some(({ problem, name }, at) => problem !== undefined || name !== wants[at]?.name))
      return undefined;
    const wrong = calls.findIndex(({ input }, at) => !sameInput(input, wants[at]?.input));
    if (wrong < 0) return PASS;
    const shown = (input: unknown) => JSON.stringify(input).slice(0, 200);
    const words = `Expected the arguments ${shown(wants[wrong]?.input)}, got ${shown(calls[wrong]?.input)}.`;
    return failIn(turn, words);
  },
};

/** Whether two values of JSON are equal, whatever the order of their members. */
export function sameInput(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return JSON.stringify(one) === JSON.stringify(other);
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && sameInput(one[key], other[key]))
  );
}

/** A prompt that is too long for the model, or a stream that fails, is not a fault of the arguments. */
function hidesFailure({ exchange, failure = '' }: Turn): boolean {
  return (
    exchange.streamed ||
    (exchange.status >= 400 && exchange.status < 500 && /context|too long|tokens/i.test(failure))
  );
}

/** The text that was asked for and the one that came, where a call came that another check does not blame. */
function comparable(turn: Turn, probe: Probe): { wanted: string; got: string } | undefined {
  const wanted = textOf(probe);
  const call = turn.calls.find(({ problem, name }) => problem === undefined && name === echo.name);
  const got = call?.input?.text;
  return wanted !== undefined && typeof got === 'string' ? { wanted, got } : undefined;
}

/** The text of a probe that asks for one, in one call. */
function textOf({ wants = [] }: Probe): string | undefined {
  const [{ input } = { input: {} as Record<string, unknown> }, ...more] = wants;
  const { text, ...others } = input;
  const isAlone = more.length === 0 && Object.keys(others).length === 0;
  return isAlone && typeof text === 'string' ? text : undefined;
}

const isCut = ({ finish }: Turn) => finish === 'length';

export function difference(wanted: string, got: string): string {
  let at = 0;
  while (at < wanted.length && wanted.charAt(at) === got.charAt(at)) at++;
  const near = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 10), at + 20).toWellFormed());
  return `The text differs at character ${at}: expected ${near(wanted)}, got ${near(got)}.`;
}

// --- special tokens ------------------------------------------------------------------------------------------

const specialTokensStripped: Check = {
  id: 'special-tokens-stripped',
  title: 'keeps special tokens in what the model writes',
  required: true,
  sends: 'Nothing of its own: it looks at every answer, and at the texts of arguments-exact.',
  expects:
    'No call that lacks its markers, no argument that lacks a token, no token of the template left in a text, and no words of a frame without its tokens (analysis … assistantfinal).',
  why: 'A parser cannot find a call whose markers the engine has left out: the call arrives as text, or not at all.',
  reports: ['vllm-project/vllm#25281', 'ai-dynamo/dynamo#9227'],
  advice: {
    any: 'The engine must write special tokens into the text that the parser reads.',
    vllm: 'Use the --tool-call-parser of this model, which asks for them; skip_special_tokens: false in the request does so without a parser.',
    sglang:
      'Use the --tool-call-parser of this model; skip_special_tokens: false in the request does so without a parser.',
    'llama.cpp':
      'Start llama-server with --jinja, which preserves the tokens of the template; or with --special.',
    ollama: 'Take the model from the library of Ollama: its parser is set in the Modelfile (PARSER).',
  },
  judgeTurn(turn, probe) {
    if (turn.leak?.stripped) {
      const { dialect, names } = turn.leak;
      return fail(
        `A call of ${names[0]} in ${dialect.name} stands in the ${turn.leak.place} without its special tokens.`,
      );
    }
    const isText = turn.failure === undefined && !turn.leak;
    if (isText && turn.bareFrame !== undefined)
      return fail(`The text has the word ${turn.bareFrame}: a frame of messages without its special tokens.`);
    const token = isText ? turn.specialToken : undefined;
    if (token !== undefined) return fail(`The special token ${token} is left in the text.`);
    const pair = probe.check === 'arguments-exact' ? comparable(turn, probe) : undefined;
    if (!pair) return undefined;
    const { wanted, got } = pair;
    const lost = got.length < wanted.length && withoutTokens(wanted) === withoutTokens(got);
    return lost ? fail(difference(wanted, got)) : PASS;
  },
};

// --- ids and the finish reason -------------------------------------------------------------------------------

const idsUnique: Check = {
  id: 'ids-unique',
  title: 'gives every call an id of its own',
  required: true,
  sends: 'Nothing of its own: it looks at every call.',
  expects: 'An id that is not empty, and that no other call of the answer has.',
  why: 'The result of a call names it by its id: with one id for two calls, one result is lost.',
  reports: ['huggingface/smolagents#2768', 'openclaw/openclaw#47136'],
  advice: {
    any: 'Make a random id for each call in the server; a name with a counter repeats itself.',
    sglang:
      'Update SGLang. Kimi K2 wants ids of the form functions.NAME:INDEX, counted over the conversation.',
    'llama.cpp': 'Update llama-server: it makes ids where the template has none.',
    vllm: 'Update vLLM. Mistral models need ids of nine letters and digits, which --tokenizer-mode mistral makes.',
  },
  judgeTurn({ failure, audit }) {
    if (failure !== undefined || !audit || audit.callIds.length === 0) return undefined;
    const { callIds } = audit;
    if (callIds.includes('')) return fail('A call has no id.');
    const twice = callIds.find((id, at) => callIds.indexOf(id) < at);
    return twice === undefined ? PASS : fail(`Two calls have the id ${JSON.stringify(twice.slice(0, 80))}.`);
  },
};

const isWhole = ({ input }: ReadCall) => input !== undefined;

const LIMIT = 16;
/** More characters than so few tokens have. */
const LONG = 20 * LIMIT;

/** Some models take a limit only from a number on, or by another name. */
function refusesLimit({ exchange: { status }, failure = '' }: Turn): boolean {
  return (status === 400 || status === 422) && /max_(?:completion_|output_)?tokens/i.test(failure);
}

const finishReason: Check = {
  id: 'finish-reason',
  title: 'says why the answer ended',
  required: true,
  sends: `A question with a long answer, and a limit of ${LIMIT} tokens, with and without a stream. It also looks at every answer whose tool choice is auto.`,
  expects:
    'The word of the API for calls where there are calls, the one for text where there are none, and the one for the limit where it cut the answer. An endpoint that refuses the limit by its name (400 or 422) gets a warning.',
  why: 'Many agents run calls only if the finish reason says so, and end the task otherwise.',
  reports: ['vllm-project/vllm#9209', 'BerriAI/litellm#12862'],
  advice: {
    any: 'The server must set the finish reason after it has read the calls, also in streams.',
    vllm: 'Update vLLM: streams with calls ended with stop in older versions of some parsers.',
  },
  needs: ['answers'],
  probes: () =>
    bothWays({
      id: 'limit',
      steps: [
        ask({ messages: [user('Write the numbers from 1 to 200, one on each line.')], maxTokens: LIMIT }),
      ],
    }),
  judge({ turns: [turn] }) {
    if (!turn) return undefined;
    if (turn.failure !== undefined) return refusesLimit(turn) ? warn(turn.failure) : missing(turn);
    if (turn.finish === 'length') return PASS;
    if (turn.text.length > LONG)
      return fail(`The limit of ${LIMIT} tokens was ignored: ${turn.text.length} characters came.`);
    const isCut = turn.finish === 'stop' && (turn.usage?.outputTokens ?? 0) >= LIMIT;
    return isCut ? fail(`The answer ends at the limit of ${LIMIT} tokens with ${turn.audit?.finish}.`) : PASS;
  },
  judgeTurn({ failure, audit, calls, leak, question, finish, text }) {
    if (failure !== undefined || !audit || leak || (question?.toolChoice ?? 'auto') !== 'auto')
      return undefined;
    if (!calls.every(isWhole)) return undefined;
    // Calls that clients do not see.
    if (calls.length === 0 && audit.call !== undefined) return undefined;
    // An answer without anything is the fault of other checks.
    if (calls.length === 0 && text.trim() === '') return undefined;
    // A text may be cut by a limit of the server.
    if (calls.length === 0 && finish === 'length') return undefined;
    if (audit.finish === audit.wanted) return PASS;
    const what = calls.length > 0 ? 'An answer with calls' : 'An answer without calls';
    return fail(`${what} ends with ${audit.finish ?? 'no finish reason'} instead of ${audit.wanted}.`);
  },
};

export const argumentChecks: readonly Check[] = [
  argumentsJson,
  argumentsSchema,
  argumentsExact,
  unknownTool,
  idsUnique,
  finishReason,
  specialTokensStripped,
];

/** For the checks of streams: a long text, and two calls. */
export const longProbe = { wants: [{ name: echo.name, input: { text: code(800) } }], tools: allTools };
