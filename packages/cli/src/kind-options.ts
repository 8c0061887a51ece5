// How an upstream is asked: the options that `chat` and `serve` share.

import { apiNames, defaultWire } from '@dragoman/core/wire';

export const kindOptions = {
  '--kind <kind>': 'chat, completion, native, tiny or demo. Default: chat.',
  '--api <api>': `The API of the upstream: ${apiNames.join(', ')}. Default: ${defaultWire.name}.`,
};

/** The engines that have a preset. Listed here, because the bridge takes long to load. */
export const ENGINES = ['vllm', 'sglang', 'llama.cpp', 'ollama', 'lm-studio', 'tgi'];

export const kindChoices = { kind: ['chat', 'completion', 'native', 'tiny', 'demo'], api: apiNames };

/** The section of the help. */
export const variablesOfUpstream = `OPENAI_BASE_URL, ANTHROPIC_BASE_URL   the upstream, where none is named
OPENAI_API_KEY, ANTHROPIC_API_KEY,
ANTHROPIC_AUTH_TOKEN                  its key`;
