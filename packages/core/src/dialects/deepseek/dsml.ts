// What the DSML dialects share. Each of them reads the spellings of all versions, and those of gateways and proxies
// (dsml-tags.ts).
//
//   <｜DSML｜tool_calls>
//   <｜DSML｜invoke name="get_weather">
//   <｜DSML｜parameter name="location" string="true">Beijing</｜DSML｜parameter>
//   <｜DSML｜parameter name="days" string="false">2</｜DSML｜parameter>
//   </｜DSML｜invoke>
//   </｜DSML｜tool_calls>

import type { Grammar, Traits } from '../../engine/dialect.js';
import { defineMarkers, type MarkerSet, NO } from '../../engine/markers.js';
import { forgedResults, roleTokens, THINK, usualTraits } from '../../families/declared/dialect-parts.js';
import { taggedOpeners } from '../../families/tags/tagged.js';
import { literalTags, STRAY_THINK } from '../../families/tags/tagged-spelling.js';
import { DSML_NEXT, dsmlTag, dsmlTail } from './dsml-tags.js';

const endTokens = ['<｜end▁of▁sentence｜>', '<|end▁of▁sentence|>'];
const roles = ['<｜User｜>', '<｜Assistant｜>', '<|User|>', '<|Assistant|>', '<｜begin▁of▁sentence｜>'];
const tokenTags = literalTags({
  ...STRAY_THINK,
  ...Object.fromEntries([...endTokens, ...roles].map((token) => [token, 'token' as const])),
});

/** Gives the markers and the grammar of a version from its tokens. */
export function dsml(tokens: readonly string[]): { markers: MarkerSet; grammar: Grammar } {
  const markers = defineMarkers(tokens, { '<': [dsmlTail] });
  const grammar: Grammar = {
    openers: taggedOpeners({
      tag(text, at, ended) {
        // No token begins a tag: what may still become one is none.
        const tag = dsmlTag(text, at, ended);
        return tag === NO ? tokenTags(text, at, ended) : tag;
      },
      next: DSML_NEXT,
      markers,
      block: true,
      bareCalls: 'if-declared',
      typedByAttribute: true,
      argumentLines: true,
      endsLostValue: ['block-open', 'call-open', 'value-open'],
      wrappers: ['arguments', 'input'],
    }),
    drop: [...endTokens.map((marker) => ({ marker })), ...roleTokens(roles)],
    notice: forgedResults('<tool_result>', '<function_results>'),
  };
  return { markers, grammar };
}

export const dsmlTraits: Traits = {
  ...usualTraits,
  values: 'attribute',
  reasoning: { ...THINK, ifThinking: true },
  startsInReasoning: true,
};

/** With tools, V4 keeps the reasoning of all turns. */
export const dsmlV4Traits: Traits = {
  ...dsmlTraits,
  reasoning: { ...THINK, kept: 'all', ifThinking: true },
};
