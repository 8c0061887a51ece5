// Recognises errors by which an upstream refuses the order of roles in a conversation, or the system role. Chat templates
// raise them in words of their own, engines wrap those (llama.cpp quotes the template's source before them, TGI writes
// "Template error: …"), and APIs check the roles themselves. The table has the words, and the shape that helps.

import type { ApiError } from '../../model/index.js';
import { errorWords } from '../upstream/error-words.js';
import type { RoleShape } from './role-shapes.js';

interface RefusalWords {
  /** As `errorWords` gives them. */
  words: string;
  /** The mildest shape that can help. */
  shape: Exclude<RoleShape, 'as-is'>;
  /** Where the words come from: a model's template, an API, a public report. */
  source: string;
}

const refusals: readonly RefusalWords[] = [
  {
    words: 'system message must be at the beginning',
    shape: 'strict',
    source: 'Qwen3.5 and later, template; ggml-org/llama.cpp#20733, ollama/ollama#17774, nashsu/llm_wiki#45',
  },
  {
    words: 'unexpected role system',
    shape: 'strict',
    source: 'Anthropic: anthropics/claude-agent-sdk-typescript#350; Mistral: swarmauri/swarmauri-sdk#162',
  },
  {
    words: 'unknown variant system, expected user or assistant',
    shape: 'strict',
    source: 'DeepSeek, Qwen /anthropic: deepseek-ai/awesome-deepseek-integration#639, QwenLM/Qwen#2244',
  },
  {
    words: 'input should be user or assistant',
    shape: 'strict',
    source: 'FastAPI servers with the Messages API: ogx-ai/ogx#5982, jwadow/kiro-gateway#197',
  },
  {
    words: 'message role must be user or assistant',
    shape: 'strict',
    source: 'astaxie/TokenHub#73',
  },
  {
    words: 'role system is not supported',
    shape: 'strict',
    source: 'Anthropic, models before Opus 4.8: anthropics/claude-code#61412',
  },
  {
    words: 'invalid message role: system',
    shape: 'strict',
    source: 'MiniMax 2013: MiniMax-AI/MiniMax-M2.7#43',
  },
  {
    words: 'invalid chat setting (2013)',
    shape: 'strict',
    source: 'MiniMax, several system messages: openclaw/openclaw#19386, MiniMax-AI/MiniMax-M2#51',
  },
  {
    words: 'system messages are not allowed',
    shape: 'strict',
    source: 'router-for-me/CLIProxyAPI#3625',
  },
  {
    words: 'roles must alternate',
    shape: 'strict',
    source:
      'Mistral, Gemma, Llama 2, templates: vllm-project/vllm#6862, mistralai/mistral-vibe#1006; Anthropic: etkecc/baibot#13',
  },
  {
    words: 'roles should be alternating',
    shape: 'strict',
    source: 'Perplexity: perplexityai/api-discussion#265',
  },
  {
    words: 'must alternate between user and assistant roles',
    shape: 'strict',
    source: 'Bedrock: microsoft/semantic-kernel#10281',
  },
  {
    words: 'does not support successive user or assistant messages',
    shape: 'strict',
    source: 'DeepSeek: deepseek-ai/DeepSeek-R1#21',
  },
  {
    words: 'unexpected role user after role tool',
    shape: 'alternate',
    source: 'Mistral 3230: NousResearch/hermes-agent#20154, zed-industries/zed#37021',
  },
  {
    words: 'conversation must start with a user message',
    shape: 'alternate',
    source: 'Bedrock, Converse API',
  },
  {
    words: 'system role not supported',
    shape: 'no-system',
    source: 'Gemma 1 and 2, template: sgl-project/sglang#1342, huggingface/chat-ui#1386',
  },
  {
    words: 'with the exception of an initial optional system message',
    shape: 'strict',
    source: 'Mistral, later templates',
  },
  {
    words: 'only user and assistant roles are supported',
    shape: 'no-system',
    source: 'Mistral 7B, template: mlc-ai/mlc-llm#1681',
  },
  {
    words: 'role does not support system with this model',
    shape: 'no-system',
    source: 'OpenAI o1-mini: tailcallhq/forgecode#1177',
  },
];

/** Statuses that mean something else, whatever the message. */
const otherStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 413, 429, 503, 504]);

/** Gives the mildest shape of the conversation that can help. Undefined: the error is about something else. */
export function refusedRoles(error: ApiError): RoleShape | undefined {
  if (error.status !== undefined && otherStatuses.has(error.status)) return undefined;
  const told = errorWords(error);
  return refusals.find(({ words }) => told.includes(words))?.shape;
}
