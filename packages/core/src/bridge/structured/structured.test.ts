// Structured output as clients of each API ask for it and get it, whole and streamed: over an endpoint that only writes
// text, and over one that has tools. The endpoint is a stand-in that speaks one of the APIs.

import { describe, expect, it } from 'vitest';
import type { AnswerEvent, Report } from '../../model/index.js';
import { type ApiName, wireOf } from '../../wire/index.js';
import { createResponder, type ResponderOptions } from '../reply/respond.js';

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city', 'days'],
  additionalProperties: false,
};
const rome = '{"city": "Rome", "days": 3}';
const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>';

/** The requests as openai's `zodResponseFormat` and `zodTextFormat` and Anthropic's `zodOutputFormat` send them. */
const apis = {
  'openai-chat': {
    path: '/v1/chat/completions',
    body: { messages: [{ role: 'user', content: 'Where?' }] },
    tools: [{ type: 'function', function: { name: 'get_weather', parameters } }],
    format: { response_format: { type: 'json_schema', json_schema: { name: 'trip', strict: true, schema } } },
    any: { response_format: { type: 'json_object' } },
  },
  'openai-responses': {
    path: '/v1/responses',
    body: { input: 'Where?' },
    tools: [{ type: 'function', name: 'get_weather', parameters }],
    format: { text: { format: { type: 'json_schema', name: 'trip', strict: true, schema } } },
    any: { text: { format: { type: 'json_object' } } },
  },
  'anthropic-messages': {
    path: '/v1/messages',
    body: { max_tokens: 100, messages: [{ role: 'user', content: 'Where?' }] },
    tools: [{ name: 'get_weather', input_schema: parameters }],
    format: { output_config: { format: { type: 'json_schema', schema } } },
    any: undefined,
  },
} as const;
type Api = keyof typeof apis;
const names = Object.keys(apis) as Api[];
const ways = names.flatMap((api) => [true, false].map((stream) => [api, stream] as const));

interface Reply {
  text: string;
  finish?: string;
  refusal?: string;
  call?: { name: string; arguments: string };
}

