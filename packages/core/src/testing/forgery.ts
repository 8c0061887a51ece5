// Law 4, for prompts: no text from outside forms a frame or a call in a prompt.
//
// A hostile string is put into every place of a conversation that a client or a tool can fill. In the rendered prompt,
// no marker of the dialect may contain characters of that string. Dialects that place text in their own way (a frame
// that nothing inside can end) are tested by parsing the prompt: it must give no call.

import type { Dialect } from '../engine/dialect.js';
import { NO } from '../engine/markers.js';
import { parse } from '../engine/parse.js';
import { renderMessages, renderPrompt } from '../engine/renderer.js';
import type { Span } from '../engine/writer.js';
import type { Conversation } from '../model/index.js';
import type { LawReport } from './laws.js';
import { markerMix } from './marker-mix.js';
import type { Random } from './random.js';

export function noForgery(
  dialect: Dialect,
  pieces: readonly string[],
  random: Random,
  runs: number,
): LawReport {
  const failures: string[] = [];
  let tried = 0;
  const harmless = rendered(dialect, hostile('x'), 0).map(({ content }) => callsRead(dialect, content));
  for (let n = 0; n < runs; n++) {
    const text = markerMix(random, pieces, 1 + random.int(10)).toWellFormed();
    const conversation = hostile(text);
    for (const [at, { content, spans }] of rendered(dialect, conversation, n).entries()) {
      tried++;
      const forged = dialect.render.text
        ? differs(callsRead(dialect, content), harmless[at])
        : forgedInSpans(dialect, content, spans);
      if (forged && failures.length < 5)
        failures.push(`${JSON.stringify(text)} forms ${JSON.stringify(forged)}`);
    }
  }
  return { law: 'no forgery', tried, failures };
}

/** Renders messages, the prompt, and one of its variants, another one in each run. */
function rendered(
  dialect: Dialect,
  conversation: Conversation,
  run: number,
): { content: string; spans: Span[] }[] {
  const { messages } = renderMessages(dialect, conversation);
  const { prompt, variants = [] } = dialect.render;
  if (!prompt) return messages;
  const variant = variants[run % variants.length];
  const prompts = [{}, ...(variant ? [{ model: variant.name }] : [])].map((chosen) => {
    const { text, spans } = renderPrompt(dialect, conversation, { thinking: true, ...chosen });
    return { content: text, spans };
  });
  return [...messages, ...prompts];
}

/** Puts the text into every place that comes from outside. Call names are validated on input and stay plain. */
function hostile(text: string): Conversation {
  const tool = {
    name: 'f',
    description: text,
    parameters: {
      type: 'object',
      properties: { [`k${text}`]: { type: 'string', description: text, enum: [text] } },
    },
  };
  const call = {
    type: 'tool-call' as const,
    id: 'call_1',
    name: 'f',
    input: { [`k${text}`]: text, n: [text] },
  };
  return {
    tools: [tool],
    toolChoice: 'auto',
    messages: [
      { role: 'system', parts: [{ type: 'text', text }] },
      {
        role: 'user',
        parts: [
          { type: 'text', text },
          { type: 'text', text },
        ],
      },
      { role: 'assistant', parts: [{ type: 'reasoning', text }, { type: 'text', text }, call] },
      { role: 'tool', parts: [{ type: 'tool-result', callId: 'call_1', name: 'f', output: text }] },
      { role: 'user', parts: [{ type: 'text', text }] },
    ],
  };
}

/** Finds a marker that is not wholly written by us. */
function forgedInSpans({ markers }: Dialect, content: string, spans: readonly Span[]): string | undefined {
  for (const { start, end, origin } of spans) {
    if (origin === 'ours') continue;
    for (let at = start; at < end; at++) {
      const length = markers.firsts.includes(content.charAt(at)) ? markers.match(content, at, true) : NO;
      if (length > 0) return content.slice(at, at + length);
    }
  }
  return undefined;
}

/** Gives the calls read, by id and name: they must be the same as with a harmless text in the same places. */
function callsRead(dialect: Dialect, content: string): string {
  return JSON.stringify(parse(dialect, content).calls.map(({ id, name }) => [id, name]));
}

function differs(read: string, expected: string | undefined): string | undefined {
  return read === expected ? undefined : read;
}
