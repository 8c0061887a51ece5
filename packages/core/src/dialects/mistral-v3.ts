// mistral-v3: Mistral's models up to the tenth version of their tokenizer.
//
//   [TOOL_CALLS] [{"name": "get_weather", "arguments": {"location": "Beijing"}, "id": "aB3xY7kQ2"}]
//
// An id is part of a call here, and of its result. Newer models write `mistral`, which reads this, too. There is no
// whole prompt: the vendor's templates move tools and system text along to the last user's turn.

import { defineDialect } from '../families/declared/define-dialect.js';
import { mistralTokens } from './mistral.js';

export const mistralV3 = defineDialect({
  name: 'mistral-v3',
  aliases: ['mistral_v3', 'mistral-v7', 'mistral-nemo', 'mixtral'],
  about: 'A JSON list of calls with ids behind [TOOL_CALLS].',
  models: ['Mistral 7B v0.3', 'Mistral Nemo', 'Mixtral 8x22B', 'Mistral Large 2', 'Mistral Small 3'],
  calls: {
    family: 'json',
    open: '[TOOL_CALLS]',
    shape: 'list',
    inside: [' ', ''],
    before: '',
    keys: { name: 'name', arguments: 'arguments', id: 'id' },
  },
  results: {
    each: '[TOOL_RESULTS] {"content": {output:json}, "call_id": {id:json}}[/TOOL_RESULTS]',
    between: '',
  },
  ends: ['</s>'],
  tokens: ['[INST]', '[/INST]', '[AVAILABLE_TOOLS]', '[/AVAILABLE_TOOLS]'],
  special: mistralTokens,
});
