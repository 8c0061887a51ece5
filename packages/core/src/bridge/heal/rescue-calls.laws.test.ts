// Every error in corpus/errors, as its serving engine sent it: through healing, through a real HTTP upstream, and over
// each API that clients may use.

import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { AnswerEvent, ApiError, JsonObject, ModelRequest, Report, Tool } from '../../model/index.js';
import { decodeError, decodeInnerError } from '../../wire/upstream-error.js';
import { createResponder } from '../reply/respond.js';
import { createUpstream } from '../upstream/http-upstream.js';
import type { Upstream, UpstreamRequest } from '../upstream/upstream.js';
import { heal } from './heal.js';

interface ErrorCase {
  name: string;
  about: string;
  engine: string;
  source: string;
  api: 'openai-chat' | 'anthropic-messages';
  status: number;
  /** The error came as an event of a stream. */
  stream?: true;
  model: string;
  tools: Tool[];
  body: string;
  /** Calls that are read; none: asked again in emulation. `error`: it is about something else. */
  expect: { calls: { name: string; input: JsonObject }[]; error?: undefined } | { error: true };
}

const folder = new URL('../../../corpus/errors/', import.meta.url);
const cases = readdirSync(folder).map(
  (file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as ErrorCase,
);
const named = cases.map((one) => [one.name, one] as const);
const rescued = named.filter(([, one]) => !one.expect.error && one.expect.calls.length > 0);

const toRequest = ({ model, tools }: ErrorCase, stream: boolean): ModelRequest => ({
  model,
  conversation: {
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Do it.' }] }],
    tools,
    toolChoice: 'auto',
  },
  settings: {},
  stream,
});

const errorOf = ({ status, stream, body }: ErrorCase): ApiError =>
  stream ? decodeInnerError(JSON.parse(body)) : decodeError(status, body);

const ANSWER = 'Nothing to do.';
const answer: AnswerEvent[] = [
  { type: 'answer-start' },
  { type: 'text-delta', text: ANSWER },
  { type: 'finish', reason: 'stop' },
];

/** An upstream that fails at first and then answers with text. */
function failing(error: ApiError): Upstream & { asked: UpstreamRequest[] } {
  const asked: UpstreamRequest[] = [];
  return {
    takes: 'messages',
    tools: true,
    media: false,
    asked,
    async *ask(request) {
      if (asked.push(request) === 1) throw error;
      yield* answer;
    },
  };
}

interface Healed {
  calls: { name: string; input: unknown }[];
  text: string;
  finish: string | undefined;
  report: Report | undefined;
  error: unknown;
}

async function healed(request: ModelRequest, upstream: Upstream): Promise<Healed> {
  const got: Healed = { calls: [], text: '', finish: undefined, report: undefined, error: undefined };
  const open = new Map<string, { name: string; json: string }>();
  try {
    for await (const event of heal(request, upstream, { signal: new AbortController().signal })) {
      if (event.type === 'call-start') open.set(event.id, { name: event.name, json: '' });
      if (event.type === 'call-delta') (open.get(event.id) as { json: string }).json += event.text;
      if (event.type === 'text-delta') got.text += event.text;
      if (event.type === 'finish') got.finish = event.reason;
      if (event.type === 'report') got.report = event.report;
    }
  } catch (error) {
    got.error = error;
  }
  got.calls = [...open.values()].map(({ name, json }) => ({ name, input: JSON.parse(json) }));
  return got;
}

function check(one: ErrorCase, got: Healed, message: string): void {
  const { report } = got;
  if (one.expect.error) {
    expect(got.error).toMatchObject({ message });
    expect(got.calls).toEqual([]);
    return;
  }
  expect(got.error).toBeUndefined();
  expect(got.calls).toEqual(one.expect.calls);
  if (one.expect.calls.length > 0) {
    expect(got.finish).toBe('tool-calls');
    expect(report).toMatchObject({ mode: 'heal', rescued: message.slice(0, 200), reasks: [] });
    const codes = report?.repairs.map(({ code }) => code);
    expect(codes?.filter((code) => code === 'rescued-call')).toHaveLength(one.expect.calls.length);
    return;
  }
  expect(got.text).toBe(ANSWER);
  expect(report).toMatchObject({ mode: 'emulate', reasks: [{ reasons: [message] }] });
  expect(report).not.toHaveProperty('refused');
  expect(report).not.toHaveProperty('rescued');
}

/** A server that answers the first request with the error of a case, and others with text. */
async function serving<T>(
  one: ErrorCase,
  run: (url: string, bodies: JsonObject[]) => Promise<T>,
): Promise<T> {
  const bodies: JsonObject[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(JSON.parse(await textOf(request)));
    if (bodies.length === 1) fail(response, one);
    else write(response, one.api);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    return await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, bodies);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece;
  return text;
}

function fail(response: ServerResponse, { status, stream, body }: ErrorCase): void {
  response.writeHead(status, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
  response.end(stream ? `event: error\ndata: ${body}\n\n` : body);
}

/** Texts as the two APIs write them. */
const answers = {
  'openai-chat': {
    choices: [{ index: 0, message: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }],
  },
  'anthropic-messages': {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: ANSWER }],
    stop_reason: 'end_turn',
  },
};

