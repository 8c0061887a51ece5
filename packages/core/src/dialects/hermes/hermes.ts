// hermes: Hermes 2 and 3, Qwen2.5, Qwen3 and many others.
//
//   <tool_call>
//   {"name": "get_weather", "arguments": {"location": "Beijing"}}
//   </tool_call>
//
// One call a tag. Results in a user turn: <tool_response>\n…\n</tool_response>. Turns are ChatML; the whole
// prompt is Qwen3's, byte for byte. Serving engines agree that a turn ends with its calls, so text behind
// them is set aside.

import type { Dialect } from '../../engine/dialect.js';
import { defineMarkers } from '../../engine/markers.js';
import { THINK, usualTraits } from '../../families/declared/dialect-parts.js';
import { jsonInMarkers } from '../../families/json/json-in-markers.js';
import { chatmlStray, chatmlTokens } from '../../families/writing/chatml.js';
import { granite4 } from './granite-4.js';
import { hermes3 } from './hermes-3.js';
import { hermesCalls, hermesRender } from './prompt.js';
import { mimoVl, qwen25, qwq } from './qwen2.5.js';

export const hermes: Dialect<'hermes'> = {
  name: 'hermes',
  aliases: [
    'qwen25',
    'qwen2.5',
    'qwen3',
    'qwen',
    'qwen3-thinking',
    'qwen3-vl-instruct',
    'qwen3-vl-thinking',
    'granite4',
    'trinity',
    'holo2',
  ],
  about: 'One JSON object a call in <tool_call>, in ChatML turns.',
  models: [
    'Hermes 2 Pro',
    'Hermes 3',
    'DeepHermes 3',
    'Qwen2.5',
    'Qwen3',
    'QwQ',
    'EXAONE 4',
    'MiMo-VL',
    'Granite 4',
    'Granite 4.1',
    'SmolLM3',
    'Trinity',
    'Step3-VL',
    'Ling 2.5',
    'Ling 2.6',
    'Ring 2.5',
  ],
  traits: {
    ...usualTraits,
    reasoning: THINK,
    startsInReasoning: true,
    textAfterCalls: 'aside',
  },
  markers: defineMarkers(chatmlTokens),
  grammar: {
    openers: jsonInMarkers({ ...hermesCalls, list: false }),
    ...chatmlStray,
    drop: [...chatmlStray.drop, { marker: '<|end_of_text|>' }],
  },
  render: { ...hermesRender, variants: [qwen25, qwq, mimoVl, granite4, hermes3] },
  constrain: hermesCalls,
};