interface Asked extends Partial<Omit<ResponderOptions, 'upstream'>> {
  tools?: boolean;
  /** Members in the place of the format. */
  members?: object;
  /** The upstream has tools. */
  native?: boolean;
  behind?: ApiName;
  grammar?: 'gbnf' | 'structural-tag' | 'lark' | 'json-schema';
  /** Gives the message of an error for a body. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies as they were sent.
  refuses?: (body: any) => unknown;
}

interface Got {
  text: string;
  deltas: number;
  calls: string[];
  finish: string | undefined;
  report: Report;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies as they were sent.
  asked: any[];
}

/** Asks over one API, and reads the answer as our own client of it would. */
async function ask(
  api: Api,
  stream: boolean,
  replies: readonly (string | Reply)[],
  options: Asked = {},
): Promise<Got> {
  const { tools = false, members, native = false, behind, grammar, refuses, ...more } = options;
  const asked: unknown[] = [];
  const fetch = async (_: unknown, init: { body: string }) => {
    const given = JSON.parse(init.body);
    asked.push(given);
    const message = refuses?.(given);
    if (message) return Response.json({ error: { message, type: 'invalid_request_error' } }, { status: 400 });
    const reply = replies[Math.min(asked.length, replies.length) - 1] ?? '';
    return chatStream(typeof reply === 'string' ? { text: reply } : reply);
  };
  const upstream = {
    url: 'http://up.invalid/v1',
    fetch: fetch as never,
    tools: native,
    ...(behind && { api: { ...wireOf(behind), ...readsChat } }),
    ...(grammar && { grammar }),
  };
  const respond = createResponder({ dialect: 'hermes', ...more, upstream } as ResponderOptions);
  const { path, body, format, tools: offered } = apis[api];
  const sent = { ...body, model: 'm', stream, ...(tools && { tools: offered }), ...(members ?? format) };
  const request = new Request(`http://gate.invalid${path}`, { method: 'POST', body: JSON.stringify(sent) });
  const response = await respond(request);
  const text = await response.text();
  if (response.status !== 200) return { ...failed, body: text, asked };
  const wire = wireOf(api);
  const events = stream
    ? ((decoder) => [...decoder.feed(text), ...decoder.finish()])(wire.createStreamDecoder())
    : wire.decodeResponse(JSON.parse(text));
  return { ...gather(events), report: reportIn(text), body: text, asked };
}

const nothing: Report = { mode: 'heal', issues: [], repairs: [], reasks: [] };
const failed = { text: '', deltas: 0, calls: [], finish: undefined, report: nothing };

/** Whatever API is asked behind, the stand-in answers as a chat API. */
const { createStreamDecoder, decodeResponse, stream: chatEvents } = wireOf('openai-chat');
const readsChat = { createStreamDecoder, decodeResponse, stream: chatEvents };

function chatStream({ text, call: made, finish, refusal }: Reply): Response {
  const deltas: object[] = (text.match(/.{1,4}/gs) ?? []).map((content) => ({ content }));
  if (refusal) deltas.push({ refusal });
  if (made) deltas.push({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: made }] });
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: finish ?? (made ? 'tool_calls' : 'stop') }] },
  ];
  const lines = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
  return new Response(`${lines}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } });
}

function gather(events: AnswerEvent[]): Pick<Got, 'text' | 'deltas' | 'calls' | 'finish'> {
  const texts = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));
  return {
    text: texts.join(''),
    deltas: texts.length,
    calls: events.flatMap((event) => (event.type === 'call-start' ? [event.name] : [])),
    finish: events.find((event) => event.type === 'finish')?.reason,
  };
}

function reportIn(text: string): Report {
  for (const line of text.split('\n').reverse()) {
    const data = line.startsWith('data: {') ? line.slice('data: '.length) : line;
    if (!data.startsWith('{')) continue;
    const { dragoman, response } = JSON.parse(data);
    if (dragoman ?? response?.dragoman) return dragoman ?? response.dragoman;
  }
  throw new Error('no report');
}

const codes = ({ issues, repairs }: Report) => [...issues, ...repairs].map(({ code }) => code);
const system = (body: { messages: { role: string; content: string }[] }) => body.messages[0]?.content ?? '';

describe.each(ways)('%s, streamed %s: an endpoint that only writes text', (api, stream) => {
  it('is taught the schema, and asked for it in its own words', async () => {
    const { text, asked, report } = await ask(api, stream, [rome]);
    expect(text).toBe(rome);
    expect(codes(report)).toEqual([]);
    expect(report.ignored).toBeUndefined();
    expect(system(asked[0])).toContain(JSON.stringify(schema));
    expect(asked[0].response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { strict: true, schema },
    });
  });

  it('writes a fence and prose, which are left out', async () => {
    const written = `Here you are:\n\`\`\`json\n${rome}\n\`\`\`\nHave fun!`;
    const { text, deltas, report } = await ask(api, stream, [written]);
    expect(text).toBe(rome);
    if (stream) expect(deltas).toBeGreaterThan(3);
    expect(codes(report)).toEqual(['fenced-answer', 'text-around-answer']);
    expect(report.aside).toContain('Have fun!');
  });

  it('writes JSON with mistakes, which is repaired', async () => {
    const { text, report } = await ask(api, stream, ["{'city': 'Rome', 'days': '3',}"]);
    expect(JSON.parse(text)).toEqual({ city: 'Rome', days: 3 });
    expect(codes(report)).toContain('trailing-comma');
    expect(codes(report)).toContain('string-as-scalar');
  });

  it('is asked again after prose, with the reason', async () => {
    const { text, asked, report } = await ask(api, stream, ['Rome, for three days.', rome]);
    expect(text).toBe(rome);
    expect(report.reasks).toMatchObject([
      { issues: [{ code: 'unreadable-answer' }], text: 'Rome, for three days.' },
    ]);
    expect(asked[1].messages.at(-2)).toMatchObject({ role: 'assistant', content: 'Rome, for three days.' });
    expect(asked[1].messages.at(-1).content).toMatch(
      /^Your answer is not the JSON that was asked for\. .* no JSON/,
    );
    expect(asked[1].messages.at(-1).content).not.toContain('Nothing was run');
  });

  it('is asked again after JSON that breaks the schema, unless it was delivered', async () => {
    const wrong = '{"city": "Rome", "days": "three"}';
    const { text, asked, report } = await ask(api, stream, [wrong, rome]);
    expect(text).toBe(stream ? wrong : rome);
    expect(codes(report)).toEqual(stream ? ['answer-mismatch'] : []);
    if (!stream) expect(asked[1].messages.at(-1).content).toContain('days');
    const held = await ask(api, stream, [wrong, rome], { delivery: 'whole' });
    expect(held.text).toBe(rome);
    expect(held.report.reasks).toHaveLength(1);
  });

  it('is asked again where it repeats the schema, also in a stream', async () => {
    const { text, report } = await ask(api, stream, [JSON.stringify(schema), rome]);
    expect(text).toBe(rome);
    expect(report.reasks).toHaveLength(1);
  });

  it('never gets it right: the client gets what it wrote, and the issue', async () => {
    const { text, asked, report, finish } = await ask(api, stream, ['Rome.']);
    expect(text).toBe('Rome.');
    expect(asked).toHaveLength(3);
    expect(codes(report)).toEqual(['unreadable-answer']);
    expect(finish).toBe('stop');
  });

  it('is cut by the token limit: its answer stays cut', async () => {
    const { text, asked, finish, report } = await ask(api, stream, [
      { text: '{"city": "Ro', finish: 'length' },
    ]);
    expect(text).toBe('{"city": "Ro');
    expect(finish).toBe('length');
    expect(asked).toHaveLength(1);
    expect(codes(report)).toEqual([]);
  });

  it('thinks before', async () => {
    const { text } = await ask(api, stream, [`<think>\nMaybe {"city": 1}?\n</think>\n\n${rome}`]);
    expect(text.trim()).toBe(rome);
  });

  it('calls a tool, or gives the JSON: never text beside a call', async () => {
    const called = await ask(api, stream, [`Let me look {first}.\n${call}`], { tools: true });
    expect(called).toMatchObject({ text: '', calls: ['get_weather'], finish: 'tool-calls' });
    expect(called.report).toMatchObject({ issues: [], aside: 'Let me look {first}.' });
    expect(called.report.ignored).toBeUndefined();
    expect(called.asked[0].response_format).toBeUndefined();
    expect(system(called.asked[0])).toContain(JSON.stringify(schema));
    expect(system(called.asked[0])).toContain('get_weather');
    const answered = await ask(api, stream, [`\`\`\`json\n${rome}\n\`\`\``], { tools: true });
    expect(answered).toMatchObject({ text: rome, calls: [], finish: 'stop' });
    const neither = await ask(api, stream, ['Rome.', `So.\n${call}`], { tools: true });
    expect(neither).toMatchObject({ text: '', calls: ['get_weather'] });
    expect(neither.report.reasks).toHaveLength(1);
  });

  it('writes a call that cannot be read: nothing of it is lost', async () => {
    const broken = 'Wait.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": ?}}\n</tool_call>';
    const { text, asked, report } = await ask(api, false, [broken], { tools: true });
    expect(asked).toHaveLength(3);
    expect(text).toContain(broken.slice(0, broken.indexOf('?')));
    expect(codes(report)).toEqual(['unreadable-call']);
  });

  it('must call a tool: then its text is not judged', async () => {
    const choice = {
      'openai-chat': 'required',
      'openai-responses': 'required',
      'anthropic-messages': { type: 'any' },
    };
    const members = { ...apis[api].format, tool_choice: choice[api] };
    const { calls, report } = await ask(api, stream, [`Now.\n${call}`], { tools: true, members });
    expect(calls).toEqual(['get_weather']);
    expect(codes(report)).toEqual([]);
  });
});

