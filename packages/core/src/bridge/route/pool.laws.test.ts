import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type AnswerEvent, ApiError, acceptConversation, acceptTools } from '../../model/index.js';
import type { Upstream } from '../upstream/upstream.js';
import { createPool } from './create-pool.js';

// Whatever the endpoints do, a client gets the text and calls of one endpoint, and exactly one finish or one error.

const tools = acceptTools([{ name: 'get', parameters: { type: 'object', properties: {} } }]);
const { messages } = acceptConversation({ messages: [{ role: 'user', content: 'Go.' }] });

type Step =
  | 'text'
  | 'reasoning'
  | 'call'
  | 'unknown call'
  | 'bad call'
  | 'throw'
  | 'error'
  | 'refuse'
  | 'silence';

const steps: readonly Step[] = [
  'text',
  'reasoning',
  'call',
  'unknown call',
  'bad call',
  'throw',
  'error',
  'refuse',
  'silence',
];

/** What it writes names the endpoint, so that mixed answers show. */
function endpoint(name: string, native: boolean, script: readonly Step[]): Upstream {
  const failure = new ApiError('upstream-failed', name);
  return {
    takes: 'messages',
    tools: native,
    media: false,
    async *ask(): AsyncGenerator<AnswerEvent> {
      yield { type: 'answer-start' };
      for (const [at, step] of script.entries()) {
        if (step === 'throw') throw failure;
        if (step === 'refuse') throw new ApiError('upstream-refused', name, { status: 400 });
        if (step === 'error') yield { type: 'error', error: failure };
        else if (step === 'silence') await Promise.resolve();
        else if (step === 'text') yield { type: 'text-delta', text: `[${name}]` };
        else if (step === 'reasoning') yield { type: 'reasoning-delta', text: `[${name}]` };
        else yield* calls(name, native, step, at);
      }
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

function* calls(name: string, native: boolean, step: Step, at: number): Generator<AnswerEvent> {
  const tool = step === 'unknown call' ? 'other' : 'get';
  const raw = step === 'bad call' ? '{"who" =' : `{"who": "${name}"}`;
  if (native) {
    const id = `${name}${at}`;
    yield { type: 'call-start', id, name: tool };
    yield { type: 'call-delta', id, text: raw };
    yield { type: 'call-end', id };
  } else {
    const text = `<tool_call>\n{"name": "${tool}", "arguments": ${raw}}\n</tool_call>\n`;
    for (const piece of [text.slice(0, 20), text.slice(20)]) yield { type: 'text-delta', text: piece };
  }
}

/** No random id holds one. */
const names = ['end-0', 'end-1', 'end-2'];

const script = fc.array(fc.constantFrom(...steps), { maxLength: 4 });
const endpoints = fc.array(fc.record({ native: fc.boolean(), script }), { minLength: 1, maxLength: 3 });
const settings = fc.record({
  endpoints,
  stream: fc.boolean(),
  delivery: fc.constantFrom('stream' as const, 'whole' as const),
  route: fc.constantFrom('order' as const, 'error-rate' as const),
  reasks: fc.nat(1),
});

it('a client gets one answer of one endpoint, with one finish, or one error', async () => {
  await fc.assert(
    fc.asyncProperty(settings, async ({ endpoints, stream, ...options }) => {
      const upstreams = endpoints.map(({ native, script }, at) => {
        const name = names[at] as string;
        return { name, upstream: endpoint(name, native, script) };
      });
      const ask = createPool({ upstreams, dialect: 'hermes', now: () => 0, ...options });
      const conversation = { messages, tools, toolChoice: 'auto' as const };
      // The states of the endpoints change with each request.
      for (let n = 0; n < 3; n++) {
        const request = { model: 'm', conversation, settings: {}, stream };
        expectOne(await read(ask(request, { signal: new AbortController().signal })));
      }
    }),
    { seed: 15, numRuns: 600 },
  );
});

async function read(events: AsyncIterable<AnswerEvent>): Promise<AnswerEvent[]> {
  const seen: AnswerEvent[] = [];
  try {
    for await (const event of events) {
      seen.push(event);
      if (event.type === 'error') break;
    }
  } catch (error) {
    seen.push({ type: 'error', error: error as ApiError });
  }
  return seen;
}

function expectOne(events: AnswerEvent[]): void {
  const count = (type: AnswerEvent['type']) => events.filter((event) => event.type === type).length;
  expect(count('finish') + count('error')).toBeGreaterThan(0);
  expect(count('finish')).toBeLessThan(2);
  expect(count('error')).toBeLessThan(2);
  expect(count('answer-start')).toBeLessThan(2);
  const written = JSON.stringify(events.filter(({ type }) => type !== 'report' && type !== 'error'));
  const writers = names.filter((name) => written.includes(name));
  expect(writers.length).toBeLessThan(2);
  const report = events.find((event) => event.type === 'report');
  if (report?.type === 'report') {
    expect(count('error')).toBe(0);
    expect(names).toContain(report.report.upstream);
    if (writers[0] !== undefined) expect(report.report.upstream).toBe(writers[0]);
  } else expect(events.at(-1)?.type).toBe('error');
}
