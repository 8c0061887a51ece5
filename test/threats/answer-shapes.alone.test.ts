// The same for what upstreams send: answers of megabytes against the built gateway. No other request waits long for one.

import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFull, oneOf } from '../effort.js';

const MB = 1024 * 1024;
/** Milliseconds of processor time. */
const LONGEST_WAIT = 50;
/** How often an answer may be asked for again: a pause that is its fault comes every time. */
const TRIES = 10;

type Answer = { text: string } | { arguments: string };
type Way = 'whole' | 'one event' | 'many events';
type Kind = 'native' | 'chat';

/** What an upstream sends that answers with this text, or with one call that has these arguments. */
function piecesOf(way: Way, answer: Answer): string[] {
  const call = { index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '' } };
  const message = (piece: string) =>
    'text' in answer
      ? { role: 'assistant', content: piece }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [{ ...call, function: { name: 'f', arguments: piece } }],
        };
  const all = 'text' in answer ? answer.text : answer.arguments;
  const finish_reason = 'text' in answer ? 'stop' : 'tool_calls';
  if (way === 'whole')
    return [JSON.stringify({ id: 'x', choices: [{ index: 0, message: message(all), finish_reason }] })];
  const event = (choice: object) =>
    `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, ...choice }] })}\n\n`;
  const step = way === 'one event' ? all.length : 4000;
  const pieces: string[] = [];
  for (let at = 0; at < all.length; at += step)
    pieces.push(event({ delta: message(all.slice(at, at + step)) }));
  return [...pieces, event({ delta: {}, finish_reason }), 'data: [DONE]\n\n'];
}

/** What the upstream answers with. */
let sent: { type: string; pieces: readonly string[] } = { type: 'text/plain', pieces: [] };
const upstream = createServer((request, response) => {
  const { type, pieces } = sent;
  response.setHeader('content-type', type);
  request.resume().on('end', () => {
    for (const piece of pieces) response.write(piece);
    response.end();
  });
});
let address: string;
beforeAll(async () => {
  await new Promise<void>((go) => upstream.listen(0, '127.0.0.1', go));
  address = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
});

interface Gateway {
  kind: Kind;
  url: string;
  tell(word: string): Promise<{ stretch: number }>;
  end(): void;
}

async function startGateway(kind: Kind): Promise<Gateway> {
  const script = fileURLToPath(new URL('./probed-gateway.mjs', import.meta.url));
  const child: ChildProcess = fork(script, [address, kind]);
  const heard = () =>
    new Promise<{ url: string; stretch: number }>((tell) => child.once('message', tell as () => void));
  const { url } = await heard();
  const tell = (word: string) => {
    const answer = heard();
    child.send(word);
    return answer;
  };
  return { kind, url, tell, end: () => child.kill() };
}

let running: Gateway | undefined;
/** One at a time: another would watch itself beside it. Answers of a kind go through the same one. */
async function gatewayOf(kind: Kind): Promise<Gateway> {
  if (running?.kind === kind) return running;
  running?.end();
  running = await startGateway(kind);
  return running;
}

afterAll(() => {
  running?.end();
  upstream.closeAllConnections();
  upstream.close();
});

const withTool = (parameters: object) => ({
  tools: [{ type: 'function', function: { name: 'f', parameters } }],
});
const body = (stream: boolean, asked: object = withTool({ type: 'object' })) =>
  JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'x' }], ...asked });

/** Of so many characters, half of them escapes. */
const escapes = (length: number) => JSON.stringify({ a: '"a\n'.repeat(length / 5) });
const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"m${at}":1`).join()}}`;
/** Lines of words. */
const lines = (length: number) => 'a line of nine words, as models write them \n'.repeat(length / 44);
/** A schema that takes `a` in two ways, each of them in two, and so on. */
function doubling(levels: number) {
  const twice = (level: number) => [{ $ref: `#/$defs/L${level}` }, { $ref: `#/$defs/L${level}` }];
  const defs = Array.from({ length: levels }, (_, at) => [`L${at + 1}`, { anyOf: twice(at) }]);
  const $defs = { L0: { type: 'string' }, ...Object.fromEntries(defs) };
  return { type: 'object', properties: { a: { $ref: `#/$defs/L${levels}` } }, $defs };
}

const inText = (text: string) => `<tool_call>\n{"name":"f","arguments":${text}}\n</tool_call>`;

type Shape = [
  name: string,
  ways: Way[],
  kind: Kind,
  make: () => Answer,
  error?: RegExp | undefined,
  /** Instead of a tool that takes any object. */
  asked?: object,
];

const answers: Shape[] = [
  [
    'a native call of 1.4 MB',
    ['whole', 'one event', 'many events'],
    'native',
    () => ({ arguments: escapes(1.4 * MB) }),
  ],
  [
    'a native call of 8 MB',
    ['whole', 'one event', 'many events'],
    'native',
    () => ({ arguments: escapes(8 * MB) }),
    /1572864 characters/,
  ],
  [
    'a native call of 11,000 members',
    ['whole', 'one event', 'many events'],
    'native',
    () => ({ arguments: members(11_000) }),
  ],
  ['a call in text of 1.4 MB', ['whole', 'many events'], 'chat', () => ({ text: inText(escapes(1.4 * MB)) })],
  [
    'a call in text of 8 MB',
    ['whole', 'one event', 'many events'],
    'chat',
    () => ({ text: inText(escapes(8 * MB)) }),
  ],
  [
    'a call in text of 75,000 members',
    ['whole', 'one event', 'many events'],
    'chat',
    () => ({ text: inText(members(75_000)) }),
  ],
  [
    'thirty calls in text of 11,000 members',
    ['whole', 'many events'],
    'chat',
    () => ({ text: inText(members(11_000)).repeat(30) }),
    /12000 elements/,
  ],
  [
    'a text of 4 MB',
    ['whole', 'one event', 'many events'],
    'chat',
    () => ({ text: 'word '.repeat((4 * MB) / 5) }),
  ],
  ['a text of 8 MB', ['whole', 'one event'], 'chat', () => ({ text: lines(8 * MB) })],
  [
    'a text of nothing but openers',
    ['whole', 'one event', 'many events'],
    'chat',
    () => ({ text: '<tool_call>'.repeat((2 * MB) / 11) }),
  ],
];

