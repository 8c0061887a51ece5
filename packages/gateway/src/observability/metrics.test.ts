import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '@dragoman/core';
import { RepeatedValues } from '@dragoman/core/bridge';
import { describe, expect, it } from 'vitest';
import { call, run } from './exchange.fixture.js';
import { createMetrics, type Metrics } from './metrics.js';
import { readMetrics } from './prometheus.fixture.js';

const usage = { type: 'usage', usage: { inputTokens: 3, outputTokens: 2, cachedTokens: 1 } } as const;
const finish = { type: 'finish', reason: 'stop' } as const;
const native = [
  { type: 'call-start', id: 'call_1', name: 'get_weather' },
  { type: 'call-delta', id: 'call_1', text: '{"city":"Rome"}' },
  { type: 'call-end', id: 'call_1' },
] as const;

async function scrape(metrics: Metrics) {
  const families = readMetrics(await metrics.render());
  return {
    families,
    /** The samples of one metric that have a value, by their labels. */
    of(name: string): Record<string, number> {
      const samples = families.get(`dragoman_${name}`)?.samples ?? [];
      return Object.fromEntries(samples.map(({ labels, value }) => [Object.values(labels).join(' '), value]));
    },
    count(name: string): number | undefined {
      const samples = families.get(`dragoman_${name}`)?.samples ?? [];
      return samples.find((sample) => sample.name === `dragoman_${name}_count`)?.value;
    },
  };
}

