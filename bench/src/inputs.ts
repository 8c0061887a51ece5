// Seeded inputs: the same characters in every run.

import { type Dialect, renderMessages } from '@dragoman/core';

export const KB = 1024;
export const MB = 1024 * KB;

/** Mulberry32: small, seeded, good enough to mix sentences. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const english = [
  'The harbour was quiet, and the boats lay where the tide had left them. ',
  "It isn't the first time this question came up: see the notes of last week. ",
  'If a < b and b < c, then a < c; nothing else follows.\n\n',
  'Three things matter here: what was asked, what was answered, and when (at 09:30).\n',
  '- a list item with `inline code` and a [link](https://example.org/?q=1&r=2)\n',
];
const chinese = [
  '港口很安静,船停在潮水留下它们的地方。',
  '这个问题不是第一次出现:请看上周的记录!',
  '这里有三件事很重要:问了什么、答了什么、什么时候。\n\n',
];
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: it is code that a model writes, not ours.
const code = [
  '```ts\nconst list: Array<string> = [];\nfor (let i = 0; i < n; i++) list.push(`<li>${i}</li>`);\n```\n',
  '```py\ndef f(x: dict) -> bool:\n    return x["a"] <= 1 and not x.get(\'b\')\n```\n',
  '<div class="note">\n  <p>It works &amp; stays.</p>\n</div>\n',
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: it is code that a model writes, not ours.
const quoted = [
  'She said "no", then "perhaps"; nobody wrote it down.\n',
  '{"path": "C:\\\\temp\\\\new", "list": [1, 2, 3]}\n',
  'if (a < b) { print(\'less\'); } // "quoted" \\n\n',
  '\t<td>cell</td><td>"cell"</td>\n',
];

/** English, Chinese and code, as an answer mixes them. */
export function prose(length: number, seed = 1): string {
  return mix([...english, ...english, ...chinese, ...code], length, seed);
}

/** A file as a model writes it into an argument: quotes, line breaks, backslashes, `<`. */
export function fileText(length: number, seed = 2): string {
  return mix([...english, ...code, ...quoted], length, seed);
}

function mix(sentences: readonly string[], length: number, seed: number): string {
  const random = createRandom(seed);
  const parts: string[] = [];
  for (let done = 0; done < length; ) {
    const sentence = sentences[Math.floor(random() * sentences.length)] as string;
    parts.push(sentence);
    done += sentence.length;
  }
  return flat(parts.join('').slice(0, length));
}

/** The same text as one piece of memory, as text that comes from a socket is. */
function flat(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

/** Up to this length the engine copies a slice; a longer one is only a view of the whole. */
const COPIED = 12;

/** The text in deltas, each a string of its own. */
export function cut(text: string, size: number): string[] {
  const own = size > COPIED ? flat : (delta: string) => delta;
  const deltas: string[] = [];
  for (let at = 0; at < text.length; at += size) deltas.push(own(text.slice(at, at + size)));
  return deltas;
}

export const tools = [
  {
    name: 'write_file',
    description: 'Writes a file.',
    parameters: {
      type: 'object',
      properties: { text: { type: 'string', description: 'What to write.' } },
      required: ['text'],
    },
  },
];

/** A reply that is one call with one string argument, as the dialect spells it. */
export interface CallText {
  /** From the opener up to the argument's first character. */
  head: string;
  argument: string;
  tail: string;
}

const SENTINEL = 'SENTINEL';

export function callText(dialect: Dialect, argument: string): CallText {
  const [head = '', tail = ''] = renderCall(dialect, SENTINEL).split(SENTINEL);
  const whole = renderCall(dialect, argument);
  return { head, argument: flat(whole.slice(head.length, whole.length - tail.length)), tail };
}

function renderCall(dialect: Dialect, text: string): string {
  const call = { name: 'write_file', arguments: JSON.stringify({ text }) };
  const messages = [
    { role: 'user', content: 'Write it.' },
    { role: 'assistant', content: '', tool_calls: [{ id: 'c1', type: 'function', function: call }] },
  ];
  return renderMessages(dialect, { messages, tools }).messages.at(-1)?.content ?? '';
}

/** The first and the last tag of a call: what the floor must find. */
export interface ArgumentFrame {
  open: string;
  close: string;
}

/** The text before and after the argument, for a dialect without tags. */
export function frameOf(dialect: Dialect): ArgumentFrame {
  const [head = '', tail = ''] = renderCall(dialect, SENTINEL).split(SENTINEL);
  const tags = tagsIn(head + tail);
  return { open: tags[0] ?? head, close: tags.at(-1) ?? tail };
}

/** What looks like markup: `<…>` and `!word`. */
export function tagsIn(text: string): string[] {
  return text.match(/<[^<>\n]*>|![a-z_]+/g) ?? [];
}

/** A conversation with tools, calls and results, as an OpenAI request. */
export function longConversation(turns: number): { messages: object[]; tools: object[] } {
  const random = createRandom(3);
  const messages: object[] = [{ role: 'system', content: 'You are a careful assistant.' }];
  for (let turn = 0; turn < turns; turn++) {
    const seed = Math.floor(random() * 1e9);
    const args = JSON.stringify({
      city: 'Beijing',
      days: turn,
      units: ['c', 'f'],
      note: fileText(120, seed),
    });
    const call = { id: `call_${turn}`, type: 'function', function: { name: 'get_weather', arguments: args } };
    messages.push(
      { role: 'user', content: prose(400, seed) },
      { role: 'assistant', content: prose(200, seed + 1), tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content: fileText(600, seed + 2) },
      { role: 'assistant', content: prose(500, seed + 3) },
    );
  }
  messages.push({ role: 'user', content: 'And now?' });
  return { messages, tools: manyTools(10) };
}

function manyTools(count: number): object[] {
  const properties = {
    city: { type: 'string', description: 'Where.' },
    days: { type: 'integer', minimum: 0 },
    units: { type: 'array', items: { type: 'string', enum: ['c', 'f'] } },
    note: { type: 'string', description: 'Anything else, e.g. "bring an umbrella".' },
  };
  const parameters = { type: 'object', properties, required: ['city'] };
  return Array.from({ length: count }, (_, n) => ({
    type: 'function',
    function: { name: n ? `get_weather_${n}` : 'get_weather', description: 'Says the weather.', parameters },
  }));
}
