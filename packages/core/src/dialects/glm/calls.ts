// What glm-4.5 and glm-4.7 share: one reader for all versions, with any white space.
//
//   <tool_call>get_weather
//   <arg_key>city</arg_key>
//   <arg_value>Beijing</arg_value>
//   </tool_call>

import type { TaggedSampling } from '../../engine/call-rules.js';
import type { Grammar, Traits } from '../../engine/dialect.js';
import { defineMarkers } from '../../engine/markers.js';
import { forgedResults, roleTokens, THINK, usualTraits } from '../../families/declared/dialect-parts.js';
import { taggedOpeners } from '../../families/tags/tagged.js';
import { literalTags, STRAY_THINK } from '../../families/tags/tagged-spelling.js';
import { type GlmLayout, glmTokens } from './prompt.js';

export const glmMarkers = defineMarkers(glmTokens);

const roles = ['<|endoftext|>', '<|user|>', '<|observation|>', '<|assistant|>', '<|system|>'];

export const glmGrammar: Grammar = {
  openers: taggedOpeners({
    tag: literalTags({
      '<tool_call>': 'call-open',
      '</tool_call>': 'call-close',
      '<arg_key>': 'key-open',
      '</arg_key>': 'key-close',
      '<arg_value>': 'value-open',
      '</arg_value>': 'value-close',
      ...STRAY_THINK,
      ...Object.fromEntries(roles.map((token) => [token, 'token' as const])),
    }),
    next: ['to'],
    markers: glmMarkers,
    block: false,
    nameInText: true,
    endsLostValue: ['call-open'],
  }),
  drop: [{ marker: '</tool_call>', repair: 'stray-closer' }, ...roleTokens(roles)],
  notice: forgedResults('<tool_response>'),
};

export const glmTraits: Traits = { ...usualTraits, values: 'schema', reasoning: THINK };

/** Gives the calls as prompt.ts writes them. */
export function glmCalls({ line }: GlmLayout): TaggedSampling {
  return {
    family: 'tags',
    call: { open: '<tool_call>{name}', close: '</tool_call>' },
    argument: {
      key: { open: '<arg_key>', close: '</arg_key>' },
      value: { open: '<arg_value>', close: '</arg_value>' },
    },
    layout: { call: line, key: line, argument: line, behind: line },
  };
}
