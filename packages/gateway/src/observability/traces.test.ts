import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '@dragoman/core';
import { type Span as HostSpan, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { afterEach, describe, expect, it } from 'vitest';
import { call, run } from './exchange.fixture.js';
import type { OtlpSpan } from './otlp-span.js';
import { parseTraceParent } from './span.js';
import { createTraces } from './traces.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Collector {
  endpoint: string;
  spans: OtlpSpan[];
  requests: { path: string; headers: Record<string, unknown>; spans: number }[];
}

/** A collector that checks what it is sent, and answers with these statuses in turn; 0: never. */
async function collector(statuses: readonly number[] = [], answer = '{}'): Promise<Collector> {
  const got: Collector = { endpoint: '', spans: [], requests: [] };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      const spans = spansIn(body);
      const status = statuses[got.requests.length] ?? 200;
      got.requests.push({ path: request.url ?? '', headers: request.headers, spans: spans.length });
      if (status === 200) got.spans.push(...spans);
      response.setHeader('content-type', 'application/json');
      if (status > 0) response.writeHead(status).end(answer);
    });
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  got.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return got;
}

/** The spans of an export, held to OTLP's JSON form. */
function spansIn(body: string): OtlpSpan[] {
  const { resourceSpans } = JSON.parse(body);
  expect(resourceSpans).toHaveLength(1);
  const [{ resource, scopeSpans }] = resourceSpans;
  expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'dragoman' } });
  expect(scopeSpans).toHaveLength(1);
  for (const span of scopeSpans[0].spans) {
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
    if (span.parentSpanId !== undefined) expect(span.parentSpanId).toMatch(/^[0-9a-f]{16}$/);
    expect(span.startTimeUnixNano).toMatch(/^\d{19}$/);
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
    for (const { key, value } of span.attributes) checkValue(key, value);
  }
  return scopeSpans[0].spans;
}

function checkValue(key: string, value: Record<string, unknown>): void {
  expect(Object.keys(value), key).toHaveLength(1);
  if ('intValue' in value) expect(value.intValue).toMatch(/^-?\d+$/);
  else if ('doubleValue' in value) expect(value.doubleValue).toBeTypeOf('number');
  else if ('boolValue' in value) expect(value.boolValue).toBeTypeOf('boolean');
  else if ('stringValue' in value) expect(value.stringValue).toBeTypeOf('string');
  else for (const item of (value.arrayValue as { values: [] }).values) checkValue(key, item);
}

function attributesOf(span: OtlpSpan | undefined): Record<string, unknown> {
  const plain = (value: object): unknown => {
    const [[kind, inner] = []] = Object.entries(value);
    if (kind === 'intValue') return Number(inner);
    return kind === 'arrayValue' ? inner.values.map(plain) : inner;
  };
  return Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, plain(value)]));
}

