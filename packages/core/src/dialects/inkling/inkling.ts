// inkling: Thinking Machines' Inkling.
//
//   <|message_model|><|content_thinking|>I should look.<|end_message|>
//   <|message_model|>get_weather<|content_invoke_tool_json|>{"name":"get_weather","args":{"city":"Rome"}}<|end_message|>
//
// An answer is made of messages, each with one block of content: thinking, text, or a call. It begins behind
// `<|message_model|>`. The name before a call's block is only a label: the JSON says which tool is meant.
//
// A call whose JSON cannot be read is reported once, and is no text.
//
// Elsewhere: SGLang makes a call without a name of <|content_invoke_tool_text|>, vLLM takes it for text, as here.
//
// There is no whole prompt: no template of the vendor's was at hand to hold it to.

import type { JsonCalls } from '../../engine/declaration.js';
import type { Dialect, Opener, Render, VoiceFrame } from '../../engine/dialect.js';
import type { OpenerHold } from '../../engine/hold.js';
import { defineMarkers, matchFirst, matchLiteral, NO, NOT_YET, nextOf } from '../../engine/markers.js';
import { callField } from '../../engine/message-text.js';
import type { Mode } from '../../engine/reader.js';
import { resultsIn } from '../../families/declared/declared-results.js';
import { forgedResults, roleTokens, usualTraits } from '../../families/declared/dialect-parts.js';
import { nameLength } from '../../families/expressions/expression-names.js';
import { jsonFamily } from '../../families/json/json-family.js';
import { inputOf } from '../../families/writing/call-arguments.js';
import { readToolLines, teaching } from '../../families/writing/tool-text.js';
import { all, any, argumentsValue, many, type Rule, type Spelling, text } from '../../grammar/spelling.js';
import { stringifyJson, type Tool } from '../../model/index.js';

const MODEL = '<|message_model|>';
const TEXT = '<|content_text|>';
const THINKING = '<|content_thinking|>';
const CALL = '<|content_invoke_tool_json|>';
const END = '<|end_message|>';
const OTHER_TEXT = ['<|content_invoke_tool_text|>', '<|content_tool_error|>'];
const CLOSERS = [END, '<|content_model_end_sampling|>'];
const RESULT = '<|message_tool|>';
const ROLES = ['<|message_system|>', '<|message_user|>', '<|content_xml|>'];
const LABEL_LIMIT = 256;
/** A longer first word of an answer is no label. */
const NAME_LIMIT = 64;

const markers = defineMarkers([MODEL, TEXT, THINKING, CALL, ...OTHER_TEXT, ...CLOSERS, RESULT, ...ROLES]);

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

/** Ends a message. A name behind it that a call follows is that call's label, whose <|message_model|> is missing. */
function closerFrame(closer: string): VoiceFrame {
  const match = (text: string, at: number, ended: boolean): number => {
    const found = matchLiteral(text, at, closer, ended);
    if (found <= 0) return found;
    const end = at + found;
    const length = nameLength(text, end);
    if (length > NAME_LIMIT) return found;
    if (end + length >= text.length) return ended ? found : NOT_YET;
    const next = length === 0 ? NO : matchLiteral(text, end + length, CALL, ended);
    return next === NOT_YET ? NOT_YET : next > 0 ? found + length : found;
  };
  return { firsts: '<', next: [closer.slice(1, 3)], match, opens: 'nothing' };
}

const calls: JsonCalls = {
  family: 'json',
  open: CALL,
  close: END,
  shape: 'object',
  keys: { name: 'name', arguments: 'args' },
};

const [block] = jsonFamily.grammar(calls, markers).openers as [Opener];

const open: Opener['open'] = (reader, hold) => {
  const length = matchMessage(CALL, reader.text, reader.at, reader.ended);
  reader.markup(length - CALL.length);
  return thenLabel(block.open(reader, length > CALL.length ? failing(hold) : hold));
};

/** Makes a call that cannot be read an error, header and all, instead of text: prose has no whole header and a bracket. */
function failing(hold: OpenerHold): OpenerHold {
  const reject = hold.reject.bind(hold);
  hold.reject = (issue) => {
    if (!issue) return reject();
    hold.undo();
    const { reader } = hold;
    reader.markup(reader.text.indexOf(CALL, reader.at) + CALL.length - reader.at);
    reader.unfinished = 'incomplete';
    return broken(issue.message);
  };
  return hold;
}

