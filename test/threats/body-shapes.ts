// Bodies of requests, drawn: what a client may send within the limit of bytes to make a gateway work or grow. Each is a
// request of its API wherever its shape allows that, and says what must become of it.

import { type BodyApi, bodyApis } from './body-apis.js';

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

/** So many pieces of equal length with a text in each, which are of so many bytes together. */
function spread(piece: (text: string, at: number) => string, count: number, bytes: number): string {
  const text = 'x'.repeat(Math.max(0, Math.floor(bytes / count) - piece('', count).length - 1));
  return Array.from({ length: count }, (_, at) => piece(text, at)).join();
}

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
const TEXT = '"hi"';
const OBJECT = '{"type":"object"}';

/** A JSON string of so many bytes. */
function textOf(draw: Draw, bytes: number): string {
  const written = JSON.stringify(pick(draw, texts)).slice(1, -1);
  return `"${written.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(written))))}"`;
}

/** One turn, or a call with its result. */
const turns: readonly ((api: BodyApi) => string)[] = [
  (api) => api.turn('user', '""'),
  (api) => api.turn('user', '"x"'),
  (api) => `${api.turn('user', '"x"')},${api.turn('assistant', '"x"')}`,
  (api) => api.turn('system', '"x"'),
  (api) => api.parts('"x"', 1),
  (api) => api.exchange('{}', '"ok"'),
];

/** A JSON string whose characters are all escapes. */
function escaped(text: string): string {
  return `"${text.replace(/[\s\S]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
}

/** Arguments that are an object, whose text is of so many bytes in a string. */
function argumentText(draw: Draw, bytes: number): string {
  const most = bytes * 0.7;
  const members = () => Array.from({ length: Math.floor(most / 12) }, (_, at) => `"m${at}":1`).join();
  const levels = Math.floor(Math.min(most / 2, pick(draw, [500, 90_000, most])));
  return pick(draw, [
    () => `{"a":[${filled(pick(draw, units), most)}]}`,
    () => `{${members()}}`,
    () => `{"a":${textOf(draw, most / 2)}}`,
    () => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`,
    () => `{"a":[${spread((text) => `"${text}"`, 9000, most)}]}`,
  ])();
}

/** Lists that a wrong quote hides from the count, and other text that is no JSON object, of so many bytes in a string. */
function brokenArguments(draw: Draw, bytes: number): string {
  const most = bytes * 0.7;
  return pick(draw, [
    () => `{'a': '"', b: [${filled(pick(draw, ['1', '[]', "'x'"]), bytes - 50)}]}`,
    () => `{"a": "x"", "1": [${filled('1', bytes - 50)}]}`,
    () => '"'.repeat(bytes / 2),
    () => `{${filled('a:1', most, '\n')}}`,
    () => `{"a":${'"'.repeat(bytes / 2 - 10)}`,
    () => filled(pick(draw, ["'x',", '{"a":', '[],', '"']), bytes / 2, ''),
    () => JSON.stringify(`{"a":[${filled(pick(draw, units), most / 2)}]}`),
    () => escaped(`{"a":[${filled(pick(draw, units), most / 7)}]}`),
  ])();
}

interface Written {
  text: string;
  /** The text of the arguments of its call, which counts as if it were no string. */
  inner?: string;
  /** Whether it is no request of its API. */
  isInvalid?: boolean | undefined;
  hasImage?: boolean;
  /** Whether it is nothing but turns. */
  isTurns?: boolean;
}

type Shape = (api: BodyApi, draw: Draw, bytes: number) => Written;

/** A question, and an unknown member beside it. */
const beside = (api: BodyApi, value: string): Written => ({
  text: api.body(api.turn('user', TEXT), `,"x":${value}`),
});
const ofTurns = (api: BodyApi, written: string): Written => ({ text: api.body(written), isTurns: true });
const withTools = (api: BodyApi, tools: string): Written => ({
  text: api.body(api.turn('user', TEXT), `,"tools":[${tools}]`),
});
const withCall = (api: BodyApi, inner: string, result = '"ok"'): Written => ({
  text: api.body(
    `${api.turn('user', TEXT)},${api.exchange(inner, result)}`,
    `,"tools":[${api.tool('f', OBJECT)}]`,
  ),
  inner,
});