const broken = call('Rome').replace('Rome"', 'Rome');
const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('traces', () => {
  it('have one span an exchange, and in it one for each time the upstream was asked', async () => {
    const got = await collector();
    const traces = createTraces({ endpoint: got.endpoint });
    const body = { max_tokens: 100, temperature: 0.5, seed: 7 };
    await run(traces, { replies: [broken, call('Rome')], exchange: { key: 'laptop' }, body });
    await traces.close();
    expect(got.requests).toMatchObject([{ path: '/v1/traces', spans: 3 }]);
    const [first, second, whole] = got.spans;
    expect([first?.name, second?.name, whole?.name]).toEqual(['ask wise', 'ask wise', 'chat wise']);
    expect([first?.kind, second?.kind, whole?.kind]).toEqual([3, 3, 2]);
    expect([first?.parentSpanId, second?.parentSpanId]).toEqual([whole?.spanId, whole?.spanId]);
    expect(new Set(got.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(attributesOf(whole)).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'local',
      'gen_ai.request.model': 'wise',
      'gen_ai.request.max_tokens': 100,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.seed': 7,
      'gen_ai.response.model': 'wise',
      'gen_ai.response.finish_reasons': ['tool_calls'],
      'gen_ai.usage.input_tokens': 22,
      'gen_ai.usage.output_tokens': 14,
      'http.response.status_code': 200,
      'dragoman.request_id': 'req_1',
      'dragoman.key': 'laptop',
      'dragoman.dialect': 'hermes',
      'dragoman.mode': 'emulate',
      'dragoman.calls': 1,
      'dragoman.reasks': 1,
    });
    expect(attributesOf(first)).toMatchObject({ 'dragoman.attempt': 0, 'dragoman.asked_again': true });
    expect(attributesOf(second)).toMatchObject({ 'dragoman.attempt': 1 });
    expect(whole?.events.map(({ name }) => name)).toEqual(['first byte']);
    expect(whole?.status).toEqual({});
    expect(traces.counts).toEqual({ sent: 3, dropped: 0 });
  });

  it('hold nothing that was said', async () => {
    const got = await collector();
    const traces = createTraces({ endpoint: got.endpoint });
    const content = 'Tell me about zanzibar.';
    const body = { messages: [{ role: 'user', content }], stop: ['zanzibar'] };
    await run(traces, { replies: [`zanzibar ${broken}`, call('zanzibar')], body });
    await run(traces, { replies: [new ApiError('upstream-failed', 'zanzibar')], body });
    await traces.close();
    expect(got.spans.length).toBeGreaterThan(3);
    expect(JSON.stringify(got.spans)).not.toContain('zanzibar');
    expect(JSON.stringify(got.spans)).not.toContain('Rome');
  });

  it('go on where the caller began, and are silent where it does not record', async () => {
    const got = await collector();
    const traces = createTraces({ endpoint: got.endpoint });
    await run(traces, { replies: ['Hello.'], exchange: { traceparent: parent } });
    expect(traces.begin({ id: 'x', api: 'chat', traceparent: parent.replace(/01$/, '00') })).toBeUndefined();
    await traces.close();
    const whole = got.spans.at(-1);
    expect(whole).toMatchObject({ traceId: parent.slice(3, 35), parentSpanId: parent.slice(36, 52) });
  });

  it('say what failed', async () => {
    const got = await collector();
    const traces = createTraces({ endpoint: got.endpoint });
    await run(traces, { replies: [new ApiError('upstream-failed', 'gone')] });
    const early = traces.begin({ id: 'x', api: 'messages' });
    early?.end?.({ status: 401, error: { code: 'unauthorized', message: 'no' } });
    await traces.close();
    const [asked, whole, refused] = got.spans;
    expect([asked?.status, whole?.status, refused?.status]).toEqual([{ code: 2 }, { code: 2 }, {}]);
    expect(attributesOf(whole)).toMatchObject({
      'error.type': 'upstream-failed',
      'http.response.status_code': 502,
    });
    expect(attributesOf(refused)).toMatchObject({ 'error.type': 'unauthorized' });
  });

  it('keep both tries apart where tools were refused', async () => {
    const got = await collector();
    const traces = createTraces({ endpoint: got.endpoint });
    const refusal = new ApiError('tools-refused', 'wise does not support tools', { status: 400 });
    await run(traces, { replies: [refusal, 'Hello.'], upstream: { tools: true } });
    await traces.close();
    expect(got.spans.map(({ status }) => status.code)).toEqual([2, undefined, undefined]);
  });
});

