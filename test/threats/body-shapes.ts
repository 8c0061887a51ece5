// Bodies of requests, drawn: what a client may send within the limit of bytes to make a gateway work or grow.

const KB = 1024;

export type Draw = () => number;

/** Numbers from 0 to 1, the same for the same seed. */
export function drawFrom(seed: number): Draw {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function pick<T>(draw: Draw, from: readonly T[]): T {
  return from[Math.floor(draw() * from.length)] as T;
}

/** Repeats the unit, with the separator between, up to so many bytes. */
function filled(unit: string, bytes: number, separator = ','): string {
  const count = Math.max(1, Math.floor(bytes / Buffer.byteLength(unit + separator)));
  return `${(unit + separator).repeat(count - 1)}${unit}`;
}

const HEAD = '"model":"m","messages":[{"role":"user","content":"hi"}]';
const TOOL = '{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}';

const units = ['[]', '{}', '1', '""', 'null', '[[]]', '{"a":{}}', '{"a":[1,2]}', '"\\u0000"', '1e5', 'true'];
const texts = [
  'a',
  'The "quick" <b>fox</b>.\n',
  '你好',
  '\n',
  '"',
  '\\',
  '<tool_call>',
  '</tool_call>{"',
  '😀',
  '\u0000',
];
const messages = [
  '{"role":"user","content":""}',
  '{"role":"assistant","content":"x"}',
  '{"role":"system","content":"x"}',
  '{}',
  '{"role":"user","content":[{"type":"text","text":"x"}]}',
  '{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"ok"}',
];

/** A JSON string whose characters are all escapes. */
function escaped(text: string): string {
  return `"${text.replace(/[\s\S]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
}

/** The JSON inside of a string, and text that is nearly JSON. */
function argumentText(draw: Draw, bytes: number): string {
  const most = bytes * 0.7;
  const members = () => Array.from({ length: Math.floor(most / 12) }, (_, at) => `"m${at}":1`).join();
  return pick(draw, [
    () => `{"a":[${filled(pick(draw, units), most)}]}`,
    () => `{${members()}}`,
    () => `{"a":${JSON.stringify(filled(pick(draw, texts), most / 2, ''))}}`,
    () => `{"a":${'['.repeat(most / 2)}${']'.repeat(most / 2)}}`,
    () => `{'a': '"', b: [${filled(pick(draw, units), most)}]}`,
    () => filled(pick(draw, ["'x',", '{"a":', '[],', '"']), most, ''),
    () => JSON.stringify(`{"a":[${filled(pick(draw, units), most / 2)}]}`),
    () => escaped(`{"a":[${filled(pick(draw, units), most / 7)}]}`),
  ])();
}

/** Lists that a wrong quote hides from the count, and other text that is no JSON, of so many bytes in a string. */
function brokenArguments(draw: Draw, bytes: number): string {
  return pick(draw, [
    () => `{'a': '"', b: [${filled(pick(draw, ['1', '[]', "'x'"]), bytes - 50)}]}`,
    () => `{"a": "x"", "1": [${filled('1', bytes - 50)}]}`,
    () => '"'.repeat(bytes / 2),
    () => `{${filled('a:1', bytes * 0.7, '\n')}}`,
    () => `{"a":${'"'.repeat(bytes / 2 - 10)}`,
  ])();
}

/** A call with these arguments, in one of the APIs. */
function callBody(draw: Draw, text: string): string {
  const written = JSON.stringify(text);
  return pick(draw, [
    () =>
      `{"model":"m","messages":[{"role":"user","content":"x"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":${written}}}]},{"role":"tool","tool_call_id":"c","content":"ok"}],"tools":[${TOOL}]}`,
    () =>
      `{"model":"m","messages":[{"role":"user","content":"x"},{"role":"assistant","content":null,"function_call":{"name":"f","arguments":${written}}},{"role":"function","name":"f","content":"ok"}]}`,
    () =>
      `{"model":"m","input":[{"role":"user","content":"x"},{"type":"function_call","call_id":"c","name":"f","arguments":${written}},{"type":"function_call_output","call_id":"c","output":"ok"}]}`,
    () =>
      `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":${written}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"ok"}]}]}`,
  ])();
}