/** These take ten seconds each. */
const longest: Shape[] = [
  [
    'a native call of 15 MB, 30 MB as it is sent',
    ['whole', 'one event'],
    'native',
    () => ({ arguments: escapes(15 * MB) }),
    /1572864 characters/,
  ],
  ['a text of 30 MB', ['whole', 'one event'], 'chat', () => ({ text: lines(30 * MB) })],
  [
    'a text of 30 MB of a native upstream',
    ['whole', 'one event'],
    'native',
    () => ({ text: lines(30 * MB) }),
  ],
  ['a text of 15 MB of escapes', ['whole', 'one event'], 'native', () => ({ text: escapes(15 * MB) })],
];

interface Case {
  name: string;
  way: Way;
  kind: Kind;
  answer: () => Answer;
  error: RegExp | undefined;
  asked: object | undefined;
}

const casesOf = (shapes: readonly Shape[]) =>
  shapes.flatMap(([name, ways, kind, answer, error, asked]) =>
    ways.map((way): Case => ({ name, way, kind, answer, error, asked })),
  );

/** What the answer is checked against costs the most, however short it is. */
const checked: Shape[] = [11, 16].flatMap((levels): Shape[] => {
  const schema = doubling(levels);
  const format = { type: 'json_schema', json_schema: { name: 'j', schema } };
  const call = inText('{"a":1}');
  /** Items that the schema does not name. */
  const junk = (count: number) => `{"a":1,"b":[${Array(count).fill(0).join()}]}`;
  return [
    [
      `a call of ${levels} levels of choices beside 11,900 items`,
      ['whole'],
      'chat',
      () => ({ text: inText(junk(11_900)) }),
      undefined,
      withTool(schema),
    ],
    [
      `JSON of ${levels} levels beside 95,000 items`,
      ['whole'],
      'chat',
      () => ({ text: junk(95_000) }),
      undefined,
      { response_format: format },
    ],
    [
      `a call of ${levels} levels of choices`,
      ['whole'],
      'chat',
      () => ({ text: call }),
      undefined,
      withTool(schema),
    ],
    [
      `128 calls of ${levels} levels of choices`,
      ['whole', 'one event'],
      'chat',
      () => ({ text: call.repeat(128) }),
      undefined,
      withTool(schema),
    ],
    [
      `a native call of ${levels}`,
      ['one event'],
      'native',
      () => ({ arguments: '{"a":1}' }),
      undefined,
      withTool(schema),
    ],
    [
      `JSON of ${levels} levels`,
      ['whole'],
      'chat',
      () => ({ text: '{"a":1}' }),
      undefined,
      { response_format: format },
    ],
  ];
});

async function expectNobodyWaits(one: Case) {
  const { name, way, kind, answer, error, asked } = one;
  const made = answer();
  const length = Object.values(made).join('').length;
  sent = {
    type: way === 'whole' ? 'application/json' : 'text/event-stream',
    pieces: piecesOf(way, made),
  };
  const { url, tell } = await gatewayOf(kind);
  const ask = async () => {
    await tell('reset');
    const init = { method: 'POST', body: body(way !== 'whole', asked) };
    const response = await fetch(`${url}/v1/chat/completions`, init);
    const text = await response.text();
    if (error) expect(text).toMatch(error);
    else expect(response.status).toBe(200);
    // What is quoted in JSON is longer still. A call that is streamed and has too much ends with an error that says so.
    if (!error && !text.includes('"code":"unreadable_call"')) expect(text.length).toBeGreaterThan(length);
    return (await tell('report')).stretch;
  };
  // The first one compiles what is run.
  await ask();
  let least = await ask();
  for (let tries = 1; least > LONGEST_WAIT && tries < TRIES; tries++) least = Math.min(least, await ask());
  if (process.env.DRAGOMAN_TELL) console.log(`${name}, ${way}: ${least.toFixed(0)} ms`);
  expect(least).toBeLessThanOrEqual(LONGEST_WAIT);
}

/** As many stop strings as a request may have, each of which begins at every character. */
const stops = Array.from({ length: 32 }, (_, at) => `${'a'.repeat(200)}${at}`);
const stopped: Shape[] = [
  [
    '32 stop strings',
    ['whole', 'one event'],
    'chat',
    () => ({ text: 'a'.repeat(MB) }),
    undefined,
    { stop: stops },
  ],
];

const cases = [
  ...oneOf(4, casesOf([...answers, ...(isFull ? longest : [])])),
  ...casesOf([...checked, ...stopped]),
];

describe.skipIf(process.platform !== 'linux')('nobody waits for', () => {
  // Those of one kind behind each other, since they share a gateway.
  it.each(cases.toSorted((a, b) => a.kind.localeCompare(b.kind)))('$name, $way', expectNobodyWaits);
});
