// Recognises errors by which an upstream says that the conversation is longer than the model's context. Agents shorten
// their conversation at the code that their API has for it, and stop at any other error. There is no standard for the
// words: the table has each engine's own.

interface ContextWords {
  engine: string;
  /** In lower case. */
  words: string;
  /** Where the words come from: a file of the engine, its documentation, or a public report. */
  source: string;
}

const table: readonly ContextWords[] = [
  { engine: 'OpenAI', words: 'context_length_exceeded', source: 'openai/codex codex-rs/codex-api/src/sse' },
  {
    engine: 'OpenAI',
    words: 'exceeds the context window',
    source: 'openai/codex codex-rs/codex-api/src/sse',
  },
  { engine: 'Anthropic', words: 'prompt is too long', source: 'anymorph-ai/Claudable#3' },
  { engine: 'Anthropic', words: 'exceed context limit', source: 'anthropics/claude-code#228' },
  {
    engine: 'vLLM, OpenAI',
    words: 'maximum context length is',
    source: 'vllm-project/vllm vllm/renderers/params.py',
  },
  {
    engine: 'vLLM',
    words: 'longer than the maximum model length',
    source: 'vllm/v1/engine/input_processor.py',
  },
  {
    engine: 'SGLang',
    words: "longer than the model's context length",
    source: 'sglang tokenizer_manager.py',
  },
  {
    engine: 'SGLang',
    words: "exceeds the model's maximum context length",
    source: 'sglang tokenizer_manager.py',
  },
  {
    engine: 'llama.cpp',
    words: 'exceed_context_size_error',
    source: 'llama.cpp tools/server/server-common.cpp',
  },
  {
    engine: 'llama.cpp',
    words: 'exceeds the available context size',
    source: 'llama.cpp server-context.cpp',
  },
  { engine: 'llama.cpp', words: 'larger than the max context size', source: 'llama.cpp server-context.cpp' },
  {
    engine: 'Ollama',
    words: 'prompt is longer than the context length',
    source: 'ollama llm/llama_server.go',
  },
  {
    engine: 'Ollama',
    words: 'input after truncation exceeds maximum context',
    source: 'ollama server/routes.go',
  },
  {
    engine: 'Ollama',
    words: 'input length exceeds the context length',
    source: 'ollama llm/llama_server.go',
  },
  {
    engine: 'TGI',
    words: '`inputs` tokens + `max_new_tokens` must be',
    source: 'TGI router/src/validation.rs',
  },
  { engine: 'TGI', words: '`inputs` must have less than', source: 'TGI router/src/validation.rs' },
  { engine: 'LM Studio', words: 'greater than the context length', source: 'Gitlawb/openclaude#353' },
  { engine: 'LM Studio', words: 'is loaded with context length of only', source: 'lmstudio-bug-tracker#546' },
  {
    engine: 'Gemini',
    words: 'exceeds the maximum number of tokens allowed',
    source: 'google-gemini/gemini-cli#6678',
  },
];

/** Words of limits on requests a minute, some of which speak of tokens as well. */
const rates = ['rate limit', 'rate_limit', 'tokens per min', 'tokens per day', 'quota'];

/** Only the start of a long error is read: the rest may repeat the conversation. */
const LONGEST = 2000;

/** Statuses of other faults, whatever the message. */
const otherStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 409, 429, 503, 504, 529]);

/** `texts` are the message, the code and the type of the error. */
export function isContextError(status: number, texts: readonly (string | undefined)[]): boolean {
  if (otherStatuses.has(status)) return false;
  const said = texts.map((text) => text?.slice(0, LONGEST).toLowerCase() ?? '').join(' ');
  return table.some(({ words }) => said.includes(words)) && !rates.some((words) => said.includes(words));
}
