// Finds the results in a message by rendering: the dialect renders placeholder outputs for the same calls, and the text
// around them is also around the real ones.
//
//   <tool_response>\n  OUTPUT_1  \n</tool_response>\n<tool_response>\n  OUTPUT_2  \n</tool_response>
//   frame[0]                     frame[1]                                        frame[2]

import { type Dialect, type ParsedCall, renderMessages, restore } from '@dragoman/core/internal';

export interface AnsweredCall {
  /** Absent if the result belongs to no known call. */
  call?: ParsedCall;
  output: string;
}

export interface FoundResults {
  answered: AnsweredCall[];
  end: number;
}

/** Reads the results of these calls at the start of `text`, and gives where they end. */
export function readResults(
  dialect: Dialect,
  calls: readonly ParsedCall[],
  text: string,
): FoundResults | undefined {
  const reader = dialect.render.back?.results;
  if (!reader) return calls.length === 0 ? undefined : matchFrame(dialect, calls, text);
  const read = reader(text);
  if (!read) return undefined;
  const answered = read.results.map(({ text, callId }, at): AnsweredCall => {
    const call = calls.find(({ id }) => id === callId) ?? calls[at];
    return { ...(call && { call }), output: text };
  });
  return { answered, end: read.end };
}

/** Matches the frame. Text from outside holds no marker, so an output ends where the frame first continues. */
function matchFrame(dialect: Dialect, calls: readonly ParsedCall[], text: string): FoundResults | undefined {
  const frame = frameOf(dialect, calls);
  // The dialect writes nothing around outputs: the whole text is the output.
  if (frame.every((words) => words.trim() === '')) {
    const [call] = calls.length === 1 ? calls : [];
    return {
      answered: [{ ...(call && { call }), output: restore(text, dialect.markers) }],
      end: text.length,
    };
  }
  const [first = '', ...rest] = frame;
  const isQuoted = first.endsWith('"') && rest[0]?.startsWith('"') === true;
  let at = text.startsWith(first) ? first.length : -1;
  const answered: AnsweredCall[] = [];
  for (const [index, words] of rest.entries()) {
    if (at < 0) return undefined;
    const end = isQuoted ? quoteEnd(text, at) : words === '' ? text.length : text.indexOf(words, at);
    if (end < 0 || !text.startsWith(words, end)) return undefined;
    const raw = text.slice(at, end);
    const output = isQuoted ? String(JSON.parse(`"${raw}"`)) : restore(raw, dialect.markers);
    answered.push({ call: calls[index] as ParsedCall, output });
    at = end + words.length;
  }
  return { answered, end: at };
}

function frameOf(dialect: Dialect, calls: readonly ParsedCall[]): string[] {
  const ids = calls.map(({ id }, at) => id ?? `call_${at}`);
  const parts = calls.map(({ name, input }, at) => ({ type: 'tool-call', id: ids[at], name, input }));
  const results = calls.map(({ name }, at) => {
    return { type: 'tool-result', callId: ids[at], name, output: `OUTPUT_${at}_HERE` };
  });
  const messages = [
    { role: 'assistant', parts },
    { role: 'tool', parts: results },
  ];
  const rendered = renderMessages(dialect, { messages }).messages;
  return (rendered.at(-1)?.content ?? '').split(/OUTPUT_\d+_HERE/);
}

/** Gives the index of the closing quote of the string that begins before `start`. */
function quoteEnd(text: string, start: number): number {
  const string = /(?:[^"\\\n]|\\.)*/y;
  string.lastIndex = start;
  string.exec(text);
  return text.charAt(string.lastIndex) === '"' ? string.lastIndex : -1;
}
