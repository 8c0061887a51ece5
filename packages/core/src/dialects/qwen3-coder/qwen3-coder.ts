// qwen3-coder: Qwen3-Coder, Qwen3.5, MiMo-V2, Nemotron 3, Step 3.5.
//
//   <tool_call>
//   <function=get_weather>
//   <parameter=location>
//   Beijing
//   </parameter>
//   </function>
//   </tool_call>
//
// Values are raw text: exactly one line break on each side is layout, the rest is the value. The schema
// says the type. A closer counts only where what follows fits.

import type { TaggedSampling } from '../../engine/call-rules.js';
import type { Dialect } from '../../engine/dialect.js';
import { defineMarkers, matchLiteral, NO, NOT_YET } from '../../engine/markers.js';
import { THINK, usualTraits } from '../../families/declared/dialect-parts.js';
import { taggedOpeners } from '../../families/tags/tagged.js';
import { literalTags, STRAY_THINK, type Tag, type TagKind } from '../../families/tags/tagged-spelling.js';
import { chatmlStray } from '../../families/writing/chatml.js';
import { nemotron3, nemotron35 } from './nemotron-3.js';
import { qwen3CoderRender } from './prompt.js';
import { qwen35, qwen38 } from './qwen3.5.js';
import { step35 } from './step-3.5.js';
import { qwen3CoderTokens } from './tools.js';

const markers = defineMarkers(qwen3CoderTokens);

const literals = literalTags({
  '<tool_call>': 'block-open',
  '</tool_call>': 'block-close',
  '</function>': 'call-close',
  '</parameter>': 'value-close',
  '<|im_end|>': 'token',
  '<|endoftext|>': 'token',
  ...STRAY_THINK,
});

const calls: TaggedSampling = {
  family: 'tags',
  block: { open: '<tool_call>', close: '</tool_call>', each: true },
  call: { open: '<function={name}>', close: '</function>' },
  argument: { open: '<parameter={key}>', close: '</parameter>' },
  layout: { block: '\n', call: '\n', argument: '\n', behind: '\n' },
  lineLayout: 'written',
  words: 'python',
};

const NAME_LIMIT = 512;

export const qwen3Coder: Dialect<'qwen3-coder'> = {
  name: 'qwen3-coder',
  aliases: [
    'qwen3_coder',
    'qwen3_xml',
    'qwen3coder',
    'mimo',
    'nemotron_v3',
    'step3p5',
    'qwen3.5',
    'ornith',
    'nemotron-3-nano',
    'nemotron-3.5-nano',
    'nemotron_3',
  ],
  about: 'One element a call and one an argument: <function=…>, <parameter=…>, values as raw text.',
  models: [
    'Qwen3-Coder',
    'Qwen3.5',
    'Qwen3.6',
    'Qwen3.8',
    'MiMo-V2',
    'Nemotron 3 Nano',
    'Nemotron 3.5',
    'Step 3.5 Flash',
    'Step 3.7 Flash',
    'Intern-S2',
    'MiniCPM-V 4.6',
  ],
  traits: {
    ...usualTraits,
    values: 'schema',
    reasoning: THINK,
    startsInReasoning: true,
    textAfterCalls: 'aside',
  },
  markers,
  grammar: {
    openers: taggedOpeners({
      tag,
      next: ['to', 'fu'],
      markers,
      block: true,
      bareCalls: 'if-closed',
      lineLayout: 'written',
      argumentLines: true,
      pythonWords: true,
      endsLostValue: ['block-open', 'call-open', 'value-open'],
    }),
    ...chatmlStray,
  },
  render: { ...qwen3CoderRender, variants: [qwen35, qwen38, nemotron3, nemotron35, step35] },
  constrain: calls,
};

function tag(text: string, at: number, ended: boolean): Tag | typeof NO | typeof NOT_YET {
  const literal = literals(text, at, ended);
  if (typeof literal === 'object') return literal;
  const call = named(text, at, '<function=', 'call-open', ended);
  if (typeof call === 'object') return call;
  const value = named(text, at, '<parameter=', 'value-open', ended);
  if (typeof value === 'object') return value;
  return literal === NOT_YET || call === NOT_YET || value === NOT_YET ? NOT_YET : NO;
}

/** Matches `<function=NAME>`: the name ends at the first `>`. */
function named(
  text: string,
  at: number,
  head: string,
  kind: TagKind,
  ended: boolean,
): Tag | typeof NO | typeof NOT_YET {
  const found = matchLiteral(text, at, head, ended);
  if (found <= 0) return found === NOT_YET ? NOT_YET : NO;
  const start = at + head.length;
  let end = start;
  while (
    end < text.length &&
    end - start <= NAME_LIMIT &&
    text.charAt(end) !== '>' &&
    text.charAt(end) !== '\n'
  )
    end++;
  if (end >= text.length) return ended ? NO : NOT_YET;
  if (text.charAt(end) !== '>' || end === start) return NO;
  const name = text.slice(start, end);
  return { kind, length: end + 1 - at, name, nameAt: head.length, nameLength: name.length };
}