describe.each(ways)('%s, streamed %s: an endpoint with tools', (api, stream) => {
  it.each([false, true])('gets the format in its own words, tools %s', async (tools) => {
    for (const behind of names) {
      const { asked, text } = await ask(api, stream, [rome], { native: true, behind, tools });
      expect(text).toBe(rome);
      const body = asked[0];
      const sent = body.response_format?.json_schema ?? body.text?.format ?? body.output_config?.format;
      expect(sent.schema).toEqual(schema);
      if (behind !== 'anthropic-messages') {
        expect(sent.name).toBe(api === 'anthropic-messages' ? 'answer' : 'trip');
        expect(sent.strict).toBe(true);
      }
      expect(JSON.stringify(body.messages ?? body.input)).not.toContain('Schema');
    }
  });

  it('has its JSON unwrapped, repaired and checked', async () => {
    const fenced = await ask(api, stream, [`\`\`\`json\n${rome}\n\`\`\``], { native: true });
    expect(fenced.text).toBe(rome);
    expect(codes(fenced.report)).toEqual(['fenced-answer']);
    const again = await ask(api, stream, ['Rome.', rome], { native: true });
    expect(again.text).toBe(rome);
    expect(again.asked[1].messages.at(-1).content).toContain(JSON.stringify(schema));
    expect(again.report.reasks).toHaveLength(1);
  });

  it('calls a tool with text beside it, which is left out', async () => {
    const reply = { text: 'Let me look.', call: { name: 'get_weather', arguments: '{"city":"Rome"}' } };
    const { text, calls, report, asked } = await ask(api, stream, [reply], { native: true, tools: true });
    expect({ text, calls }).toEqual({ text: '', calls: ['get_weather'] });
    expect(report.aside).toBe('Let me look.');
    expect(asked).toHaveLength(1);
  });

  it('leaks a call beside text', async () => {
    const { text, calls, report } = await ask(api, stream, [`Let me look:\n${call}`], {
      native: true,
      tools: true,
    });
    expect({ text, calls }).toEqual({ text: '', calls: ['get_weather'] });
    expect(report.aside).toBe('Let me look:');
  });

  it('refuses: its refusal stays one', async () => {
    const { text, asked, body } = await ask(api, stream, [{ text: '', refusal: 'I cannot do that.' }], {
      native: true,
    });
    expect(text).toBe('I cannot do that.');
    expect(asked).toHaveLength(1);
    if (api !== 'anthropic-messages') expect(body).toContain('"refusal":"I cannot do that."');
    if (api === 'openai-chat') expect(body).not.toContain('"content":"I');
  });

  it('is passed on in the mode native', async () => {
    const { asked, text } = await ask(api, stream, [`\`\`\`json\n${rome}\n\`\`\``], {
      native: true,
      mode: 'native',
    });
    expect(asked[0].response_format.json_schema.schema).toEqual(schema);
    expect(text).toContain('```');
  });
});

