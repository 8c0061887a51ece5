// glm-4.7: GLM-4.7, 5 and 5.1. As glm-4.5, without line breaks:
//
//   <tool_call>get_weather<arg_key>city</arg_key><arg_value>Beijing</arg_value></tool_call>
//
// The prompt ends with <think>, so the completion starts inside the reasoning; without thinking it ends
// with </think>.

import type { Dialect } from '../../engine/dialect.js';
import { glmCalls, glmGrammar, glmMarkers, glmTraits } from './calls.js';
import { glm47Layout, glmRender } from './prompt.js';

export const glm47: Dialect<'glm-4.7'> = {
  name: 'glm-4.7',
  aliases: ['glm47', 'glm-5', 'glm5', 'glm-5.1', 'ling3'],
  about: 'As glm-4.5, without line breaks; the prompt itself opens the reasoning.',
  models: ['GLM-4.7', 'GLM-4.7-Flash', 'GLM-5', 'GLM-5.1', 'GLM-5.2'],
  templateSigns: [['<tool_call>{function-name}<arg_key>{arg-key-1}</arg_key>']],
  traits: { ...glmTraits, startsInReasoning: true },
  markers: glmMarkers,
  grammar: glmGrammar,
  render: glmRender(glm47Layout),
  constrain: glmCalls(glm47Layout),
};
