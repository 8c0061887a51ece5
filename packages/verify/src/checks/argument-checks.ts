// Checks of the calls that came: their names, ids and arguments, and the reason why the answer ended.

import { dialects, isObject } from '@dragoman/core/internal';
import { type Check, type Finding, fail, PASS } from '../check.js';
import { ask, type Probe, user } from '../probe.js';
import { exactPrompt } from '../suite/exact-prompt.js';
import { allTools, echo } from '../tools.js';
import type { CallProblem, ReadCall, Turn } from '../turn.js';
import { parserAdvice } from './tool-checks.js';

/** Judges the calls of an answer by one of the three ways in which a call can be wrong. */
function judgeCalls(turn: Turn, problem: CallProblem, hidden: readonly CallProblem[]): Finding | undefined {
  if (turn.failure !== undefined && !turn.isBroken) return undefined;
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
  judgeTurn: (turn) => judgeCalls(turn, 'unknown-tool', []),
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
  judgeTurn(turn) {
    const odd = turn.audit?.oddArguments;
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
  judgeTurn: (turn) => judgeCalls(turn, 'arguments-schema', ['unknown-tool', 'arguments-json']),
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

const argumentsExact: Check = {
  id: 'arguments-exact',
  title: 'passes arguments on to the letter',
  required: true,
  sends:
    'Texts to be given back: quotes, line breaks, markers of dialects, emoji, code (1 KB; with --suite full also 40 KB), 007 and 1e400.',
  expects: 'The same text in the argument, character by character.',
  why: 'An agent writes files through arguments: a lost backslash is a broken file.',
  reports: ['lablup/mlxcel#1575', 'JustVugg/colibri#118'],
  advice: {
    any: 'Use the parser of this model. Parsers that guess types turn 007 into 7; those that search for markers stop at one in the text. Small models may fail on the longest texts by themselves.',
    vllm: 'Update vLLM: its parsers for tagged arguments guessed types of values without looking at the schema.',
    ollama: 'Raise num_ctx for the long text.',
  },
  needs: ['calls-tool'],
  probes: ({ size }) =>
    Object.entries(size === 'full' ? { ...hardTexts, ...longTexts } : hardTexts).map(([id, text], at) => {
      const wants = [{ name: echo.name, input: { text } }];
      const question = { messages: [user(exactPrompt(wants))], tools: [echo], stream: at % 2 === 0 };
      return { id, wants, steps: [ask(question)] };
    }),
  judge({ probe, turns: [turn] }) {
    if (!turn) return undefined;
    if (turn.failure !== undefined) return hidesFailure(turn) ? undefined : fail(turn.failure);
    const pair = comparable(turn, probe);
    if (!pair) return undefined;
    const { wanted, got } = pair;
    if (got === wanted) return PASS;
    return withoutTokens(wanted) === withoutTokens(got) && got.length < wanted.length
      ? undefined
      : fail(difference(wanted, got));
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
    return fail(`Expected the arguments ${shown(wants[wrong]?.input)}, got ${shown(calls[wrong]?.input)}.`);
  },
};

/** Whether two values of JSON are equal, whatever the order of their members. */
function sameInput(one: unknown, other: unknown): boolean {
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
  const [wants] = probe.wants ?? [];
  const wanted = wants && Object.keys(wants.input).length === 1 ? wants.input.text : undefined;
  const call = turn.calls.find(({ problem, name }) => problem === undefined && name === echo.name);
  const got = call?.input?.text;
  return typeof wanted === 'string' && typeof got === 'string' && probe.wants?.length === 1
    ? { wanted, got }
    : undefined;
}

function difference(wanted: string, got: string): string {
  let at = 0;
  while (at < wanted.length && wanted.charAt(at) === got.charAt(at)) at++;
  const near = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 10), at + 20).toWellFormed());
  return `The text differs at character ${at}: expected ${near(wanted)}, got ${near(got)}.`;
}

// --- special tokens ------------------------------------------------------------------------------------------

/** How vendors spell special tokens: `<|call|>`, `<｜tool▁sep｜>`, `[TOOL_CALLS]`. */
const SPECIAL = /^(?:<[|｜][^\s<>]*>|<[^\s<>]*[|｜]>|\[[A-Z_]+\])$/u;
const specialTokens = [
  ...new Set(dialects.flatMap(({ markers }) => markers.literals.filter((one) => SPECIAL.test(one)))),
  '<|im_start|>',
  '<|im_end|>',
].sort((a, b) => b.length - a.length);

function withoutTokens(text: string): string {
  const bare = specialTokens.reduce((rest, token) => rest.replaceAll(token, ''), text);
  return bare.replace(/\s+/g, ' ');
}

const specialTokensStripped: Check = {
  id: 'special-tokens-stripped',
  title: 'keeps special tokens in what the model writes',
  required: true,
  sends: 'Nothing of its own: it looks at every answer, and at the texts of arguments-exact.',
  expects: 'No call that lacks its markers, and no argument that lacks a token.',
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

const finishReason: Check = {
  id: 'finish-reason',
  title: 'says why the answer ended',
  required: true,
  sends: 'Nothing of its own: it looks at every answer whose tool choice is auto.',
  expects: 'The word of the API for calls where there are calls, and the one for text where there are none.',
  why: 'Many agents run calls only if the finish reason says so, and end the task otherwise.',
  reports: ['vllm-project/vllm#9209', 'BerriAI/litellm#12862'],
  advice: {
    any: 'The server must set the finish reason after it has read the calls, also in streams.',
    vllm: 'Update vLLM: streams with calls ended with stop in older versions of some parsers.',
  },
  judgeTurn({ failure, audit, calls, leak, question, finish, text }) {
    if (failure !== undefined || !audit || leak || (question?.toolChoice ?? 'auto') !== 'auto')
      return undefined;
    if (!calls.every(isWhole)) return undefined;
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
