// mistral: Mistral's models, both generations.
//
//   [TOOL_CALLS]get_weather[ARGS]{"location": "Beijing"}[TOOL_CALLS]get_time[ARGS]{}       from 2025 on, written
//   [TOOL_CALLS]get_weather[CALL_ID]aB3xY7kQ2[ARGS]{"location": "Beijing"}                 the same, with ids
//   [TOOL_CALLS] [{"name": "get_weather", "arguments": {"location": "Beijing"}, "id": …}]  before
//
// All are read under this name, as serving engines do. The older one is written by mistral-v3. Results stand in
// [TOOL_RESULTS]…[/TOOL_RESULTS], in the order of the calls. The whole prompt is that of Ministral 3. Mistral Small 3.2
// has ids in calls and results, and its tools move along to the last user's turn; Devstral's template knows no
// reasoning. Where no system text is given, their templates write a long one: here the option `defaultSystem` asks for
// it (not for Devstral's, which is 5,000 characters of instructions for one agent).

import type { DialectDeclaration, NamedCalls, TurnsDeclaration } from '../../engine/declaration.js';
import { defineDialect } from '../../families/declared/define-dialect.js';
import { ministralSystem, smallSystem } from './system-texts.js';

/** Tokens of Mistral's tokenizers that no prompt here has. */
export const mistralTokens: readonly string[] = (
  '<s> <unk> <pad> [IMG] [IMG_BREAK] [IMG_END] [PREFIX] [MIDDLE] [SUFFIX] [SYSTEM_PROMPT] [/SYSTEM_PROMPT] ' +
  '[TOOL_CONTENT] [ARGS] [CALL_ID] [THINK] [/THINK] [AUDIO] [BEGIN_AUDIO] [TRANSCRIBE] [MODEL_SETTINGS] ' +
  '[/MODEL_SETTINGS] [STREAMING_PAD] [STREAMING_WORD] [NEXT_AUDIO_TEXT] [REPEAT_AUDIO_TEXT]'
).split(' ');

const calls: NamedCalls = {
  family: 'named',
  open: '[TOOL_CALLS]',
  id: { open: '[CALL_ID]' },
  separator: ['[ARGS]', ''],
  before: '',
  list: { name: 'name', arguments: 'arguments' },
};

const tools: TurnsDeclaration['tools'] = {
  at: 'behind-system',
  open: '[AVAILABLE_TOOLS]',
  close: '[/AVAILABLE_TOOLS]',
  tools: 'openai',
  layout: 'list',
};

const turns: TurnsDeclaration = {
  begin: '<s>',
  system: { open: '[SYSTEM_PROMPT]', close: '[/SYSTEM_PROMPT]' },
  tools,
  user: { open: '[INST]', close: '[/INST]' },
  assistant: { open: '', close: '</s>' },
  results: { open: '', close: '' },
};

const declaration: DialectDeclaration = {
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
  calls,
  reasoning: { open: '[THINK]', close: '[/THINK]' },
  results: { each: '[TOOL_RESULTS]{output}[/TOOL_RESULTS]', between: '' },
  turns,
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
};

const WITHOUT_REASONING = { open: '[THINK]', close: '[/THINK]', kept: 'none' } as const;

export const mistral = defineDialect(declaration, {
  system: ministralSystem,
  variants: [
    {
      name: 'mistral-small-3.2',
      models: ['Mistral Small 3.2', 'Mistral Small 2506'],
      calls: { ...calls, id: { open: '[CALL_ID]', letters: 9 } },
      results: { each: '[TOOL_RESULTS]{id}[TOOL_CONTENT]{output}[/TOOL_RESULTS]', between: '' },
      turns: { ...turns, tools: { ...tools, at: 'before-last-user' }, reasoning: WITHOUT_REASONING },
      system: smallSystem,
    },
    { name: 'devstral', models: ['Devstral'], turns: { ...turns, reasoning: WITHOUT_REASONING } },
  ],
});
