// glm-4.5: GLM-4.5 and 4.6.
//
//   <tool_call>get_weather
//   <arg_key>city</arg_key>
//   <arg_value>Beijing</arg_value>
//   </tool_call>
//
// Strings are written verbatim, other values as JSON; the schema says which is which. Results follow
// <|observation|>, each as <tool_response>\n…\n</tool_response>. The model opens <think> itself.

import type { Dialect } from '../../engine/dialect.js';
import { glmCalls, glmGrammar, glmMarkers, glmTraits } from './calls.js';
import { glm45Layout, glmRender } from './prompt.js';

export const glm45: Dialect<'glm-4.5'> = {
  name: 'glm-4.5',
  aliases: ['glm45', 'glm-4.6', 'glm46', 'glm4_moe', 'glm', 'glm-ocr'],
  about: 'Name, then <arg_key> and <arg_value> pairs, a line each, in <tool_call>.',
  models: ['GLM-4.5', 'GLM-4.5-Air', 'GLM-4.5V', 'GLM-4.6', 'GLM-4.6V', 'GLM-OCR', 'Glyph', 'Ring 2.6'],
  traits: glmTraits,
  markers: glmMarkers,
  grammar: glmGrammar,
  render: glmRender(glm45Layout),
  constrain: glmCalls(glm45Layout),
};