/** Each gives a body of about so many bytes. */
const shapes: Record<string, (draw: Draw, bytes: number) => string> = {
  list: (draw, bytes) => `{${HEAD},"x":[${filled(pick(draw, units), bytes)}]}`,
  members: (_, bytes) =>
    `{${HEAD},"x":{${Array.from({ length: Math.floor(bytes / 12) }, (_, at) => `"m${at}":1`).join()}}}`,
  depth: (draw, bytes) => {
    const [open, close] = pick(draw, [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const);
    const levels = Math.floor(bytes / (open.length + 1));
    return `{${HEAD},"x":${open.repeat(levels)}1${close.repeat(levels)}}`;
  },
  messages: (draw, bytes) => `{"model":"m","messages":[${filled(pick(draw, messages), bytes)}]}`,
  'few messages': (draw, bytes) =>
    `{"model":"m","messages":[${filled(pick(draw, messages), Math.min(bytes, 900 * KB))}]}`,
  text: (draw, bytes) => {
    const text = JSON.stringify(filled(pick(draw, texts), bytes * 0.9, ''));
    return `{"model":"m","messages":[{"role":"user","content":${text.slice(0, bytes)}${text.length > bytes ? '"' : ''}}]}`;
  },
  result: (draw, bytes) => {
    const text = JSON.stringify(filled(pick(draw, texts), bytes / 2, ''));
    const call =
      '{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}';
    return `{"model":"m","messages":[{"role":"user","content":"x"},${call},{"role":"tool","tool_call_id":"c","content":${text}}],"tools":[${TOOL}]}`;
  },
  image: (_, bytes) =>
    `{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,${'iVBORw0KGgo'.repeat(Math.floor(bytes / 11))}"}}]}]}`,
  tools: (_, bytes) =>
    `{${HEAD},"tools":[${Array.from({ length: Math.floor(Math.min(bytes, 600 * KB) / 80) }, (_, at) => TOOL.replace('"f"', `"f${at}"`)).join()}]}`,
  schema: (draw, bytes) => {
    const most = Math.floor(Math.min(bytes, 700 * KB) / 24);
    const properties = Array.from({ length: most }, (_, at) => `"p${at}":{"type":"string"}`);
    const kind = pick(draw, ['properties', '$defs', 'patternProperties']);
    return `{${HEAD},"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","${kind}":{${properties.join()}}}}}]}`;
  },
  arguments: (draw, bytes) => callBody(draw, argumentText(draw, bytes)),
  'few arguments': (draw, bytes) => callBody(draw, argumentText(draw, Math.min(bytes, 480 * KB))),
  // As much as the main thread repairs itself, and as much as it leaves to the other one.
  'broken arguments': (draw) => callBody(draw, brokenArguments(draw, pick(draw, [15, 30, 60]) * KB)),
  'small text': (draw) => {
    const text = pick(draw, texts);
    const count = Math.floor((500 * KB) / (Buffer.byteLength(JSON.stringify(text)) - 2));
    return `{"model":"m","messages":[{"role":"user","content":${JSON.stringify(text.repeat(count))}}],"tools":[${TOOL}]}`;
  },
  space: (draw, bytes) => `{${HEAD}${pick(draw, [' ', '\n', '\t']).repeat(bytes)}}`,
  'no JSON': (draw, bytes) => filled(pick(draw, ['"', ',', '[', '\\', 'x', '{"a":']), bytes, ''),
  string: (draw, bytes) => `{${HEAD},"x":${JSON.stringify(filled(pick(draw, texts), bytes / 2, ''))}}`,
};

export interface DrawnBody {
  shape: string;
  /** Where it is sent. */
  path: string;
  bytes: Buffer;
}

/** Draws the shapes in turn, so that each comes as often as any other. */
export function drawBody(draw: Draw, at: number, most: number): DrawnBody {
  const names = Object.keys(shapes);
  const shape = names[at % names.length] as string;
  // Many of them as large as the limit allows.
  const bytes = Math.floor(most * Math.min(0.98, 0.02 + 1.5 * draw()));
  const text = shapes[shape]?.(draw, bytes) ?? '';
  return { shape, path: pathOf(text, draw), bytes: Buffer.from(text).subarray(0, most) };
}

/** The API of a call, else any of the three: what is wrong in an API is read, too. */
function pathOf(text: string, draw: Draw): string {
  if (text.startsWith('{"model":"m","input"')) return '/v1/responses';
  if (text.startsWith('{"model":"m","max_tokens"')) return '/v1/messages';
  if (text.startsWith('{"model":"m","messages":[{"role":"user","content":"x"}'))
    return '/v1/chat/completions';
  return pick(draw, ['/v1/chat/completions', '/v1/chat/completions', '/v1/messages', '/v1/responses']);
}
