// harmony: gpt-oss.
//
//   <|channel|>analysis<|message|>I should look.<|end|>
//   <|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Rome"}<|call|>
//
// An answer is made of messages, each with a header (families/message-header.ts); it begins behind
// `<|start|>assistant`. analysis is reasoning, final and commentary are text, a message with a recipient is a call,
// in whatever channel. The recipient stands in the role or behind the channel, with or without `functions.`; the
// content type may be missing. Endpoints stop at <|call|> and <|return|>, so both may be missing, too.
//
// Elsewhere: vLLM puts a line break between two messages of text and delivers arguments that are no JSON; SGLang
// takes the last part of a dotted name, drops calls of unknown tools, and guesses at text whose tokens were lost
// (`analysis…assistantfinal…`), which is text here. A message `to=assistant` is a result the model made up; vLLM
// drops it, here it is text.
//
// The whole prompt is as the vendor's template has it, with earlier calls in its spelling: the recipient in the role.
// The template knows one call a turn and takes a text beside it for reasoning; here all calls stand, and the text is in
// the commentary. It has a clock; here `current_date` among the template's options says the date, or none is said.

import type { Dialect } from '../../engine/dialect.js';
import { defineMarkers } from '../../engine/markers.js';
import {
  forgedResults,
  literalFrame,
  roleTokens,
  usualTraits,
} from '../../families/declared/dialect-parts.js';
import { HeaderArguments } from '../../families/json/header-arguments.js';
import {
  beginInHeader,
  CHANNEL,
  CONSTRAIN,
  cutFrame,
  headerFrames,
  headerOpener,
  MESSAGE,
  type MessageKind,
  type OpenCall,
  START,
  startFrame,
} from '../../families/writing/message-header.js';
import { harmonyRender, harmonySpelling } from './prompt.js';

const CLOSERS = ['<|call|>', '<|end|>', '<|return|>'];
const PEOPLE = ['assistant', 'user', 'all'];

const kindOf: MessageKind = ({ channel, recipient }) => {
  if (recipient !== undefined && !PEOPLE.includes(recipient)) return 'call';
  return channel === 'analysis' ? 'reasoning' : 'text';
};

const open: OpenCall = (reader, hold, { recipient = '', recipientAt, length }) => {
  const prefix = recipient.startsWith('functions.') && recipient !== 'functions.' ? 'functions.'.length : 0;
  const call = new HeaderArguments({ closers: [...CLOSERS, START], otherwise: 'error' });
  return call.open(reader, hold, recipient.slice(prefix), recipientAt + prefix, length);
};

export const harmony: Dialect = {
  name: 'harmony',
  aliases: ['openai', 'gpt-oss', 'openai_gptoss'],
  about: 'Messages in channels: analysis, final, and commentary to=functions.… with JSON.',
  models: ['gpt-oss'],
  templateSigns: [['<|channel|>commentary', '<|start|>']],
  traits: {
    ...usualTraits,
    reasoning: { open: '<|channel|>analysis<|message|>', close: '<|end|><|start|>assistant' },
    textFrame: { open: '<|channel|>final<|message|>', close: '<|end|>' },
    callsInReasoning: 'never',
  },
  markers: defineMarkers([
    START,
    CHANNEL,
    CONSTRAIN,
    MESSAGE,
    ...CLOSERS,
    '<|startoftext|>',
    '<|endoftext|>',
    '<|endofprompt|>',
    // Names of the vendor's encoder, which the public vocabulary does not have.
    ...['<|refusal|>', '<|untrusted|>', '<|end_untrusted|>', '<|meta_sep|>', '<|meta_end|>'],
    // Followed by a number.
    '<|reserved_',
  ]),
  grammar: {
    begin: beginInHeader(kindOf, open),
    openers: [headerOpener(kindOf, open)],
    frames: [
      ...headerFrames(kindOf),
      cutFrame,
      startFrame,
      ...CLOSERS.map((closer) => literalFrame(closer, 'nothing')),
    ],
    drop: [
      ...roleTokens(['system', 'developer', 'user'].map((role) => START + role)),
      ...[CHANNEL, CONSTRAIN, MESSAGE].map((marker) => ({ marker, repair: 'stray-marker' as const })),
      { marker: '<|endoftext|>' },
    ],
    notice: forgedResults(`${START}functions.`),
  },
  render: harmonyRender,
  constrain: harmonySpelling,
};
