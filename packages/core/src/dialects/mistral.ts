// mistral: Mistral's models, both generations.
//
//   [TOOL_CALLS]get_weather[ARGS]{"location": "Beijing"}[TOOL_CALLS]get_time[ARGS]{}       from 2025 on, written
//   [TOOL_CALLS]get_weather[CALL_ID]aB3xY7kQ2[ARGS]{"location": "Beijing"}                 the same, with ids
//   [TOOL_CALLS] [{"name": "get_weather", "arguments": {"location": "Beijing"}, "id": …}]  before
//
// All are read under this name, as serving engines do. The older one is written by mistral-v3. Results stand in
// [TOOL_RESULTS]…[/TOOL_RESULTS], in the order of the calls. The whole prompt is that of Ministral 3, without the long
// system text that its template has where none is given.

import { defineDialect } from '../families/declared/define-dialect.js';

/** Tokens of Mistral's tokenizers that no prompt here has. */
export const mistralTokens: readonly string[] = (
  '<s> <unk> <pad> [IMG] [IMG_BREAK] [IMG_END] [PREFIX] [MIDDLE] [SUFFIX] [SYSTEM_PROMPT] [/SYSTEM_PROMPT] ' +
  '[TOOL_CONTENT] [ARGS] [CALL_ID] [THINK] [/THINK] [AUDIO] [BEGIN_AUDIO] [TRANSCRIBE] [MODEL_SETTINGS] ' +
  '[/MODEL_SETTINGS] [STREAMING_PAD] [STREAMING_WORD] [NEXT_AUDIO_TEXT] [REPEAT_AUDIO_TEXT]'
).split(' ');

export const mistral = defineDialect({
  name: 'mistral',
  aliases: ['mistral_v11', 'mistral_v13', 'mistral-v11', 'mistral3', 'ministral'],
  about: 'A name and JSON behind [TOOL_CALLS] and [ARGS]; reads the older JSON list, too.',
  models: [
    'Mistral Small 3.1',
    'Mistral Small 3.2',
    'Magistral',
    'Devstral',
    'Mistral Medium 3',
    'Ministral 3',
  ],
  calls: {
    family: 'named',
    open: '[TOOL_CALLS]',
    id: { open: '[CALL_ID]' },
    separator: ['[ARGS]', ''],
    before: '',
    list: { name: 'name', arguments: 'arguments' },
  },
  reasoning: { open: '[THINK]', close: '[/THINK]' },
  results: { each: '[TOOL_RESULTS]{output}[/TOOL_RESULTS]', between: '' },
  turns: {
    begin: '<s>',
    system: { open: '[SYSTEM_PROMPT]', close: '[/SYSTEM_PROMPT]' },
    tools: {
      at: 'behind-system',
      open: '[AVAILABLE_TOOLS]',
      close: '[/AVAILABLE_TOOLS]',
      tools: 'openai',
      layout: 'list',
    },
    user: { open: '[INST]', close: '[/INST]' },
    assistant: { open: '', close: '</s>' },
    results: { open: '', close: '' },
  },
  ends: ['</s>'],
  tokens: [
    '[INST]',
    '[/INST]',
    '[AVAILABLE_TOOLS]',
    '[/AVAILABLE_TOOLS]',
    '[SYSTEM_PROMPT]',
    '[/SYSTEM_PROMPT]',
  ],
  special: mistralTokens,
});
