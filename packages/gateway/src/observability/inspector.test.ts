import { ApiError } from '@dragoman/core';
import { TurnMemory } from '@dragoman/core/bridge';
import { describe, expect, it } from 'vitest';
import { call, run } from './exchange.fixture.js';
import { createInspector } from './inspector.js';
import type { InspectorEvent } from './inspector-shapes.js';
import { inspectorStream } from './inspector-stream.js';
import { createRedactor } from './redactor.js';

const broken = call('Rome').replace('Rome"', 'Rome');

/** What a reader of server-sent events has got so far. */
function readEvents(text: string): InspectorEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [event = '', data = ''] = block.split('\n');
      const value = JSON.parse(data.slice('data: '.length));
      expect(event).toBe(`event: ${value.type}`);
      return value;
    });
}

describe('the inspector', () => {
  it('shows which of several upstreams was asked, which answered, and why another was left', async () => {
    const inspector = createInspector(5);
    const live: InspectorEvent[] = [];
    inspector.subscribe((event) => live.push(event));
    const unknown = call('Rome').replace('get_weather', 'rm_all');
    await run(inspector, { replies: [unknown], others: [[call('Rome')]], bridge: { reasks: 1 } });
    const record = inspector.get('req_1');
    expect(record).toMatchObject({
      upstream: 'node-1',
      moves: 1,
      reasks: 1,
      attempts: [{ upstream: 'node-0' }, { upstream: 'node-0' }, { upstream: 'node-1' }],
      report: { upstream: 'node-1', moved: [{ from: 'node-0', faults: { 'unknown-tool': 2 } }] },
    });
    expect(record?.answer[0]?.calls).toMatchObject([{ name: 'get_weather' }]);
    expect(live.filter(({ type }) => type === 'endpoint')).toMatchObject([
      { name: 'node-0' },
      { name: 'node-1', moved: { from: 'node-0' } },
    ]);
  });

  it('shows how much of a prompt the upstream had read before, and what broke it', async () => {
    const inspector = createInspector(5);
    const turns = new TurnMemory();
    const ask = (id: string, messages: object[], options: Partial<Parameters<typeof run>[1]> = {}) =>
      run(inspector, {
        replies: ['Hello! '],
        exchange: { id },
        body: { messages },
        bridge: { turns },
        ...options,
      });
    const first = [{ role: 'user', content: 'Hi!' }];
    await ask('one', first);
    expect(inspector.get('one')?.prefix).toBeUndefined();
    const next = [...first, { role: 'assistant', content: 'Hello! ' }, { role: 'user', content: 'Bye!' }];
    await ask('two', next);
    const known = inspector.get('two')?.prefix?.known as number;
    expect(inspector.get('two')?.prefix).toMatchObject({ of: 'one', known, stable: known });
    await ask('three', [{ role: 'user', content: 'Ho!' }, ...next.slice(1)]);
    expect(inspector.get('three')?.prefix).toMatchObject({
      of: expect.stringMatching('two|one'),
      was: expect.stringMatching(/^i!\nassistant\n/),
      is: expect.stringMatching(/^o!\nassistant\n/),
    });
    await ask('four', next, { exchange: { id: 'four', key: 'another' } });
    expect(inspector.get('four')?.prefix).toBeUndefined();
  });

  it('keeps the request, what was sent, what came, the events and the answer of an exchange', async () => {
    const inspector = createInspector(5);
    await run(inspector, {
      replies: [broken, `Sure. ${call('Rome')}`],
      exchange: { key: 'laptop' },
    });
    const record = inspector.get('req_1');
    expect(record).toMatchObject({
      id: 'req_1',
      api: 'chat',
      key: 'laptop',
      model: 'wise',
      upstream: 'local',
      dialect: 'hermes',
      mode: 'emulate',
      stream: false,
      open: false,
      status: 200,
      calls: 1,
      reasks: 1,
      request: {
        model: 'wise',
        conversation: { messages: [{ role: 'user' }], tools: [{ name: 'get_weather' }] },
      },
      usage: { inputTokens: 22, outputTokens: 14 },
      cut: [],
    });
    expect(record?.duration).toBeGreaterThanOrEqual(record?.firstByte ?? Infinity);
    expect(record?.attempts.map(({ text }) => text)).toEqual([broken, `Sure. ${call('Rome')}`]);
    expect(record?.attempts[0]?.reasons?.[0]).not.toBe('');
    expect(JSON.stringify(record?.attempts[1]?.sent)).toContain('get_weather');
    expect(record?.answer).toMatchObject([
      {
        choice: 0,
        calls: [{ name: 'get_weather', arguments: '{"city":"Rome"}', complete: true }],
        finish: 'tool-calls',
      },
    ]);
    expect(record?.report).toMatchObject({ reasks: [{ choice: 0 }] });
    expect(JSON.parse(JSON.stringify(record))).toEqual(record);
  });

  it('joins the parser’s events into few that tile the text', async () => {
    const inspector = createInspector(1);
    const text = `${'Some words. '.repeat(50)}${call('Rome')}`;
    await run(inspector, { replies: [text] });
    const events = inspector.get('req_1')?.attempts[0]?.events ?? [];
    expect(events.length).toBeLessThan(15);
    expect(events.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(100);
    let at = 0;
    for (const { range } of events) {
      expect(range[0]).toBe(at);
      at = range[1];
    }
    expect(at).toBe(text.length);
    expect(events.find(({ type }) => type === 'call-end')).toMatchObject({
      name: 'get_weather',
      input: { city: 'Rome' },
    });
  });

  it('shows the prompt where an upstream takes one, and both tries where tools were refused', async () => {
    const inspector = createInspector(5);
    await run(inspector, { replies: ['Hello.'], upstream: { takes: 'prompt' }, exchange: { id: 'a' } });
    expect(inspector.get('a')?.attempts[0]?.sent).toEqual({ prompt: expect.stringContaining('get_weather') });
    const refusal = new ApiError('tools-refused', 'wise does not support tools', { status: 400 });
    await run(inspector, { replies: [refusal, 'Hello.'], upstream: { tools: true }, exchange: { id: 'b' } });
    const record = inspector.get('b');
    expect(record?.toolsRefused).toBe('wise does not support tools');
    expect(record?.attempts.map(({ sent, text }) => ['tools' in sent, text])).toEqual([
      [true, ''],
      [false, 'Hello.'],
    ]);
  });

  it('keeps what failed, with its error', async () => {
    const inspector = createInspector(5);
    await run(inspector, { replies: [new ApiError('upstream-failed', 'gone')], left: true });
    const [summary] = inspector.list();
    expect(summary).toMatchObject({
      status: 502,
      error: { code: 'upstream-failed' },
      open: false,
      left: true,
    });
  });

  it('is off at 0: nothing is watched', async () => {
    const inspector = createInspector(0);
    expect(inspector.begin({ id: 'x', api: 'chat' })).toBeUndefined();
    await run(inspector, { replies: ['Hello.'] });
    expect(inspector.list()).toEqual([]);
  });

  it('keeps the last ones, newest first, and tells apart those that share an id', async () => {
    const inspector = createInspector(3);
    for (const id of ['a', 'b', 'c', 'd', 'd'])
      await run(inspector, { replies: ['Hello.'], exchange: { id } });
    const [first = '', second, third] = inspector.list().map(({ id }) => id);
    expect([second, third]).toEqual(['d', 'c']);
    expect(first).toMatch(/^d~\d+$/);
    expect(inspector.get(first)?.answer[0]?.text).toBe('Hello.');
    expect(inspector.get('a')).toBeUndefined();
    inspector.clear();
    expect(inspector.list()).toEqual([]);
  });

  it('takes no more than its share of memory for one, and says what is not there', async () => {
    const inspector = createInspector(3, { eachBytes: 64 * 1024 });
    const body = { messages: [{ role: 'user', content: 'q'.repeat(200_000) }] };
    await run(inspector, { replies: [`${'a'.repeat(300_000)}${call('Rome')}`], body });
    const record = inspector.get('req_1');
    expect(record?.cut).toEqual(['request', 'sent', 'text', 'events', 'answer']);
    expect(record?.attempts[0]?.textCut).toBeGreaterThan(200_000);
    expect(JSON.stringify(record?.request)).toContain('characters more]');
    expect(JSON.stringify(record).length).toBeLessThan(64 * 1024);
    expect(record).toMatchObject({ status: 200, calls: 1 });
  });

  it('takes no more than its share of memory for all: the oldest go first', async () => {
    const inspector = createInspector(100, { totalBytes: 1024 * 1024, eachBytes: 256 * 1024 });
    for (let n = 0; n < 40; n++)
      await run(inspector, { replies: ['a'.repeat(100_000)], exchange: { id: `e${n}` } });
    const kept = inspector.list();
    expect(kept[0]?.id).toBe('e39');
    expect(kept.length).toBeGreaterThan(2);
    const size = kept.reduce((sum, { id }) => sum + JSON.stringify(inspector.get(id)).length, 0);
    expect(size).toBeLessThan(1024 * 1024);
  });

  it('bounds a flood of calls, of issues and of strange values', () => {
    const inspector = createInspector(2, { eachBytes: 64 * 1024 });
    const watch = inspector.begin({ id: 'x', api: 'chat' });
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const conversation = { messages: [], tools: [], toolChoice: 'auto' as const, extra: circle };
    const request = { model: 'm', conversation, settings: {}, stream: false };
    watch?.event?.({ type: 'request', request });
    watch?.event?.({ type: 'upstream-request', choice: 0, attempt: 0, request });
    for (let n = 0; n < 20_000; n++) {
      watch?.event?.({ type: 'answer', event: { type: 'call-start', id: `c${n}`, name: 'f' } });
      watch?.event?.({ type: 'answer', event: { type: 'call-end', id: `c${n}` } });
      const issues = [{ code: 'duplicate-key' as const, range: [n, n + 1] as const, message: 'twice' }];
      const event = { type: 'markup' as const, range: [n, n + 1] as const, issues };
      watch?.event?.({ type: 'parse', choice: 0, attempt: 0, event });
    }
    const record = inspector.get('x');
    expect(record?.calls).toBe(20_000);
    expect(record?.attempts[0]?.eventsCut).toBeGreaterThan(10_000);
    expect(JSON.stringify(record).length).toBeLessThan(200 * 1024);
  });

  it('G3: shows no secret that is known, in records and live', async () => {
    const canary = 'canary-of-the-whole-suite';
    const { redactKnown } = createRedactor([canary]);
    const inspector = createInspector(2, { redact: redactKnown });
    const live: InspectorEvent[] = [];
    inspector.subscribe((event) => live.push(event));
    const watch = inspector.begin({ id: 'x', api: 'chat' });
    watch?.event?.({ type: 'tools-refused', message: `The key ${canary} is wrong.` });
    watch?.end?.({ status: 502, error: { code: 'upstream-failed', message: `no ${canary}` } });
    const shown = JSON.stringify([inspector.list(), inspector.get('x'), live]);
    expect(shown).not.toContain(canary);
    expect(shown).toContain('no [hidden]');
  });

  it('tells what happens as it happens, and makes nothing that nobody reads', async () => {
    const inspector = createInspector(2);
    const events: InspectorEvent[] = [];
    const leave = inspector.subscribe((event) => events.push(event));
    inspector.subscribe(() => {
      throw new Error('a broken listener');
    });
    await run(inspector, { replies: [call('Rome')] });
    const kinds = [...new Set(events.map(({ type }) => type))];
    expect(kinds.slice(0, 4)).toEqual(['exchange-begin', 'exchange-model', 'request', 'upstream-request']);
    expect(kinds.slice(4).sort()).toEqual([
      'answer',
      'exchange-end',
      'exchange-progress',
      'parse',
      'upstream-text',
    ]);
    const raw = events.flatMap((event) => (event.type === 'upstream-text' ? [event.text] : []));
    expect(raw.join('')).toBe(call('Rome'));
    expect(events.at(-1)).toMatchObject({ exchange: { open: false, status: 200, calls: 1 } });
    leave();
    const before = events.length;
    await run(inspector, { replies: ['Hello.'] });
    expect(events).toHaveLength(before);
  });

  it('says when everything came, in order, from the asking to the end', async () => {
    const inspector = createInspector(2);
    const live: number[] = [];
    inspector.subscribe((event) => void ('at' in event && live.push(event.at)));
    await run(inspector, { replies: [broken, `Sure. ${call('Rome')}`] });
    const record = inspector.get('req_1');
    const times = (record?.attempts ?? []).flatMap(({ at, textAt, events }) => {
      const inner = events.flatMap((event) => event.at);
      expect(inner).toEqual(inner.toSorted((a, b) => a - b));
      expect(textAt?.[0]).toBeGreaterThanOrEqual(at);
      expect(inner[0]).toBeGreaterThanOrEqual(textAt?.[0] ?? Infinity);
      return [at, ...inner];
    });
    expect(times.length).toBeGreaterThan(8);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(record?.duration).toBeGreaterThanOrEqual(times.at(-1) ?? Infinity);
    expect(live.length).toBeGreaterThan(20);
    expect(live).toEqual(live.toSorted((a, b) => a - b));
  });

  it('counts what came from the upstream, over all attempts', async () => {
    const inspector = createInspector(2);
    await run(inspector, { replies: [broken, `Sure. ${call('Rome')}`] });
    expect(inspector.list()[0]?.received).toBe(`${broken}Sure. ${call('Rome')}`.length);
  });

  it('tells of the first byte at once, and not of every piece', async () => {
    const inspector = createInspector(2);
    const lines: InspectorEvent[] = [];
    inspector.subscribe((event) => void (event.type === 'exchange-progress' && lines.push(event)));
    await run(inspector, { replies: ['word '.repeat(100)] });
    expect(lines.length).toBeLessThan(20);
    expect(lines).toContainEqual(
      expect.objectContaining({
        exchange: expect.objectContaining({ open: true, firstByte: expect.any(Number) }),
      }),
    );
  });

  it('streams only what a reader asks for', async () => {
    const inspector = createInspector(5);
    const reader = inspectorStream(inspector, {
      heartbeat: 5,
      only: (event) => 'id' in event && event.id === 'b',
    }).getReader();
    // It subscribes when it is first read.
    await reader.read();
    for (const id of ['a', 'b', 'c']) await run(inspector, { replies: ['Hello.'], exchange: { id } });
    const events = readEvents(new TextDecoder().decode((await reader.read()).value));
    expect(events.length).toBeGreaterThan(5);
    expect(new Set(events.map((event) => 'id' in event && event.id))).toEqual(new Set(['b']));
    await reader.cancel();
  });

  it('streams live events, and tells a slow reader how many it missed', async () => {
    const inspector = createInspector(2);
    const reader = inspectorStream(inspector, { queue: 10, heartbeat: 5 }).getReader();
    const utf8 = new TextDecoder();
    await reader.read();
    await run(inspector, { replies: ['word '.repeat(100)] });
    const slow = readEvents(utf8.decode((await reader.read()).value));
    expect(slow).toHaveLength(11);
    expect(slow.at(-1)).toMatchObject({ type: 'dropped', count: expect.any(Number) });
    const next = reader.read();
    inspector.begin({ id: 'late', api: 'chat' });
    expect(readEvents(utf8.decode((await next).value))).toMatchObject([
      { type: 'exchange-begin', id: 'late' },
    ]);
    await reader.cancel();
  });

  it('shows in silence that it is alive, and loses nothing by it', async () => {
    const inspector = createInspector(2);
    const reader = inspectorStream(inspector, { heartbeat: 5 }).getReader();
    const utf8 = new TextDecoder();
    expect(utf8.decode((await reader.read()).value)).toBe(': ping\n\n');
    inspector.begin({ id: 'x', api: 'chat' });
    expect(readEvents(utf8.decode((await reader.read()).value))).toMatchObject([{ type: 'exchange-begin' }]);
    await reader.cancel();
  });
});
