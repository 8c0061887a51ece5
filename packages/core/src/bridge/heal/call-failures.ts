// Recognises errors by which a serving engine fails to read a call that its model wrote, and finds what the model wrote.
// There is no standard for it: the table has each engine's own words.
//
//   {"error":"error parsing tool call: raw='{\"city\": \"Paris\",}', err=…"}                  Ollama
//   {"error":{"code":"tool_use_failed","failed_generation":"<function=f>{…}</function>"}}     Groq
//
// Errors about calls in the history are not in the table, although their words are alike: the same request fails again.

import type { ApiError } from '../../model/index.js';
import { isObject } from '../../model/index.js';

export interface CallFailure {
  engine: string;
  /** What the model wrote, if the error has it. */
  raw: string | undefined;
}

interface FailureWords {
  engine: string;
  /** In lower case. They occur near the start of a message. */
  words: string;
  /** The text between these is what the model wrote. Without the second: up to the end. */
  raw?: readonly [after: string, before?: string];
  /** Where the words come from: a file of the engine, or a public report. */
  source: string;
}

const engines: readonly FailureWords[] = [
  {
    engine: 'Ollama',
    words: "error parsing tool call: raw='",
    raw: ["raw='", "', err="],
    source: 'ollama/ollama harmony/harmonyparser.go',
  },
  { engine: 'Ollama', words: 'error parsing tool call', source: 'ollama/ollama#12064' },
  {
    engine: 'Ollama',
    words: 'xml syntax error on line ',
    source: 'ollama/ollama model/parsers/qwen3coder.go, #12380',
  },
  {
    engine: 'Ollama',
    words: 'expected element type <function> but have',
    source: 'continuedev/continue#10896',
  },
  {
    engine: 'llama.cpp',
    words: 'failed to parse input at pos ',
    raw: [': '],
    source: 'ggml-org/llama.cpp#23838, common/chat.cpp of older releases',
  },
  {
    engine: 'llama.cpp',
    words: 'the model produced output that does not match the expected ',
    source: 'ggml-org/llama.cpp common/chat.cpp, #25072',
  },
  {
    engine: 'llama.cpp',
    words: 'invalid diff: now finding less tool calls',
    source: 'ggml-org/llama.cpp common/chat.cpp',
  },
  {
    engine: 'LM Studio',
    words: 'failed to parse tool call: ',
    raw: ['Model Output:'],
    source: 'lmstudio-ai/lmstudio-bug-tracker#942',
  },
  {
    engine: 'LM Studio',
    words: 'failed to parse arguments for tool ',
    source: 'lmstudio-ai/lmstudio-bug-tracker#1358',
  },
  { engine: 'Groq', words: 'tool_use_failed', source: 'groq/groq-typescript#103' },
  { engine: 'Groq', words: 'failed to call a function. please adjust', source: 'anomalyco/opencode#1018' },
  { engine: 'Groq', words: 'tool call validation failed', source: 'HolmesGPT/holmesgpt#2217' },
  { engine: 'Cerebras', words: 'failed to generate tool_calls', source: 'vybestack/llxprt-code#221' },
  {
    engine: 'vLLM',
    words: 'unexpected tokens remaining in message header',
    source: 'vllm-project/vllm#51977',
  },
  { engine: 'vLLM', words: 'while expecting start token', source: 'vllm-project/vllm#22515' },
  {
    engine: 'SGLang, LMDeploy',
    words: 'failed to parse fc related info to json format',
    source: 'sgl-project/sglang#4300, InternLM/lmdeploy#2390',
  },
  {
    engine: 'TGI',
    words: 'failed to parse generated text: ',
    source: 'huggingface/text-generation-inference router/src/chat.rs',
  },
];

/** The member by which Groq, Cerebras and routers in front of them give what the model wrote. */
const GENERATION = 'failed_generation';

/** How far from the start of a message the words may begin: wrappers put their own words before them. */
const REACH = 400;
/** Members in members, and errors in errors: OpenRouter and LiteLLM quote the provider's body as a string. */
const DEPTH = 8;

export function callFailure({ body, message }: ApiError): CallFailure | undefined {
  const found: CallFailure[] = [];
  collect(body === undefined ? message : parsed(body), found, DEPTH);
  return found.find(({ raw }) => raw !== undefined) ?? found[0];
}

/** Members that hold an engine's words. Others may quote the request, which must not be taken for an answer. */
const worded = ['error', 'message', 'detail', 'metadata', 'raw', 'code', 'type'];

function collect(value: unknown, found: CallFailure[], depth: number): void {
  if (depth < 0) return;
  if (typeof value === 'string') {
    collectText(value, found, depth);
    return;
  }
  const body = Array.isArray(value) ? value[0] : value;
  if (!isObject(body)) return;
  const generation = body[GENERATION];
  if (typeof generation === 'string') {
    found.push({ engine: 'Groq', raw: generation.trim() === '' ? undefined : generation });
  }
  for (const name of worded) collect(body[name], found, depth - 1);
}

function collectText(text: string, found: CallFailure[], depth: number): void {
  const start = text.slice(0, REACH).toLowerCase();
  const row = engines.find(({ words }) => start.includes(words));
  if (row) found.push({ engine: row.engine, raw: rawIn(text, start.indexOf(row.words), row.raw) });
  const inner = depth > 0 ? text.indexOf('{"') : -1;
  if (inner >= 0) collect(parsed(text.slice(inner, text.lastIndexOf('}') + 1)), found, depth - 1);
}

function rawIn(text: string, at: number, [after, before]: FailureWords['raw'] = ['']): string | undefined {
  const start = after === '' ? -1 : text.indexOf(after, at);
  if (start < 0) return undefined;
  const end = before === undefined ? text.length : text.lastIndexOf(before);
  const raw = text.slice(start + after.length, end < start ? text.length : end);
  return raw.trim() === '' ? undefined : raw;
}

/** Gives the value of JSON text, else the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
