// react: taught, trained into no model: Thought, Action, Action Input, Observation.
//
//   Thought: I should look.
//   Action: get_weather
//   Action Input: {"city": "Rome"}
//
// The name stands on the line of `Action:`, which begins the answer or a line; the input is one JSON object and ends
// by itself. Anything else behind `Action:` is prose. `Thought:` begins reasoning, which ends at `Action:` or at
// `Final Answer:`; that one is no text, either, and what stands behind it in its line is the answer, labels included. A
// code fence is an example, in a thought as well. Results come back behind `Observation:`; one that the model writes itself
// is reported, and stays text. An endpoint should stop there.

import type { Dialect, Opener, Render, VoiceFrame } from '../engine/dialect.js';
import type { OpenerHold } from '../engine/hold.js';
import { defineMarkers, matchLiteral, NOT_YET } from '../engine/markers.js';
import { callField } from '../engine/message-text.js';
import type { Mode, Reader } from '../engine/reader.js';
import { resultsIn } from '../families/declared/declared-results.js';
import { forgedResults, literalFrame, THINK, usualTraits } from '../families/declared/dialect-parts.js';
import { quotedFence } from '../families/declared/quoted-text.js';
import { nameLength } from '../families/expressions/expression-names.js';
import { HeaderArguments } from '../families/json/header-arguments.js';
import { argumentsText } from '../families/writing/call-arguments.js';
import { readToolLines, teaching } from '../families/writing/tool-text.js';
import { callEach, type Spelling } from '../grammar/spelling.js';

const ACTION = 'Action:';
const INPUT = 'Action Input:';
const OBSERVATION = 'Observation:';
const THOUGHT = 'Thought:';
const ANSWER = 'Final Answer:';
const MARKERS = [ACTION, INPUT, OBSERVATION];

/** How much white space may separate the parts of a header. */
const GAP = 64;

/** | Action: f  */
const open: Opener['open'] = (reader, hold) => {
  reader.unfinished = 'text';
  return (r) => header(r, hold);
};

/** | Action: f ⏎ Action Input:  — matched as a whole, because it is short. */
function header(reader: Reader, hold: OpenerHold): Mode | undefined {
  const { text: window, at } = reader;
  const name = skip(window, at + ACTION.length, ' \t');
  const nameEnd = name + nameLength(window, name);
  const lineEnd = skip(window, nameEnd, ' \t');
  const input = skip(window, lineEnd, ' \t\r\n');
  if (input >= window.length && input - nameEnd < GAP) return undefined;
  const found = matchLiteral(window, input, INPUT, reader.ended);
  if (found < 0) return undefined;
  if (found === 0 || nameEnd === name || lineEnd === input) return hold.reject();
  const call = new HeaderArguments({ closers: [OBSERVATION], otherwise: 'text' });
  return call.open(reader, hold, window.slice(name, nameEnd), name - at, input + found - at);
}

function skip(window: string, from: number, chars: string): number {
  let at = from;
  while (at < window.length && at - from < GAP && chars.includes(window.charAt(at))) at++;
  return at;
}

const markers = defineMarkers([...MARKERS, THOUGHT, ANSWER, '<think>', '</think>']);
const fence = quotedFence(markers, [], THINK.close);

/** A label at the beginning of a line, with the blanks behind it. */
function label(marker: string, opens: VoiceFrame['opens']): VoiceFrame {
  return {
    ...literalFrame(marker, opens),
    line: true,
    match(window, at, ended) {
      const found = matchLiteral(window, at, marker, ended);
      if (found <= 0) return found;
      const end = skip(window, at + found, ' \t');
      return end >= window.length && !ended ? NOT_YET : end - at;
    },
  };
}

const render: Render = {
  instructions: teaching({
    example: `${ACTION} NAME\n${INPUT} {"key": "text", "count": 2}`,
    rules:
      'The input is one JSON object. You may think first, in a line that begins with "Thought:". For several ' +
      'calls, write both lines for each.',
    result: `${OBSERVATION} ...`,
  }),
  calls: (out, calls, { afterText }) => {
    for (const [at, call] of calls.entries()) {
      out.ours(`${afterText || at > 0 ? '\n' : ''}${ACTION} `).outside(call.name, callField(call));
      out.ours(`\n${INPUT} `).jsonText(argumentsText(call), callField(call));
    }
  },
  results: resultsIn({ each: `${OBSERVATION} {output}`, between: '\n' }),
  stop: [`\n${OBSERVATION}`],
  back: { tools: readToolLines },
};

const constrain: Spelling = {
  triggers: [ACTION],
  calls: callEach(({ name }) => [`${ACTION} ${name}\n${INPUT} `, ''], MARKERS, '\n'),
};

export const react: Dialect = {
  name: 'react',
  aliases: [],
  about: 'Thought, Action and Action Input on lines of their own, taught by a prompt.',
  models: [],
  traits: {
    ...usualTraits,
    reasoning: THINK,
    callsInReasoning: 'never',
    startsInReasoning: true,
    textAfterCalls: 'aside',
  },
  markers,
  grammar: {
    quotes: [fence],
    openers: [
      fence,
      {
        firsts: 'A',
        next: ['ct'],
        message: true,
        line: true,
        match: (window, at, ended) => matchLiteral(window, at, ACTION, ended),
        open,
      },
    ],
    frames: [label(THOUGHT, 'reasoning'), { ...label(ANSWER, 'nothing'), head: ANSWER }],
    notice: forgedResults(OBSERVATION),
  },
  render,
  constrain,
};
