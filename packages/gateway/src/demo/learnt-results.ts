// How a dialect spells results, learnt from the dialect itself: it writes two made-up ones, and what stands around
// their outputs is what a model would look for.
//
//   <|echo|> OUTPUT_ONE <|/echo|> \n <|echo|> OUTPUT_TWO <|/echo|>
//   before              between                          behind

import { type Dialect, renderMessages } from '@dragoman/core';
import type { ResultForm } from './prompt-forms.js';

const OUTPUTS = ['demo_output_one', 'demo_output_two'] as const;
/** Quoted where a dialect writes results as JSON. */
const QUOTED = 'demo "quoted" output';

interface Frame {
  before: string;
  between: string;
  behind: string;
  /** Outputs are JSON strings. */
  json: boolean;
}

/** Names and ids that stand around an output differ from call to call: only what comes behind the last of them counts. */
export function learnResults(dialect: Dialect): ResultForm {
  const frame = frameOf(dialect);
  return { broken: !frame.json, read: (text) => readResults(text, frame) };
}

function readResults(text: string, { before, between, behind, json }: Frame): ReturnType<ResultForm['read']> {
  const first = text.indexOf(before);
  if (before === '' || first < 0) return undefined;
  const last = behind === '' ? text.length : text.lastIndexOf(behind);
  const start = first + before.length;
  if (last < start) return undefined;
  const outputs = between === '' ? [text.slice(start, last)] : text.slice(start, last).split(between);
  const results = outputs.map((output) => ({ text: json ? unquoted(output) : output }));
  return { results, end: last + behind.length };
}

function unquoted(output: string): string {
  try {
    return String(JSON.parse(`"${output}"`));
  } catch {
    return output;
  }
}

function frameOf(dialect: Dialect): Frame {
  const text = spelled(dialect, OUTPUTS);
  const [one, two] = OUTPUTS.map((output) => text.indexOf(output)) as [number, number];
  if (one < 0 || two < one) return { before: '', between: '', behind: '', json: false };
  const before = text.slice(0, one);
  return {
    before: fixedEnd(before),
    between: fixedEnd(text.slice(one + OUTPUTS[0].length, two)),
    behind: text.slice(two + OUTPUTS[1].length).trimEnd(),
    json: spelled(dialect, [QUOTED, QUOTED]).includes('demo \\"quoted\\" output'),
  };
}

/** Behind the name or the id of the call, if one stands there. */
function fixedEnd(text: string): string {
  const name = text.lastIndexOf('demo_tool');
  const id = text.lastIndexOf('demo_id');
  const at = Math.max(name < 0 ? 0 : name + 'demo_tool'.length, id < 0 ? 0 : id + 'demo_id_1'.length);
  return text.slice(at);
}

function spelled(dialect: Dialect, outputs: readonly string[]): string {
  const ids = outputs.map((_, at) => `demo_id_${at + 1}`);
  const calls = ids.map((id) => ({ type: 'tool-call', id, name: 'demo_tool', input: {} }));
  const results = ids.map((callId, at) => {
    return { type: 'tool-result', callId, name: 'demo_tool', output: outputs[at] };
  });
  const messages = [
    { role: 'assistant', parts: calls },
    { role: 'tool', parts: results },
  ];
  return renderMessages(dialect, { messages }).messages.at(-1)?.content ?? '';
}