/** <|content_invoke_tool_json|> | {not JSON<|end_message|>  — up to its end, or to the next message. */
function broken(message: string): Mode {
  const mode: Mode = (reader) => {
    const { text, at, ended } = reader;
    const end = nextOf(text, '<', at);
    reader.markup(end - at);
    if (end >= text.length) return undefined;
    const found = matchFirst(text, end, [...CLOSERS, MODEL], ended);
    if (found === NOT_YET) return undefined;
    if (found === NO) {
      reader.markup(1);
      return mode;
    }
    reader.failCall('unreadable-call', message, text.startsWith(MODEL, end) ? 0 : found);
    reader.unfinished = 'nothing';
    return reader.plain;
  };
  return mode;
}

/** Reads as `mode` does. Behind the call, the label of the next one may stand without its <|message_model|>. */
function thenLabel(mode: Mode | undefined): Mode | undefined {
  return (
    mode &&
    ((reader) => {
      const next = mode(reader);
      return next === reader.plain ? begin : thenLabel(next);
    })
  );
}

/** <|message_model|> | name<|content_invoke_tool_json|>  — at the start of an answer, or behind a call. The name is any word. */
const begin: Mode = (reader) => {
  const { text, at, ended } = reader;
  // A name begins with no dot: one is not waited for, as bridge/heal feeds it first to begin behind text.
  if (!reader.setup.readCalls || text.startsWith('.', at)) return reader.plain;
  const length = nameLength(text, at);
  if (length > NAME_LIMIT) return reader.plain;
  const found = at + length >= text.length && !ended ? NOT_YET : matchLiteral(text, at + length, CALL, ended);
  if (found === NOT_YET) return undefined;
  if (found === NO || length === 0) return reader.plain;
  const hold = reader.tryOpener(0);
  reader.beginSource();
  reader.markup(length);
  return thenLabel(block.open(reader, failing(hold)));
};

const render: Render = {
  instructions: teaching({
    example: `${MODEL}NAME${CALL}{"name":"NAME","args":{"key":"text","count":2}}${END}`,
    rules: 'The call is one JSON object with "name" and "args". For several calls, write several messages.',
    result: `${RESULT}NAME${TEXT}...${END}`,
  }),
  calls: (out, given) => {
    for (const call of given) {
      const field = callField(call);
      out.ours(MODEL).outside(call.name, field).ours(`${CALL}{"name":`).json(call.name, field);
      out.ours(',"args":').jsonText(stringifyJson(inputOf(call), 'compact'), field);
      out.ours(`}${END}`);
    }
  },
  results: resultsIn({ each: `${RESULT}{name}${TEXT}{output}${END}`, between: '' }),
  stop: ['<|content_model_end_sampling|>'],
  back: { tools: readToolLines },
};

/** Grammar rules. The prompt ends with `<|message_model|>`, so the first call may omit it, and its label. */
const constrain: Spelling = {
  triggers: [CALL],
  calls: (tools, { from, to }) => {
    const rest = { from: Math.max(0, from - 1), ...(to !== undefined && { to: to - 1 }) };
    const label = (tool: Tool) => text(MODEL + tool.name);
    const first = tools.map((tool) => all(many(label(tool), { from: 0, to: 1 }), callRule(tool)));
    return all(any(...first), many(any(...tools.map((tool) => all(label(tool), callRule(tool)))), rest));
  },
};

function callRule(tool: Tool): Rule {
  const open = `${CALL}{"name":${JSON.stringify(tool.name)},"args":`;
  return all(
    text(open),
    argumentsValue(tool, { type: 'json', without: [MODEL, CALL, END] }),
    text(`}${END}`),
  );
}

export const inkling: Dialect = {
  name: 'inkling',
  aliases: ['tml_inkling', 'inkling-small'],
  about: 'Messages of one content block each: thinking, text, or a JSON call.',
  models: ['Inkling', 'Inkling-Small'],
  traits: {
    ...usualTraits,
    ...jsonFamily.traits(calls),
    reasoning: { open: MODEL + THINKING, close: END },
    textFrame: { open: MODEL + TEXT, close: END },
    callsInReasoning: 'never',
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
      ...CLOSERS.map(closerFrame),
    ],
    drop: roleTokens([MODEL, ...ROLES]),
    notice: forgedResults(RESULT),
  },
  render,
  constrain,
};