/** Each gives a body of about so many bytes. Many are as large as the limits of elements and levels allow. */
const shapes: Record<string, Shape> = {
  list: (api, draw, bytes) => beside(api, `[${filled(pick(draw, units), bytes)}]`),
  'list within the limit': (api, draw, bytes) => {
    const piece = pick(draw, [
      (text: string) => `"${text}"`,
      (text: string) => `{"${text}":1}`,
      (text: string) => `["${text}"]`,
    ]);
    return beside(api, `[${spread(piece, 45_000, bytes)}]`);
  },
  members: (api, _, bytes) =>
    beside(api, `{${Array.from({ length: Math.floor(bytes / 14) }, (_, at) => `"m${at}":1`).join()}}`),
  'members within the limit': (api, draw, bytes) => {
    const piece = pick(draw, [
      (text: string, at: number) => `"${at}":"${text}"`,
      (text: string, at: number) => `"${text}${at}":1`,
    ]);
    return beside(api, `{${spread(piece, 90_000, bytes)}}`);
  },
  depth: (api, draw, bytes) => {
    const [open, close] = pick(draw, [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const);
    const levels = Math.floor(pick(draw, [500, 590, bytes / (open.length + 1)]));
    return beside(api, `${open.repeat(levels)}1${close.repeat(levels)}`);
  },
  messages: (api, draw, bytes) => ofTurns(api, filled(pick(draw, turns)(api), bytes)),
  'few messages': (api, draw, bytes) =>
    ofTurns(api, filled(pick(draw, turns)(api), Math.min(bytes, 900 * KB))),
  'long messages': (api, draw, bytes) => {
    const role = pick(draw, ['user', 'assistant'] as const);
    const piece = (text: string) => api.turn(role, `"${text}"`);
    return ofTurns(api, `${api.turn('user', TEXT)},${spread(piece, pick(draw, [1000, 30_000]), bytes)}`);
  },
  parts: (api, draw, bytes) => {
    const count = pick(draw, [1000, 20_000]);
    return ofTurns(api, api.parts(textOf(draw, bytes / count - 30), count));
  },
  'no message': (api, draw, bytes) => ({
    ...ofTurns(api, filled('{}', Math.min(bytes, pick(draw, [120 * KB, bytes])))),
    isInvalid: true,
  }),
  text: (api, draw, bytes) => ofTurns(api, api.turn('user', textOf(draw, bytes))),
  result: (api, draw, bytes) => withCall(api, '{}', textOf(draw, bytes)),
  image: (api, _, bytes) => {
    const url = `data:image/png;base64,${'iVBORw0KGgoA'.repeat(Math.floor(bytes / 12))}`;
    return { ...ofTurns(api, api.image(url)), hasImage: true };
  },
  tools: (api, _, bytes) => {
    const count = Math.floor(Math.min(bytes, 600 * KB) / 80);
    return withTools(api, Array.from({ length: count }, (_, at) => api.tool(`f${at}`, OBJECT)).join());
  },
  schema: (api, draw, bytes) => {
    const most = Math.floor(Math.min(bytes, 700 * KB) / 24);
    const properties = Array.from({ length: most }, (_, at) => `"p${at}":{"type":"string"}`);
    const kind = pick(draw, ['properties', '$defs', 'patternProperties']);
    return withTools(api, api.tool('f', `{"type":"object","${kind}":{${properties.join()}}}`));
  },
  'described tools': (api, draw, bytes) => {
    const piece = (text: string, at: number) =>
      api.tool(`f${at}`, `{"type":"object","properties":{"a":{"description":"${text}"}}}`);
    return withTools(api, spread(piece, pick(draw, [100, 5000]), bytes));
  },
  stops: (api, draw, bytes) => {
    const count = pick(draw, [8, MOST_STOPS, 4400, Math.floor(bytes / 10)]);
    const length = pick(draw, [4, 200, 300, 8000]);
    const most = Math.min(count, Math.max(1, Math.floor(bytes / (length + 10))));
    const stops = Array.from({ length: most }, (_, at) => `"${'x'.repeat(length)}${at}"`);
    const characters = stops.reduce((sum, stop) => sum + stop.length - 2, 0);
    return {
      text: api.body(api.turn('user', TEXT), `,"${api.stops ?? 'stop'}":[${stops.join()}]`),
      isInvalid: api.stops !== undefined && (most > MOST_STOPS || characters > MOST_STOP_CHARACTERS),
    };
  },
  arguments: (api, draw, bytes) => withCall(api, argumentText(draw, bytes)),
  'few arguments': (api, draw, bytes) => withCall(api, argumentText(draw, Math.min(bytes, 480 * KB))),
  // As much as the main thread repairs itself, and as much as it leaves to the other one.
  'broken arguments': (api, draw) => withCall(api, brokenArguments(draw, pick(draw, [15, 30, 60]) * KB)),
  'many broken arguments': (api, draw, bytes) => withCall(api, brokenArguments(draw, bytes)),
  'small text': (api, draw) => ofTurns(api, api.turn('user', textOf(draw, 500 * KB))),
  space: (api, draw, bytes) => ({
    text: api.body(api.turn('user', TEXT), pick(draw, [' ', '\n', '\t']).repeat(bytes)),
  }),
  'no JSON': (_, draw, bytes) => ({
    text: filled(pick(draw, ['"', ',', '[', '\\', 'x', '{"a":']), bytes, ''),
    isInvalid: true,
  }),
  string: (api, draw, bytes) => beside(api, textOf(draw, bytes)),
  escapes: (api, draw, bytes) => {
    const written = escaped(pick(draw, texts)).slice(1, -1);
    return ofTurns(api, api.turn('user', `"${written.repeat(Math.floor(bytes / written.length))}"`));
  },
};

/** Strings at which an answer ends. */
const MOST_STOPS = 32;
const MOST_STOP_CHARACTERS = 16 * KB;

/** Limits that are counted, as the gateway has them by default. */
const MOST_ELEMENTS = 100_000;
const MOST_LEVELS = 600;
/** The most levels of a single value, beyond which it is refused by its name. */
const LEVELS_OF_ONE = 512;
/** Items in the input of Responses. */
const MOST_ITEMS = 10_000;

interface Count {
  elements: number;
  levels: number;
  /** Those of the first list. */
  items: number;
}

const [QUOTE, BACKSLASH, COMMA] = ['"', '\\', ','].map((one) => one.charCodeAt(0));
const openers = new Set(['[', '{'].map((one) => one.charCodeAt(0)));
const closers = new Set([']', '}'].map((one) => one.charCodeAt(0)));

/** Commas and openers outside of strings, and the most levels. Not with the code of the gateway, which is held to it. */
function countOf(text: string): Count {
  const count = { elements: 0, levels: 0, items: 1 };
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at + 1);
    else if (code === COMMA) {
      count.elements++;
      if (open === 2) count.items++;
    } else if (closers.has(code)) open--;
    else if (openers.has(code)) {
      count.elements++;
      count.levels = Math.max(count.levels, ++open);
    }
  }
  return count;
}