function write(response: ServerResponse, api: ErrorCase['api']): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answers[api]));
}

describe('an error of a serving engine that could not read a call', () => {
  it('is collected from public reports: at least fifteen of them', () => {
    expect(new Set(cases.map(({ source }) => source)).size).toBeGreaterThanOrEqual(15);
    expect(rescued.length).toBeGreaterThanOrEqual(7);
    for (const { source } of cases) expect(source).toMatch(/^https:\/\/github\.com\//);
  });

  describe.each([false, true])('streamed: %s', (stream) => {
    it.each(named)('gives its calls, or is asked again in emulation once: %s', async (_, one) => {
      const error = errorOf(one);
      const upstream = failing(error);
      check(one, await healed(toRequest(one, stream), upstream), error.message);
      const asked = one.expect.error || one.expect.calls.length > 0 ? 1 : 2;
      expect(upstream.asked).toHaveLength(asked);
      expect(upstream.asked[1]?.conversation.tools ?? []).toEqual([]);
    });

    it.each(named)('does so over HTTP, without a blind retry: %s', async (_, one) => {
      await serving(one, async (url, bodies) => {
        const upstream = createUpstream({ url, api: one.api, tools: true, retryDelay: 1 });
        const got = await healed(toRequest(one, stream), upstream);
        if (one.expect.error && one.status >= 500) {
          // It is not about a call of the answer: retried as ever.
          expect(got.text).toBe(ANSWER);
          expect(bodies.map(({ tools }) => Array.isArray(tools))).toEqual([true, true]);
          return;
        }
        check(one, got, errorOf(one).message);
        const again = !one.expect.error && one.expect.calls.length === 0;
        expect(bodies.map(({ tools }) => Array.isArray(tools))).toEqual(again ? [true, false] : [true]);
      });
    });
  });
});

// --- as clients see it ---------------------------------------------------------------------------------------

const schemaOf = ({ parameters }: Tool) => parameters;
const clients: Record<string, { path: string; body(one: ErrorCase): JsonObject }> = {
  'chat completions': {
    path: '/v1/chat/completions',
    body: ({ model, tools }) => ({
      model,
      messages: [{ role: 'user', content: 'Do it.' }],
      tools: tools.map((tool) => ({
        type: 'function',
        function: { name: tool.name, parameters: schemaOf(tool) as JsonObject },
      })),
    }),
  },
  responses: {
    path: '/v1/responses',
    body: ({ model, tools }) => ({
      model,
      input: 'Do it.',
      tools: tools.map((tool) => ({
        type: 'function',
        name: tool.name,
        parameters: schemaOf(tool) as JsonObject,
      })),
    }),
  },
  messages: {
    path: '/v1/messages',
    body: ({ model, tools }) => ({
      model,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Do it.' }],
      tools: tools.map((tool) => ({ name: tool.name, input_schema: schemaOf(tool) as JsonObject })),
    }),
  },
};

describe.each(Object.entries(clients))('a client of %s', (api, { path, body }) => {
  it.each(rescued)('gets the rescued calls, whole and streamed: %s', async (_, one) => {
    for (const stream of [false, true]) {
      const text = await serving(one, async (url) => {
        const respond = createResponder({ upstream: { url, api: one.api, tools: true } });
        const sent = { method: 'POST', body: JSON.stringify({ ...body(one), stream }) };
        const response = await respond(new Request(`http://test.invalid${path}`, sent));
        expect(response.status).toBe(200);
        return response.text();
      });
      expect(text).toContain('rescued-call');
      expect(callsOf(text, api, stream)).toEqual('calls' in one.expect ? one.expect.calls : []);
    }
  });
});

// biome-ignore lint/suspicious/noExplicitAny: bodies and events as clients see them.
type Body = any;

/** Puts the calls together as a client of the API does. */
function callsOf(text: string, api: string, stream: boolean): { name: string; input: unknown }[] {
  const bodies: Body[] = stream
    ? text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
    : [JSON.parse(text)];
  const calls: { name: string; json: string }[] = [];
  const begin = (name: string, json = '') => void calls.push({ name, json });
  const add = (json: string) => {
    const last = calls.at(-1);
    if (last) last.json += json;
  };
  for (const body of bodies) {
    if (api === 'chat completions') {
      for (const { function: made } of (body.choices[0]?.delta ?? body.choices[0]?.message)?.tool_calls ??
        []) {
        if (made.name) begin(made.name);
        add(made.arguments ?? '');
      }
    } else if (api === 'responses') {
      if (body.type === 'response.function_call_arguments.delta') add(body.delta);
      if (body.type === 'response.output_item.added' && body.item.name) begin(body.item.name);
      for (const item of body.object === 'response' ? body.output : []) begin(item.name, item.arguments);
    } else {
      if (body.content_block?.type === 'tool_use') begin(body.content_block.name);
      if (body.delta?.type === 'input_json_delta') add(body.delta.partial_json);
      for (const block of body.type === 'message' ? body.content : [])
        begin(block.name, JSON.stringify(block.input));
    }
  }
  return calls.map(({ name, json }) => ({ name, input: JSON.parse(json) }));
}
