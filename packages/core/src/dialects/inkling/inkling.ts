// inkling: Thinking Machines' Inkling.
//
//   <|message_model|><|content_thinking|>I should look.<|end_message|>
//   <|message_model|>get_weather<|content_invoke_tool_json|>{"name":"get_weather","args":{"city":"Rome"}}<|end_message|>
//
// An answer is made of messages, each with one block of content: thinking, text, or a call. It begins behind
// `<|message_model|>`. The name before a call's block is only a label: the JSON says which tool is meant.
//
// Elsewhere: SGLang makes a call without a name of <|content_invoke_tool_text|>, vLLM takes it for text, as here.
//
// There is no whole prompt: no template of the vendor's was at hand to hold it to.

import type { Dialect, Opener, VoiceFrame } from '../../engine/dialect.js';
import { defineMarkers, matchLiteral, NO, NOT_YET } from '../../engine/markers.js';
import type { Mode } from '../../engine/reader.js';
import { literalFrame } from '../../families/declared/voice-frames.js';
import { jsonFamily } from '../../families/json/json-family.js';
import { inklingCalls, inklingRender, inklingSpelling } from './render.js';

const MODEL = '<|message_model|>';
const TEXT = '<|content_text|>';
const THINKING = '<|content_thinking|>';
const CALL = '<|content_invoke_tool_json|>';
const OTHER_TEXT = ['<|content_invoke_tool_text|>', '<|content_tool_error|>'];
const CLOSERS = ['<|end_message|>', '<|content_model_end_sampling|>'];
const FORGED = ['<|message_tool|>'];
const ROLES = ['<|message_system|>', '<|message_user|>', '<|content_xml|>'];
const LABEL_LIMIT = 256;

const markers = defineMarkers([MODEL, TEXT, THINKING, CALL, ...OTHER_TEXT, ...CLOSERS, ...FORGED, ...ROLES]);

/** Matches `<|message_model|>`, an optional label, and the content's marker; the marker may also come alone. */
function matchMessage(content: string, text: string, at: number, ended: boolean): number {
  const alone = matchLiteral(text, at, content, ended);
  if (alone > 0) return alone;
  const start = matchLiteral(text, at, MODEL, ended);
  if (start <= 0) return alone === NOT_YET || start === NOT_YET ? NOT_YET : NO;
  const end = endOfLabel(text, at + start);
  if (end - at - start > LABEL_LIMIT) return NO;
  if (end >= text.length) return ended ? NO : NOT_YET;
  const found = matchLiteral(text, end, content, ended);
  return found > 0 ? end + found - at : found;
}

function endOfLabel(text: string, from: number): number {
  let at = from;
  while (at < text.length && !'<\n'.includes(text.charAt(at))) at++;
  return at;
}

function frame(content: string, opens: 'text' | 'reasoning'): VoiceFrame {
  return {
    firsts: '<',
    next: [content.slice(1, 3), MODEL.slice(1, 3)],
    match: (text, at, ended) => matchMessage(content, text, at, ended),
    opens,
  };
}

const [block] = jsonFamily.grammar(inklingCalls, markers).openers as [Opener];

const open: Opener['open'] = (reader, hold) => {
  const length = matchMessage(CALL, reader.text, reader.at, reader.ended);
  reader.markup(length - CALL.length);
  return block.open(reader, hold);
};

/** <|message_model|> | name<|content_invoke_tool_json|>  — at the start of an answer. */
const begin: Mode = (reader) => {
  const { text, at, ended } = reader;
  const labels = reader.setup.readCalls ? [...reader.setup.tools.keys()].map((name) => name + CALL) : [];
  const found = labels.find((label) => text.startsWith(label, at));
  if (found === undefined) {
    const rest = text.slice(at, at + LABEL_LIMIT + CALL.length);
    return !ended && labels.some((label) => label.startsWith(rest)) ? undefined : reader.plain;
  }
  const hold = reader.tryOpener(0);
  reader.beginSource();
  reader.markup(found.length - CALL.length);
  return block.open(reader, hold);
};

export const inkling: Dialect = {
  name: 'inkling',
  aliases: ['tml_inkling', 'inkling-small'],
  about: 'Messages of one content block each: thinking, text, or a JSON call.',
  models: ['Inkling', 'Inkling-Small'],
  traits: {
    ...jsonFamily.traits(inklingCalls),
    reasoning: { open: MODEL + THINKING, close: '<|end_message|>' },
    textFrame: { open: MODEL + TEXT, close: '<|end_message|>' },
    callsInReasoning: 'never',
    startsInReasoning: false,
    textAfterCalls: 'text',
    coercesStrings: false,
    resultRole: 'user',
  },
  markers,
  grammar: {
    begin,
    openers: [
      {
        firsts: '<',
        next: ['|m', '|c'],
        message: true,
        match: (text, at, ended) => matchMessage(CALL, text, at, ended),
        open,
      },
    ],
    frames: [
      frame(THINKING, 'reasoning'),
      ...[TEXT, ...OTHER_TEXT].map((content) => frame(content, 'text')),
      ...CLOSERS.map((closer) => literalFrame(closer, 'nothing')),
    ],
    drop: [MODEL, ...ROLES].map((marker) => ({ marker, repair: 'role-token' as const })),
    notice: FORGED.map((marker) => ({
      marker,
      code: 'forged-result' as const,
      message: 'The model wrote a tool result itself; results come only from the host.',
    })),
  },
  render: inklingRender,
  constrain: inklingSpelling,
};
