// The serving engines that people run, one value each: how it is recognised, and which members of a request it needs for
// what the bridge wants. `source` says where that can be read.

import type { Extra } from '../../model/index.js';

export type EngineName = 'vllm' | 'sglang' | 'llama.cpp' | 'ollama' | 'lm-studio' | 'tgi';

export interface Engine {
  /** Its name in configurations. */
  readonly name: EngineName;
  /** Its name for people. */
  readonly title: string;
  readonly source: string;
  /** The `owned_by` of its list of models. */
  readonly ownedBy?: string;
  /** A path of its own, from the root of the server, and members of what it answers there, or of its first item. */
  readonly probe?: { readonly path: string; readonly members: readonly string[] };
  /**
   * Gives the members that make it write these special tokens into its text; without them they are left out. Absent, or
   * undefined: it has none.
   */
  specialTokens?(tokens: readonly string[], takes: 'messages' | 'prompt'): Extra | undefined;
  /** What else helps against special tokens that are left out. */
  readonly advice: string;
  /** Gives the members that turn thinking on or off, for an API that takes messages. */
  thinking?(on: boolean): Extra;
}

const keepSpecial = (): Extra => ({ skip_special_tokens: false });

/** Templates ask for the one or the other; they ignore what they do not know (sglang, protocol.py). */
const templateSwitch = (on: boolean): Extra => ({
  chat_template_kwargs: { enable_thinking: on, thinking: on },
});

/** What helps against special tokens that any engine leaves out. */
export const otherDialect = 'use a dialect without special tokens, such as hermes';

const vllm: Engine = {
  name: 'vllm',
  title: 'vLLM',
  source: 'vllm-project/vllm vllm/entrypoints/openai/chat_completion/protocol.py',
  ownedBy: 'vllm',
  specialTokens: keepSpecial,
  advice: otherDialect,
  thinking: templateSwitch,
};

const sglang: Engine = {
  name: 'sglang',
  title: 'SGLang',
  source: 'sgl-project/sglang python/sglang/srt/entrypoints/openai/protocol.py, http_server.py',
  ownedBy: 'sglang',
  probe: { path: '/get_model_info', members: ['model_path', 'is_generation'] },
  specialTokens: keepSpecial,
  advice: otherDialect,
  thinking: templateSwitch,
};

const llamaCpp: Engine = {
  name: 'llama.cpp',
  title: 'llama.cpp',
  source: 'ggml-org/llama.cpp tools/server/server-common.cpp, server-schema.cpp, server-context.cpp',
  ownedBy: 'llamacpp',
  probe: { path: '/props', members: ['default_generation_settings'] },
  // For messages it takes the tokens of the model's own template instead of those of the request.
  specialTokens: (tokens, takes) => (takes === 'prompt' ? { preserved_tokens: [...tokens] } : undefined),
  advice: 'start llama-server with --special',
  thinking: (on) => ({ chat_template_kwargs: { enable_thinking: on } }),
};

const ollama: Engine = {
  name: 'ollama',
  title: 'Ollama',
  source: 'ollama/ollama openai/openai.go, server/routes.go',
  probe: { path: '/api/version', members: ['version'] },
  advice: otherDialect,
  // `think` is a member of its own API only. To turn it on needs no member, and fails for models that cannot.
  thinking: (on) => (on ? {} : { reasoning_effort: 'none' }),
};

const lmStudio: Engine = {
  name: 'lm-studio',
  title: 'LM Studio',
  source: 'lmstudio.ai/docs/api/rest-api',
  probe: { path: '/api/v0/models', members: ['compatibility_type', 'publisher'] },
  advice: otherDialect,
};

const tgi: Engine = {
  name: 'tgi',
  title: 'TGI',
  source: 'huggingface/text-generation-inference router/src/chat.rs, server.rs',
  probe: { path: '/info', members: ['model_id', 'max_concurrent_requests'] },
  // The router drops every special token of a chat, whatever the request says.
  advice: otherDialect,
};

export const engines: readonly Engine[] = [vllm, sglang, llamaCpp, ollama, lmStudio, tgi];

export const engineNames: readonly EngineName[] = engines.map(({ name }) => name);

export function engineOf(name: EngineName | undefined): Engine | undefined {
  return engines.find((engine) => engine.name === name);
}
