// The laws of streams: whatever a model wrote, and wherever its stream breaks off, each of the three APIs says it in
// the order that its documentation has, and what the official clients put together is what the model meant.
//
// Everything in packages/core/corpus goes through the bridge, in process. The bytes are read twice: by
// eventsource-parser, for the order of events, and by the official client's own reader.

import { createParser, type Dialect, findDialect, parse, type Tool } from '@dragoman/core';
import { createResponder, type Upstream } from '@dragoman/core/bridge';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { representatives } from '../packages/core/src/dialects/every.fixture.js';
import { seeds } from './clients/spread.js';
import { oneOf } from './effort.js';
import { type Gate, openGate, type Responder } from './scripted/gate.js';
import { type ClientApi, checkOrder } from './scripted/order.js';
import { conversationOutputs, type Output, wildOutputs } from './scripted/outputs.js';
import { type Accumulated, exchange, toRequest } from './scripted/readers.js';
import { toEvents } from './scripted/reply.js';
import { spell } from './scripted/spell.js';
import { startTextModel, type TextModel } from './scripted/text-model.js';
import { alike, readEvents, same, type Told } from './scripted/told.js';

const apis = Object.keys(checkOrder) as ClientApi[];
const conversations = conversationOutputs();
const wild = wildOutputs();

