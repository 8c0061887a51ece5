import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { parseConfig } from '../config/parse-config.js';
import type { ExchangeSummary } from '../observability/inspector-shapes.js';
import { readMetrics } from '../observability/prometheus.fixture.js';
import { type Gateway, serve } from './serve.js';

/** 2000 in full. */
const REQUESTS = Number(process.env.DRAGOMAN_POOL_REQUESTS ?? 800);

const toClose: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

type Call = [name: string, input: string];

const right: Call = ['get_weather', '{"city":"Rome"}'];
const broken: readonly Call[] = [
  ['get_weather', '{"city" "Rome" ='],
  ['rm_all', '{}'],
  ['get_weather', '{"days":"many"}'],
];

/** A stand-in for a model server: writes a call, as text or natively, or answers with a status. */
async function endpoint(kind: 'chat' | 'native', write: () => Call | number): Promise<string> {
  const server: Server = createServer((request, response) => {
    request.resume().on('end', () => {
      const call = write();
      if (typeof call === 'number') return void response.writeHead(call).end('{}');
      response.setHeader('content-type', 'text/event-stream');
      response.end([...(kind === 'native' ? nativeCall(call) : textCall(call)), 'data: [DONE]\n\n'].join(''));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  toClose.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** A call in hermes. */
function textCall([name, input]: Call): string[] {
  const text = `<tool_call>\n{"name": "${name}", "arguments": ${input}}\n</tool_call>`;
  return [text.slice(0, 30), text.slice(30)].map((content) => chunk({ content })).concat(chunk({}, 'stop'));
}

function nativeCall([name, input]: Call): string[] {
  const part = (more: object) => chunk({ tool_calls: [{ index: 0, ...more }] });
  return [
    part({ id: 'call_1', type: 'function', function: { name, arguments: '' } }),
    part({ function: { arguments: input.slice(0, 5) } }),
    part({ function: { arguments: input.slice(5) } }),
    chunk({}, 'tool_calls'),
  ];
}

async function gatewayOf(a: string, b: string, more = ''): Promise<Gateway> {
  const text = `
port: 0
log: silent
inspect: 5
dialect: hermes
upstreams: { a: "${a}", b: { url: "${b}", kind: native } }
models: [{ name: wise, upstream: [a, b], route: error-rate${more} }]`;
  const result = parseConfig(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const gateway = await serve(result.config);
  toClose.push(() => gateway.close());
  return gateway;
}

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
};

interface Seen {
  /** The endpoint that was asked first. */
  first: string | undefined;
  /** The client got the call that the model meant. */
  isRight: boolean;
  /** The report, or an error, shows a fault. */
  isReported: boolean;
}

async function ask({ url }: Gateway, stream: boolean): Promise<Seen> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({
      model: 'wise',
      stream,
      messages: [{ role: 'user', content: 'Weather in Rome?' }],
      tools: [{ type: 'function', function: { name: 'get_weather', parameters } }],
    }),
  });
  const text = await response.text();
  return stream ? seenIn(text.split('\n\n').map(dataOf)) : seenIn([JSON.parse(text)]);
}

const dataOf = (frame: string) =>
  frame.startsWith('data: {') ? JSON.parse(frame.slice('data: '.length)) : {};

// biome-ignore lint/suspicious/noExplicitAny: bodies as a client sees them.
function seenIn(bodies: any[]): Seen {
  const report = bodies.find(({ dragoman }) => dragoman)?.dragoman;
  const calls = bodies.flatMap(({ choices }) => {
    const said = choices?.[0]?.message ?? choices?.[0]?.delta;
    return said?.tool_calls ?? [];
  });
  const name = calls.map((call) => call.function?.name ?? '').join('');
  const written = calls.map((call) => call.function?.arguments ?? '').join('');
  return {
    first: report?.moved?.[0]?.from ?? report?.upstream,
    isRight: name === 'get_weather' && written === '{"city":"Rome"}',
    isReported: report?.issues.length > 0 || bodies.some(({ error }) => error),
  };
}

async function exchangesOf({ url }: Gateway): Promise<ExchangeSummary[]> {
  const response = await fetch(`${url}/inspector/exchanges`);
  return ((await response.json()) as { exchanges: ExchangeSummary[] }).exchanges;
}

/** The share of requests whose first endpoint was b. Those that ended with an error have no report: they were b's. */
const shareOfB = (seen: readonly Seen[]) =>
  seen.filter(({ first }) => first !== 'a').length / Math.max(1, seen.length);

it(`an endpoint that begins to break its calls sheds its traffic, and gets it back (${REQUESTS} requests)`, async () => {
  const [breaks, heals] = [REQUESTS / 4, REQUESTS / 2];
  let request = 0;
  let wrong = 0;
  const isBroken = () => request >= breaks && request < heals;
  const a = await endpoint('chat', () => right);
  const b = await endpoint('native', () => (isBroken() ? (broken[wrong++ % broken.length] as Call) : right));
  const gateway = await gatewayOf(a, b);
  const seen: Seen[] = [];
  for (; request < REQUESTS; request++) seen.push(await ask(gateway, request % 2 === 0));
  expect(seen.filter(({ isRight, isReported }) => !isRight && !isReported)).toEqual([]);
  // An answer that is not streamed can always move.
  expect(seen.filter(({ isRight }, at) => !isRight && at % 2 === 1)).toEqual([]);
  // Fifty answers of each.
  const window = 100;
  expect(shareOfB(seen.slice(0, breaks))).toBeCloseTo(0.5, 1);
  expect(shareOfB(seen.slice(breaks + window, heals))).toBeLessThan(0.1);
  expect(shareOfB(seen.slice(breaks + window, heals))).toBeGreaterThan(0.02);
  expect(shareOfB(seen.slice(-window))).toBeCloseTo(0.5, 1);

  const families = readMetrics(await (await fetch(`${gateway.url}/metrics`)).text());
  const faults = families.get('dragoman_tool_call_faults_total')?.samples ?? [];
  expect(new Set(faults.map(({ labels }) => `${labels.model} ${labels.upstream} ${labels.kind}`))).toEqual(
    new Set(['wise b invalid-json', 'wise b unknown-tool', 'wise b schema-mismatch']),
  );
  const shares = families.get('dragoman_upstream_share')?.samples ?? [];
  expect(shares.map(({ labels, value }) => [labels.upstream, value])).toEqual([
    ['a', 0.5],
    ['b', 0.5],
  ]);
  const upstreams = (await exchangesOf(gateway)).map(({ upstream }) => upstream);
  expect(upstreams).toEqual(expect.arrayContaining(['a', 'b']));
});

it('an endpoint that is down is left at once, and skipped', async () => {
  let asked = 0;
  const a = await endpoint('chat', () => {
    asked++;
    return 503;
  });
  const gateway = await gatewayOf(a, await endpoint('native', () => right), ', reasks: 0');
  for (let n = 0; n < 20; n++) expect(await ask(gateway, n % 2 === 0)).toMatchObject({ isRight: true });
  expect(asked).toBeLessThan(5);
  expect((await exchangesOf(gateway))[0]).toMatchObject({ model: 'wise', upstream: 'b', status: 200 });
  expect(await (await fetch(`${gateway.url}/metrics`)).text()).toContain(
    'dragoman_upstream_share{model="wise",upstream="a"} 0',
  );
});