/** The words of real endpoints. */
const refusals = [
  'This response_format type is unavailable now',
  'This model does not support response format `json_schema`.',
  'json mode cannot be combined with tool/function calling',
  'The provided JSON schema contains features not supported by xgrammar.',
];

describe.each(ways)('%s, streamed %s: an endpoint that refuses the format', (api, stream) => {
  it.each(refusals)('is asked again by its prompt, and from then on: %s', async (message) => {
    for (const native of [true, false]) {
      const refuses = ({ response_format }: { response_format?: unknown }) => response_format && message;
      const { text, asked, report } = await ask(api, stream, [rome], { native, refuses });
      expect(text).toBe(rome);
      expect(asked).toHaveLength(2);
      expect(asked[0].response_format).toBeDefined();
      expect(asked[1].response_format).toBeUndefined();
      expect(system(asked[1])).toContain(JSON.stringify(schema));
      expect(report.refused).toContain(message);
    }
  });

  it('gets an error of its own where the schema is at fault', async () => {
    const refuses = () => "Invalid schema for response_format 'trip': 'required' is required.";
    const { asked, body } = await ask(api, stream, [rome], { native: true, refuses });
    expect(asked).toHaveLength(1);
    expect(body).toContain('Invalid schema');
  });
});

describe('the format', () => {
  it.each(['openai-chat', 'openai-responses'] as const)('any object, of %s', async (api) => {
    const members = apis[api].any;
    for (const behind of ['openai-chat', 'openai-responses'] as const) {
      const { asked } = await ask(api, false, ['{"a": 1}'], { native: true, behind, members });
      expect(asked[0].response_format ?? asked[0].text.format).toEqual({ type: 'json_object' });
    }
    // The Messages API has no words for it.
    const { asked, text } = await ask(api, false, ['So: [1]\n```\n{"a": 1}\n```'], {
      native: true,
      behind: 'anthropic-messages',
      members,
    });
    expect(text).toBe('{"a": 1}');
    expect(asked[0].output_config).toBeUndefined();
    expect(JSON.stringify(asked[0].system)).toContain('JSON object');
  });

  it('of the beta before `output_config`', async () => {
    const members = { output_format: { type: 'json_schema', schema } };
    const { asked, text, report } = await ask('anthropic-messages', false, [`\`\`\`\n${rome}\n\`\`\``], {
      members,
    });
    expect(text).toBe(rome);
    expect(asked[0].response_format.json_schema.schema).toEqual(schema);
    expect(report.ignored).toBeUndefined();
  });

  it('lists what of its members has no effect', async () => {
    const members = { text: { verbosity: 'low', format: { type: 'text' } } };
    for (const options of [{}, { native: true }, { native: true, mode: 'native' as const }]) {
      const { report, text } = await ask('openai-responses', false, ['Hi.'], { ...options, members });
      expect([report.ignored, text]).toEqual([['text.verbosity'], 'Hi.']);
    }
    const grammar = { text: { format: { type: 'grammar', syntax: 'lark' } } };
    const other = await ask('openai-responses', false, ['Hi.'], { members: grammar });
    expect(other.report.ignored).toEqual(['text.format']);
  });

  it('is echoed by Responses as it was asked for', async () => {
    const { body } = await ask('openai-responses', false, [rome]);
    expect(JSON.parse(body).text).toEqual(apis['openai-responses'].format.text);
  });

  it.each(names)('is taught beside a grammar of calls, which the report says: %s', async (api) => {
    const beside = await ask(api, true, [rome], { grammar: 'gbnf', tools: true });
    expect(beside.asked[0].grammar).not.toContain('days');
    expect(beside.report.taughtFormat).toBe(true);
    const alone = await ask(api, true, [rome], { grammar: 'gbnf' });
    const taught = await ask(api, true, [rome], { tools: true });
    for (const { report } of [alone, taught]) expect(report).not.toHaveProperty('taughtFormat');
  });

  it.each(names)('is a grammar where the upstream takes one: %s', async (api) => {
    const held = async (grammar: NonNullable<Asked['grammar']>) =>
      (await ask(api, true, [rome], { grammar })).asked[0];
    expect((await held('gbnf')).grammar).toContain('\\"days\\"');
    expect((await held('gbnf')).response_format).toBeUndefined();
    expect((await held('lark')).structured_outputs.grammar).toContain('llguidance');
    expect((await held('structural-tag')).response_format).toMatchObject({ type: 'structural_tag' });
    expect((await held('json-schema')).response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'answer', strict: true },
    });
    const tools = await ask(api, true, [call], { grammar: 'gbnf', tools: true });
    expect(tools.asked[0]).toMatchObject({ grammar_lazy: true });
  });
});