function endOfString(text: string, from: number): number {
  let at = from;
  for (; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
  return at;
}

/** What must become of a body: an answer, 413 with the name of one of these limits, 400; or one of several. */
interface Fate {
  isAnswered: boolean;
  limits: readonly string[];
  isRefused: boolean;
}

function fateOf({ text, inner, isInvalid = false, isTurns = false }: Written, api: BodyApi): Fate {
  const { elements, levels, items } = countOf(text);
  const inString = inner !== undefined && text.includes(JSON.stringify(inner));
  const within = inString && isJson(inner) ? countOf(inner).elements : 0;
  const limits = [
    ...(elements + within > MOST_ELEMENTS ? ['limits.elements'] : []),
    ...(levels > MOST_LEVELS ? ['limits.depth'] : []),
    ...(isTurns && api.name === 'responses' && items > MOST_ITEMS ? [`${MOST_ITEMS} items`] : []),
  ];
  if (limits.length > 0) return { isAnswered: false, limits, isRefused: false };
  // Of text that is no JSON, it is not promised what counts as an element.
  const unsure = inString && !isJson(inner) ? ['limits.elements'] : [];
  return { isAnswered: !isInvalid, limits: unsure, isRefused: isInvalid || levels > LEVELS_OF_ONE };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export interface DrawnBody {
  shape: string;
  api: BodyApi;
  /** Whether the answer is streamed. */
  streams: boolean;
  fate: Fate;
  bytes: Buffer;
}

interface Limits {
  /** Bytes. */
  most: number;
  /** Whether the model takes images. */
  takesImages: boolean;
}

/** Draws the shapes and the APIs in turn, so that each comes as often as any other. */
export function drawBody(draw: Draw, at: number, { most, takesImages }: Limits): DrawnBody {
  const names = Object.keys(shapes);
  const shape = names[at % names.length] as string;
  const api = bodyApis[(at + Math.floor(at / names.length)) % bodyApis.length] as BodyApi;
  // Many of them as large as the limit allows.
  const size = Math.floor(most * Math.min(0.98, 0.02 + 1.5 * draw()));
  const written = shapes[shape]?.(api, draw, size) ?? { text: '' };
  const streams = draw() < 0.5;
  const text = streams ? written.text.replace('{"model":"m",', '{"model":"m","stream":true,') : written.text;
  const bytes = Buffer.from(text);
  if (bytes.length > most) throw new Error(`${shape}: ${bytes.length} bytes, and ${most} are the most`);
  const isInvalid = written.isInvalid || (written.hasImage && !takesImages);
  return { shape, api, streams, fate: fateOf({ ...written, text, isInvalid }, api), bytes };
}
