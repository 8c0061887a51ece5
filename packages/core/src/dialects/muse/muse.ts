// muse: Meta's Muse Glimmer, in ATEM.
//
//   <|start|>assistant to=self<|message|>I should look.<|eom|><|start|>assistant to=get_weather<|message|>
//   <atem:function_calls>
//   <atem:invoke name="get_weather">
//   <atem:parameter name="city">Rome</atem:parameter>
//   </atem:invoke>
//   </atem:function_calls><|eom|>
//
// An answer is made of messages (families/message-header.ts): to=self is reasoning, to=user text, to=a tool a call.
// It begins behind `<|start|>assistant`. Values are raw text, typed by the schema. In a message to the user or to
// itself the tags are a mention; without any header they are a call.
//
// The model doubles the name of a tool without a namespace: `get_weather.get_weather` is get_weather, if that is
// declared. SGLang goes further, and takes the last part of any dotted name.
//
// The vendor's template drops text beside calls; the whole prompt here keeps it, as a message to the user.

import type { TaggedCalls } from '../../engine/declaration.js';
import type { Dialect, Opener } from '../../engine/dialect.js';
import type { OpenerHold } from '../../engine/hold.js';
import { defineMarkers, NO, NOT_YET } from '../../engine/markers.js';
import type { Mode, Reader } from '../../engine/reader.js';
import {
  forgedResults,
  literalFrame,
  roleTokens,
  usualTraits,
} from '../../families/declared/dialect-parts.js';
import { taggedFamily } from '../../families/tags/tagged-family.js';
import { taggedRules } from '../../families/tags/tagged-rules.js';
import {
  beginInHeader,
  cutFrame,
  headerFrames,
  headerOpener,
  MESSAGE,
  type MessageKind,
  type OpenCall,
  START,
} from '../../families/writing/message-header.js';
import { museRender, museSpelling } from './prompt.js';

const ENDS = ['<|eom|>', '<|eot|>'];

const atem: TaggedCalls = {
  family: 'tags',
  block: { open: '<atem:function_calls>', close: '</atem:function_calls>' },
  call: { open: '<atem:invoke name="{name}">', close: '</atem:invoke>' },
  argument: { open: '<atem:parameter name="{key}">', close: '</atem:parameter>' },
  layout: { before: '', block: '\n', call: '\n', argument: '\n', behind: '\n' },
  bareCalls: 'if-declared',
};

const markers = defineMarkers([
  ...taggedFamily.markers(atem),
  START,
  MESSAGE,
  ...ENDS,
  '<tool_output',
  '</tool_output>',
  '<|begin_of_text|>',
  '<|end_of_text|>',
  '<|image|>',
  '<|video|>',
  '<|patch|>',
]);

const { openers, drop = [] } = taggedFamily.grammar(atem, markers);
const blocks = openers.map(
  (opener): Opener => ({
    ...opener,
    open: (reader, hold) => undoubled((r) => opener.open(r, hold))(reader),
  }),
);
const [tags] = blocks as [Opener];

const kindOf: MessageKind = ({ recipient = 'user' }) =>
  recipient === 'self' ? 'reasoning' : recipient === 'user' ? 'text' : 'call';

const open: OpenCall = (reader, hold, { length }) => {
  reader.unfinished = 'incomplete';
  reader.markup(length);
  return (r) => body(r, hold);
};

/** <|message|> | <atem:function_calls>  — a message to a tool with any other content is text. */
function body(reader: Reader, hold: OpenerHold): Mode | undefined {
  const { text } = reader;
  let end = reader.at;
  while (end < text.length && ' \n'.includes(text.charAt(end))) end++;
  reader.markup(end - reader.at);
  if (end >= text.length) return undefined;
  const found = tags.match(text, end, reader.ended);
  if (found === NOT_YET) return undefined;
  if (found !== NO) return tags.open(reader, hold);
  hold.keep();
  reader.unfinished = 'nothing';
  return reader.plain;
}

/** Reads as `mode` does, and turns a doubled name into one. */
function undoubled(mode: Mode): Mode {
  return (reader) => {
    const next = mode(reader);
    undouble(reader);
    return next === undefined || next === reader.plain ? next : undoubled(next);
  };
}

function undouble(reader: Reader): void {
  const { call, setup } = reader;
  if (!call || call.tool || call.raw.length > 0) return;
  const half = call.name.slice(0, call.name.length >> 1);
  if (call.name !== `${half}.${half}` || !setup.tools.has(half)) return;
  call.name = half;
  call.start.name = half;
  call.tool = setup.tools.get(half);
  reader.repair('other-spelling');
}

export const muse: Dialect = {
  name: 'muse',
  aliases: ['muse_glimmer', 'muse-glimmer', 'atem', 'glimmer'],
  about: 'Messages to=self, to=user and to=a tool; calls as <atem:invoke> elements.',
  models: ['Muse Glimmer'],
  traits: {
    ...usualTraits,
    ...taggedFamily.traits(atem),
    reasoning: { open: ' to=self<|message|>', close: '<|eom|><|start|>assistant', kept: 'all' },
    textFrame: { open: ' to=user<|message|>', close: '<|eom|>' },
    callsInReasoning: 'never',
  },
  markers,
  grammar: {
    begin: beginInHeader(kindOf, open),
    openers: [headerOpener(kindOf, open), ...blocks.map((opener) => ({ ...opener, unframed: true }))],
    frames: [
      ...headerFrames(kindOf),
      cutFrame,
      literalFrame(`${START}assistant`, 'nothing'),
      ...ENDS.map((end) => literalFrame(end, 'nothing')),
    ],
    drop: [
      ...drop,
      ...roleTokens(['system', 'user', 'tool'].map((role) => START + role)),
      { marker: MESSAGE, repair: 'stray-marker' },
      { marker: '<|end_of_text|>' },
    ],
    notice: forgedResults('<tool_output'),
  },
  render: museRender(taggedFamily.writeCalls(atem)),
  constrain: museSpelling(taggedRules(atem)),
};