describe('the way to the collector', () => {
  const end = (traces: ReturnType<typeof createTraces>, count: number) => {
    for (let n = 0; n < count; n++) traces.begin({ id: `r${n}`, api: 'chat' })?.end?.({ status: 200 });
  };

  it('takes batches, and tries again what may pass', async () => {
    const got = await collector([503, 200]);
    const traces = createTraces({ endpoint: `${got.endpoint}/`, batch: 10, interval: 1 });
    end(traces, 25);
    await traces.flush();
    expect(got.requests.map(({ spans }) => spans)).toEqual([10, 10, 10, 5]);
    expect(got.spans).toHaveLength(25);
    expect(new Set(got.spans.map(({ spanId }) => spanId)).size).toBe(25);
    await traces.close();
  });

  it('is not kept from closing by a collector that asks for patience', async () => {
    const got = await collector([503, 200]);
    const traces = createTraces({ endpoint: got.endpoint, batch: 1, interval: 1_000_000 });
    end(traces, 1);
    await expect.poll(() => got.requests.length, { interval: 5 }).toBe(1);
    await traces.close();
    expect(traces.counts.sent + traces.counts.dropped).toBe(1);
  });

  it('sends a batch that is not full after a while', async () => {
    const got = await collector();
    const traces = createTraces({ endpoint: got.endpoint, interval: 1 });
    end(traces, 1);
    await expect.poll(() => traces.counts.sent, { interval: 5 }).toBe(1);
    await traces.close();
  });

  it('drops what cannot be delivered, counts it, and says so once', async () => {
    const got = await collector([400, 400]);
    const lines: string[] = [];
    const line = (_: object, message: string) => void lines.push(message);
    const log = { debug: line, info: line, warn: line, error: line };
    const traces = createTraces({ endpoint: got.endpoint, batch: 5, interval: 1, log });
    end(traces, 10);
    await traces.close();
    expect(traces.counts).toEqual({ sent: 0, dropped: 10 });
    expect(lines).toHaveLength(1);
    end(traces, 1);
    expect(traces.counts.dropped).toBe(11);
  });

  it('counts what the collector rejects', async () => {
    const got = await collector([], '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"no"}}');
    const traces = createTraces({ endpoint: got.endpoint });
    end(traces, 5);
    await traces.close();
    expect(traces.counts).toEqual({ sent: 3, dropped: 2 });
  });

  it('waits for no collector: the queue is bounded, a request has its time, nobody is there', async () => {
    const got = await collector([0, 0, 0, 0]);
    const traces = createTraces({ endpoint: got.endpoint, batch: 10, queue: 20, timeout: 30, interval: 1 });
    end(traces, 100);
    expect(traces.counts.dropped).toBe(70);
    await traces.close();
    expect(traces.counts).toEqual({ sent: 0, dropped: 100 });
    const nowhere = createTraces({ endpoint: 'http://127.0.0.1:1', interval: 1 });
    end(nowhere, 3);
    await nowhere.close();
    expect(nowhere.counts).toEqual({ sent: 0, dropped: 3 });
  });

  it('takes an address with a path of its own, and credentials out of it', async () => {
    const got = await collector();
    const endpoint = got.endpoint.replace('//', '//me:pass@');
    for (const path of ['/otlp', '/otlp/v1/traces']) {
      const traces = createTraces({ endpoint: endpoint + path, headers: { 'x-team': 'a' } });
      end(traces, 1);
      await traces.close();
    }
    const headers = { authorization: `Basic ${btoa('me:pass')}`, 'x-team': 'a' };
    expect(got.requests).toMatchObject([
      { path: '/otlp/v1/traces', headers },
      { path: '/otlp/v1/traces', headers },
    ]);
  });
});

describe('the tracer of the program around', () => {
  afterEach(() => trace.disable());

  it('is used where there is one', async () => {
    const ended: { name: string; parent: string | undefined; attributes: object; kind: unknown }[] = [];
    let made = 0;
    const tracer = {
      startSpan(name: string, options: { kind?: unknown } = {}, context = ROOT_CONTEXT): HostSpan {
        const parentId = trace.getSpanContext(context)?.spanId;
        const own = { name, parent: parentId, attributes: {}, kind: options.kind };
        const spanId = String(++made).padStart(16, '0');
        const span = {
          spanContext: () => ({ traceId: '1'.repeat(32), spanId, traceFlags: 1 }),
          setAttributes: (more: object) => Object.assign(own.attributes, more) && span,
          updateName: (next: string) => Object.assign(own, { name: next }) && span,
          addEvent: () => span,
          setStatus: () => span,
          isRecording: () => true,
          end: () => void ended.push(own),
        } as unknown as HostSpan;
        return span;
      },
      startActiveSpan: () => undefined,
    };
    trace.setGlobalTracerProvider({ getTracer: () => tracer as never });
    await run(createTraces({}), { replies: ['Hello.'], exchange: { traceparent: parent } });
    expect(ended).toMatchObject([
      { name: 'ask wise', parent: '0000000000000001' },
      { name: 'chat wise', parent: parent.slice(36, 52), attributes: { 'gen_ai.usage.input_tokens': 11 } },
    ]);
  });

  it('costs nothing where there is none', () => {
    expect(createTraces({}).begin({ id: 'x', api: 'chat' })).toBeUndefined();
  });
});

describe('parseTraceParent', () => {
  it.each([
    [parent, true],
    [parent.replace('00-', '01-'), true],
    [`${parent.replace('00-', 'cc-')}-more`, true],
    [`${parent}-more`, false],
    [parent.replace('00-', 'ff-'), false],
    [parent.toUpperCase(), false],
    [`00-${'0'.repeat(32)}-b7ad6b7169203331-01`, false],
    [`00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`, false],
    ['x'.repeat(100_000), false],
    ['', false],
  ])('takes %s: %s', (header, taken) => {
    expect(parseTraceParent(header) !== undefined).toBe(taken);
  });
});
