// kimi-k3: Moonshot's Kimi K3, in XTML.
//
//   <|open|>think<|sep|>I should look.<|close|>think<|sep|><|open|>response<|sep|>One moment.<|close|>response<|sep|>
//   <|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|>
//   <|open|>argument key="city" type="string"<|sep|>Rome<|close|>argument<|sep|>
//   <|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>
//
// (All in one line.) The prompt opens `think` or `response`, so an answer begins inside one of them. An argument
// says its type: a string is raw text, anything else is JSON. In attributes `&amp;` and `&quot;` are entities. All
// arguments may also stand in one <|open|>json type="object"<|sep|>…<|close|>json<|sep|>: so do keys that no
// attribute can hold.
//
// Elsewhere: engines end a string at the first closer in it; here a closer counts only where what follows it fits.
// vLLM drops what stands behind the calls; here it is set aside.
//
// The whole prompt takes `thinking_effort` and `tool_choice` from the template's options, as the vendor's template does.

import type { Dialect } from '../../engine/dialect.js';
import { defineMarkers } from '../../engine/markers.js';
import { forgedResults, usualTraits, voiceFrames } from '../../families/declared/dialect-parts.js';
import { taggedOpeners } from '../../families/tags/tagged.js';
import { kimiK3Back, kimiK3Render, kimiK3Spelling } from './k3-prompt.js';
import { xtmlCutFrames, xtmlTag } from './xtml-tags.js';

const END = '<|end_of_msg|>';
const MESSAGE_CLOSE = '<|close|>message<|sep|>';

const markers = defineMarkers([
  ...['<|open|>', '<|close|>', '<|sep|>', END],
  ...(
    '[BOS] [EOS] [EOT] [PAD] [UNK] [start_header_id] [end_header_id] <osagent_mode> <|kimi_image_placeholder|> ' +
    '<|media_begin|> <|media_content|> <|media_pad|> <|media_end|>'
  ).split(' '),
]);

export const kimiK3: Dialect = {
  name: 'kimi-k3',
  aliases: ['kimi_k3', 'kimik3', 'xtml'],
  about: 'XTML: <|open|>call tool="…"<|sep|> and one typed argument element each.',
  models: ['Kimi K3'],
  templateSigns: [['<|open|>', '<|sep|>']],
  traits: {
    ...usualTraits,
    values: 'attribute',
    reasoning: { open: '<|open|>think<|sep|>', close: '<|close|>think<|sep|>', kept: 'all' },
    textFrame: { open: '<|open|>response<|sep|>', close: '<|close|>response<|sep|>' },
    startsInReasoning: true,
    textAfterCalls: 'aside',
  },
  markers,
  grammar: {
    openers: taggedOpeners({
      tag: xtmlTag,
      next: ['|o'],
      markers,
      block: true,
      bareCalls: 'if-closed',
      typedByAttribute: true,
      whole: true,
      endsLostValue: ['block-open', 'call-open', 'value-open'],
    }),
    frames: [
      ...voiceFrames([{ open: '<|open|>response<|sep|>', close: '<|close|>response<|sep|>' }]),
      ...xtmlCutFrames,
    ],
    drop: [
      { marker: '<|close|>tools<|sep|>', repair: 'stray-closer' },
      { marker: MESSAGE_CLOSE },
      { marker: END },
      { marker: '<|open|>message role="assistant"<|sep|>', repair: 'role-token' },
    ],
    notice: forgedResults('<|open|>message role="tool"'),
  },
  render: { ...kimiK3Render, back: kimiK3Back },
  constrain: kimiK3Spelling,
};