/** An upstream whose answer is these bytes, and then the end, or a connection that breaks. */
function responderOf(output: Output, chunks: readonly string[], breaks = false) {
  const bytes = new TextEncoder();
  const answer = async () => {
    let at = 0;
    const body = new ReadableStream({
      pull(controller) {
        const chunk = chunks[at++];
        if (chunk !== undefined) controller.enqueue(bytes.encode(chunk));
        else if (breaks) controller.error(new TypeError('terminated'));
        else controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  return createResponder({
    upstream: { url: 'http://upstream.test/v1', tools: false, retryDelay: 0, fetch: answer as typeof fetch },
    dialect: output.dialect.name,
    reasks: 0,
    // The corpus states what a parser gives, which coerces strings only where its dialect does; the bridge always does.
    policies: { coerceStrings: output.dialect.traits.coercesStrings, ...output.policies },
  });
}

/** What a chat endpoint sends that writes the output, in about so many events. */
function upstreamEvents({ text }: Output, about: number): string[] {
  const pieces = Math.ceil(text.length / about) || 1;
  const asked = { stream: true, stream_options: { include_usage: true } };
  return toEvents({ text, pieces }, 'chat', asked);
}

/** Runs the check on each output, and names those that fail. */
async function holdEach(outputs: readonly Output[], check: (output: Output) => Promise<void>): Promise<void> {
  expect(outputs.length).toBeGreaterThan(0);
  const failures: string[] = [];
  for (const output of outputs)
    await check(output).catch((error) => failures.push(`${output.name}: ${(error as Error).message}`));
  expect(failures.length, failures.slice(0, 5).join('\n\n')).toBe(0);
}

const kinds = { conversations: oneOf(2, conversations), wild: oneOf(2, wild) };

/**
 * Each output in one API, and the next in the next; the next dialect begins with the next. So every two of dialect,
 * API and conversation meet, and not every three: an API sees nothing of the dialect, only what was read.
 */
function saidIn(api: ClientApi, outputs: readonly Output[]): Output[] {
  const counted = new Map<Dialect, number>();
  return outputs.filter(({ dialect }) => {
    const at = counted.get(dialect) ?? representatives.indexOf(dialect);
    counted.set(dialect, at + 1);
    return at % apis.length === apis.indexOf(api);
  });
}

describe.each(apis)('%s', (api) => {
  for (const [kind, outputs] of Object.entries(kinds))
    for (const dialect of new Set(outputs.map((output) => output.dialect)))
      it(`says what ${dialect.name} wrote in its order (${kind})`, () =>
        holdEach(
          saidIn(
            api,
            outputs.filter((output) => output.dialect === dialect),
          ),
          async (output) => {
            const respond = responderOf(output, upstreamEvents(output, 24));
            const { raw, accumulated } = await exchange(api, respond, output.tools);
            const told = checkOrder[api](readEvents(raw), true);
            checkClient(told, accumulated);
            checkMeaning(told, output);
          },
        ));
});

/** What the client put together is what was told; and it throws where an error was told, and only there. */
function checkClient(told: Told, accumulated: Accumulated | Error): void {
  if (accumulated instanceof Error) {
    expect(told.error, `the client threw: ${accumulated.message}`).toBeTypeOf('string');
    return;
  }
  same(told.error, undefined, 'an error was told, and the client did not throw');
  same(accumulated.text, told.text);
  alike(
    accumulated.calls,
    told.calls.map(({ complete: _, ...call }) => call),
  );
}

/** What was told is what the dialect's reader finds, to the letter, where it finds no fault. */
function checkMeaning(told: Told, output: Output): void {
  const meant = meantBy(output);
  const whole = told.calls.filter(({ complete }) => complete).map(callOf);
  const wanted = meant.calls.map(({ name, raw }) => ({ name, arguments: raw }));
  alike(whole, wanted.slice(0, whole.length), 'no call that was not meant');
  same(new Set(told.calls.map(({ id }) => id)).size, told.calls.length, 'ids are unique');
  if (meant.issues.length > 0) return;
  same(told.error, undefined);
  alike(told.calls.map(callOf), wanted);
  same(told.text, meant.text);
  same(told.reasoning, meant.reasoning);
}

function meantBy({ dialect, text, tools, policies = {} }: Output) {
  return parse(dialect, text, { tools, policies });
}

function callOf(call: Told['calls'][number]): { name: string; arguments: string } {
  return { name: call.name, arguments: call.arguments };
}

// ---------------------------------------------------------------- outputs that try the stream itself

const HOSTILE = 'data: [DONE]\n\nevent: error\r\ndata: {}\r\rid: 1\u2028\u0000: ping\n\n';
const echo: Tool = {
  name: 'echo',
  parameters: { type: 'object', properties: { text: { type: 'string' } } },
};

function outputIn(dialect: Dialect, text: string, value: string): Output {
  const calls = [{ name: echo.name, raw: JSON.stringify({ text: value }) }];
  return { name: dialect.name, dialect, text: spell(dialect, { text, calls }, [echo]), tools: [echo] };
}

const longCall = outputIn(findDialect('glm-4.5'), '', 'abcdefghij'.repeat(7000));

describe.each(apis)('%s', (api) => {
  it.each(representatives)(
    'says events that stand in the text and the arguments of $name as text',
    async (dialect) => {
      const output = outputIn(dialect, `Look: ${HOSTILE}.`, HOSTILE);
      const { raw, accumulated } = await exchange(api, responderOf(output, upstreamEvents(output, 24)), [
        echo,
      ]);
      const told = checkOrder[api](readEvents(raw), true);
      checkClient(told, accumulated);
      checkMeaning(told, output);
      expect(JSON.parse(told.calls[0]?.arguments ?? '')).toEqual({ text: HOSTILE });
    },
  );

  // Official clients refuse a stream with more than 65,536 fragments of arguments.
  it('says a long call that was written letter by letter in fragments that clients take', async () => {
    const output = longCall;
    const upstream: Upstream = {
      takes: 'messages',
      tools: false,
      media: false,
      async *ask() {
        yield { type: 'answer-start' };
        for (const text of output.text) yield { type: 'text-delta', text };
        yield { type: 'finish', reason: 'stop' };
      },
    };
    const respond = createResponder({ upstream, dialect: output.dialect.name, reasks: 0 });
    const { raw, accumulated } = await exchange(api, respond, [echo]);
    const events = readEvents(raw);
    expect(events.length).toBeLessThan(65_536);
    const told = checkOrder[api](events, true);
    checkClient(told, accumulated);
    checkMeaning(told, output);
  });
});

it('tells usage in chat only when it is asked for', async () => {
  const output = conversations[0] as Output;
  const request = toRequest('openai-chat', output.tools);
  const { stream_options: _, ...body } = (await request.json()) as Record<string, unknown>;
  const respond = responderOf(output, upstreamEvents(output, 24));
  const { url, method, headers } = request;
  const response = await respond(new Request(url, { method, headers, body: JSON.stringify(body) }));
  expect(checkOrder['openai-chat'](readEvents(await response.text()), false).usage).toBe(false);
});

// ---------------------------------------------------------------- cut off

const EVENTS = 8;

/** Every conversation's first turn in the dialects the project began with, and a sample of the rest. */
// An invented result ends an answer by itself: what follows is not waited for.
const cutOutputs = [
  ...conversations.filter(({ name, dialect }) => seeds.includes(dialect.name) && / 1 in /.test(name)),
  ...wild.filter((_, at) => at % 47 === 0),
].filter((output) => !meantBy(output).issues.some(({ code }) => code === 'forged-result'));

const cuts = [
  { name: 'an end between two events', half: false, breaks: false },
  { name: 'an end inside an event', half: true, breaks: false },
  { name: 'a connection that breaks', half: false, breaks: true },
];

describe.each(apis)('%s, cut off', (api) => {
  it.each(cuts)('never ends clean, nor completes a call: $name', ({ name, half, breaks }) =>
    holdEach(cutOutputs, async (output) => {
      const { events, finish, ended } = writtenBy(output);
      // Every third place, and an API or a kind of cut further the next: each place is cut in every way, and each is
      // said in every API.
      const kind = cuts.findIndex((cut) => cut.name === name);
      for (let at = (apis.indexOf(api) + kind) % 3; at < events.length - 1; at += 3) {
        const next = events[at] as string;
        const chunks = [...events.slice(0, at), ...(half ? [next.slice(0, next.length >> 1)] : [])];
        const told = await tellCut(api, output, chunks, breaks);
        if (at <= finish) same(typeof told.error, 'string', `a clean end after event ${at}`);
        checkComplete(told, ended[at] as Call[]);
      }
    }),
  );
});

type Call = ReturnType<typeof callOf>;

interface Written {
  events: string[];
  /** The place of the event that says that the answer is over. */
  finish: number;
  /** The calls that are whole before each event. */
  ended: Call[][];
}

const known = new Map<Output, Written>();

/** Once for all the ways of cutting it. */
function writtenBy(output: Output): Written {
  const found = known.get(output) ?? write(output);
  known.set(output, found);
  return found;
}

function write(output: Output): Written {
  const { dialect, tools, policies = {} } = output;
  const events = upstreamEvents(output, EVENTS);
  const parser = createParser(dialect, { tools, policies });
  const ended: Call[][] = [[]];
  for (const event of events) {
    const ends = parser.feed(contentOf(event)).filter((event) => event.type === 'call-end');
    ended.push([...(ended.at(-1) as Call[]), ...ends.map(({ name, raw }) => ({ name, arguments: raw }))]);
  }
  return { events, finish: events.findIndex((event) => event.includes('"finish_reason":"stop"')), ended };
}

async function tellCut(api: ClientApi, output: Output, chunks: string[], breaks: boolean): Promise<Told> {
  const response = await responderOf(output, chunks, breaks)(toRequest(api, output.tools));
  const body = await response.text();
  if (response.headers.get('content-type')?.startsWith('text/event-stream'))
    return checkOrder[api](readEvents(body), true);
  // Nothing was said yet: then the status says it.
  expect(response.status).toBeGreaterThanOrEqual(500);
  const { error } = JSON.parse(body);
  return { text: '', reasoning: '', calls: [], finish: undefined, error: error.message, usage: false };
}

/** A call is complete only if the model had written all of it. */
function checkComplete(told: Told, ended: Call[]): void {
  if (told.error === undefined) return;
  const whole = told.calls.filter(({ complete }) => complete).map(callOf);
  alike(whole, ended.slice(0, whole.length));
}

function contentOf(event: string): string {
  const data = event.slice('data: '.length).trim();
  return data === '[DONE]' ? '' : (JSON.parse(data).choices[0]?.delta.content ?? '');
}

// ---------------------------------------------------------------- over sockets

describe('over sockets', () => {
  let model: TextModel;
  let gate: Gate;
  let respond: Responder;
  beforeAll(async () => {
    model = await startTextModel();
    gate = await openGate((request) => respond(request));
  });
  afterAll(async () => {
    await gate.close();
    await model.close();
  });

  const sample = conversations.filter(({ name }) =>
    /^(parallel-calls|code-with-markers|unicode) /.test(name),
  );

  const pass = async (request: Request) => {
    const { method, headers } = request;
    const body = await request.text();
    return fetch(gate.url + new URL(request.url).pathname, { method, headers, body });
  };

  it.each(apis)('%s says the same', (api) =>
    holdEach(saidIn(api, sample), async (output) => {
      const upstream = { url: model.url, tools: false };
      respond = createResponder({ upstream, dialect: output.dialect.name, reasks: 0 });
      model.script({ text: output.text, pieces: { seed: 3 } });
      const { raw, accumulated } = await exchange(api, pass, output.tools);
      const told = checkOrder[api](readEvents(raw), true);
      checkClient(told, accumulated);
      checkMeaning(told, output);
    }),
  );
});