describe('metrics', () => {
  it('are read by a scraper over a socket', async () => {
    const metrics = createMetrics();
    await run(metrics, { replies: [call('Rome')] });
    const server = createServer(async (_, response) => {
      response.setHeader('content-type', metrics.contentType);
      response.end(await metrics.render());
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    try {
      const { port } = server.address() as AddressInfo;
      const response = await fetch(`http://127.0.0.1:${port}/metrics`);
      expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      const families = readMetrics(await response.text());
      const ours = [...families.keys()].filter((name) => name.startsWith('dragoman_'));
      expect(ours.sort()).toEqual([
        'dragoman_calls_total',
        'dragoman_held_answers_total',
        'dragoman_issues_total',
        'dragoman_kept_body_bytes',
        'dragoman_kept_turn_characters',
        'dragoman_reasks_total',
        'dragoman_recalled_turns_total',
        'dragoman_repairs_total',
        'dragoman_repeated_characters',
        'dragoman_repeated_values_total',
        'dragoman_request_seconds',
        'dragoman_requests_total',
        'dragoman_streams_open',
        'dragoman_time_to_first_byte_seconds',
        'dragoman_tokens_total',
        'dragoman_tool_call_faults_total',
        'dragoman_tools_refused_total',
        'dragoman_upstream_share',
      ]);
      expect(families.get('process_cpu_seconds_total')?.samples).toHaveLength(1);
      expect(families.get('nodejs_heap_size_used_bytes')?.samples[0]?.value).toBeGreaterThan(0);
    } finally {
      server.close();
    }
  });

  it('show how many tools and messages came before', async () => {
    const repeated = new RepeatedValues(1000);
    const metrics = createMetrics({ process: false, repeated });
    const read = async () => readMetrics(await metrics.render());
    const known = async (value: string) =>
      (await read())
        .get('dragoman_repeated_values_total')
        ?.samples.find(({ labels }) => labels.known === value)?.value;
    for (const text of ['one', 'two', 'one']) repeated.keep([text]);
    expect([await known('yes'), await known('no')]).toEqual([1, 2]);
    repeated.keep(['two']);
    expect([await known('yes'), await known('no')]).toEqual([2, 2]);
    const kept = (await read()).get('dragoman_repeated_characters')?.samples[0]?.value;
    expect(kept).toBe('["one"]["two"]'.length);
  });

  it('count a call that was read, with its repairs, tokens and times', async () => {
    const metrics = createMetrics({ process: false });
    await run(metrics, { replies: [call('Rome').replace('}}', '},}')], body: { stream: true } });
    const { of, count } = await scrape(metrics);
    expect(of('requests_total')).toEqual({ 'chat wise 200': 1 });
    expect(of('calls_total')).toEqual({ 'wise hermes read': 1 });
    expect(of('repairs_total')).toEqual({ 'wise hermes trailing-comma': 1 });
    expect(of('tokens_total')).toEqual({ 'wise hermes false input': 11, 'wise hermes false output': 7 });
    expect(of('streams_open')).toEqual({ 'wise hermes': 0 });
    expect([count('time_to_first_byte_seconds'), count('request_seconds')]).toEqual([1, 1]);
  });

  it('count re-asks, and the issues of every attempt', async () => {
    const metrics = createMetrics({ process: false });
    await run(metrics, { replies: [call('Rome').replace('Rome"', 'Rome'), call('Rome')] });
    const { of } = await scrape(metrics);
    expect(of('reasks_total')).toEqual({ 'wise hermes': 1 });
    expect(Object.values(of('issues_total')).reduce((sum, one) => sum + one, 0)).toBeGreaterThan(0);
    expect(of('calls_total')).toEqual({ 'wise hermes read': 1 });
    expect(of('tokens_total')).toMatchObject({ 'wise hermes false input': 22 });
  });

  it('count answers that a grammar held, however often the model was asked for them', async () => {
    const metrics = createMetrics({ process: false });
    await run(metrics, { replies: [call('Rome')] });
    expect((await scrape(metrics)).of('held_answers_total')).toEqual({});
    const broken = call('Rome').replace('Rome"', 'Rome');
    await run(metrics, { replies: [broken, call('Rome')], upstream: { grammar: 'gbnf' } });
    const { of } = await scrape(metrics);
    expect(of('held_answers_total')).toEqual({ 'wise hermes': 1 });
    expect(of('reasks_total')).toEqual({ 'wise hermes': 1 });
  });

  it('count the faults of tool calls by kind and upstream, emulated', async () => {
    const metrics = createMetrics({ process: false });
    const unknown = call('Rome').replace('get_weather', 'rm_all');
    await run(metrics, { replies: [call('Rome').replace('}}', '},}')] });
    await run(metrics, { replies: [unknown, call('Rome').replace('city', 'town'), call('Rome')] });
    expect((await scrape(metrics)).of('tool_call_faults_total')).toEqual({
      'wise local invalid-json': 1,
      'wise local unknown-tool': 1,
      'wise local schema-mismatch': 1,
    });
  });

  it('count the faults of tool calls by kind and upstream, native', async () => {
    const metrics = createMetrics({ process: false });
    const leak = { type: 'text-delta', text: call('Oslo') } as const;
    await run(metrics, { replies: [[...native, finish]], upstream: { tools: true } });
    expect((await scrape(metrics)).of('tool_call_faults_total')).toEqual({});
    await run(metrics, { replies: [[leak, finish]], upstream: { tools: true } });
    expect((await scrape(metrics)).of('tool_call_faults_total')).toEqual({ 'wise local leak': 1 });
  });

  it('count the faults of each of several upstreams, also of an answer that was dropped', async () => {
    const metrics = createMetrics({ process: false });
    const unknown = call('Rome').replace('get_weather', 'rm_all');
    const gone = new ApiError('upstream-failed', 'gone');
    const bridge = { reasks: 1 };
    await run(metrics, { replies: [unknown], others: [[call('Rome').replace('}}', '},}')]], bridge });
    expect((await scrape(metrics)).of('tool_call_faults_total')).toEqual({
      'wise node-0 unknown-tool': 2,
      'wise node-1 invalid-json': 1,
    });
    // The first answer is delivered after all, and its faults are counted once.
    await run(metrics, { replies: [unknown], others: [[gone]], bridge });
    expect((await scrape(metrics)).of('tool_call_faults_total')).toMatchObject({
      'wise node-0 unknown-tool': 4,
    });
  });

  it('show the shares of several upstreams as they are when they are read', async () => {
    let shares = [{ model: 'wise', upstream: 'a', share: 0.25 }];
    const metrics = createMetrics({ process: false, shares: () => shares });
    expect((await scrape(metrics)).of('upstream_share')).toEqual({ 'wise a': 0.25 });
    shares = [{ model: 'wise', upstream: 'b', share: 1 }];
    expect((await scrape(metrics)).of('upstream_share')).toEqual({ 'wise b': 1 });
  });

  it('tell native calls from leaked ones', async () => {
    const metrics = createMetrics({ process: false });
    const leak = { type: 'text-delta', text: call('Oslo') } as const;
    await run(metrics, { replies: [[...native, leak, finish, usage]], upstream: { tools: true } });
    const { of } = await scrape(metrics);
    expect(of('calls_total')).toEqual({ 'wise hermes native': 1, 'wise hermes leaked': 1 });
    expect(of('repairs_total')).toEqual({ 'wise hermes leaked-call': 1 });
    expect(of('tokens_total')).toMatchObject({ 'wise hermes false cached': 1 });
  });

  it('count upstreams that refuse tools, and tokens that are estimates', async () => {
    const metrics = createMetrics({ process: false });
    const refusal = new ApiError('tools-refused', 'wise does not support tools', { status: 400 });
    const text = [{ type: 'text-delta', text: 'Hello there.' }, finish] as const;
    await run(metrics, { replies: [refusal, text], upstream: { tools: true } });
    const { of } = await scrape(metrics);
    expect(of('tools_refused_total')).toEqual({ wise: 1 });
    expect(Object.keys(of('tokens_total'))).toEqual(['wise hermes true input', 'wise hermes true output']);
  });

  it('count what failed, by status, and what was heard before it failed', async () => {
    const metrics = createMetrics({ process: false });
    await run(metrics, { replies: [new ApiError('upstream-failed', 'gone')] });
    const watch = metrics.begin({ id: 'x', api: 'messages' });
    watch?.end?.({ status: 401 });
    watch?.end?.({ status: 401 });
    const { of } = await scrape(metrics);
    expect(of('requests_total')).toEqual({ 'chat wise 502': 1, 'messages none 401': 1 });
    const broken = metrics.begin({ id: 'y', api: 'chat' });
    const repairs = [{ code: 'trailing-comma', range: [0, 1] }] as const;
    const event = { type: 'markup', range: [0, 1], repairs: [...repairs] } as const;
    broken?.event?.({ type: 'parse', choice: 0, attempt: 0, event: { ...event, repairs: [...repairs] } });
    broken?.end?.({ status: 502 });
    expect((await scrape(metrics)).of('repairs_total')).toEqual({ 'none none trailing-comma': 1 });
  });

  it('have an open stream between its request and its end', async () => {
    const metrics = createMetrics({ process: false });
    const watch = metrics.begin({ id: 'x', api: 'chat' });
    watch?.model?.({ name: 'wise', upstream: 'u', dialect: 'xnl' });
    const conversation = { messages: [], tools: [], toolChoice: 'auto' as const };
    const request = { model: 'wise', conversation, settings: {}, stream: true };
    watch?.event?.({ type: 'request', request });
    watch?.event?.({ type: 'request', request });
    expect((await scrape(metrics)).of('streams_open')).toEqual({ 'wise xnl': 1 });
    watch?.end?.({ status: 200, left: true });
    expect((await scrape(metrics)).of('streams_open')).toEqual({ 'wise xnl': 0 });
  });

  it('know no model that is not configured', async () => {
    const metrics = createMetrics({ process: false, knows: (model) => model === 'wise' });
    for (const name of ['wise', 'a', 'b"\\\n}', 'wise ']) {
      const watch = metrics.begin({ id: 'x', api: 'chat' });
      watch?.model?.({ name, upstream: 'u' });
      watch?.end?.({ status: 200 });
    }
    expect((await scrape(metrics)).of('requests_total')).toEqual({ 'chat wise 200': 1, 'chat other 200': 3 });
  });

  it('stay bounded whatever models are called, and escape what they are called', async () => {
    const metrics = createMetrics({ process: false, labelSets: 20 });
    for (let n = 0; n < 500; n++) {
      const watch = metrics.begin({ id: 'x', api: 'chat' });
      watch?.model?.({ name: `m"\\\n}${n}`, upstream: 'u', dialect: `d${n}` });
      watch?.firstByte?.();
      watch?.end?.({ status: 200 });
    }
    const { families, of } = await scrape(metrics);
    expect(families.get('dragoman_requests_total')?.samples).toHaveLength(21);
    expect(of('requests_total')).toMatchObject({ 'chat other 200': 480, 'chat m"\\\n}0 200': 1 });
    expect(families.get('dragoman_time_to_first_byte_seconds')?.samples).toHaveLength(21 * 17);
  });
});
