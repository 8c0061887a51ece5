// Freeform tools over all APIs: requests from each to each, answers of native upstreams, and answers to clients.

import { describe, expect, it } from 'vitest';
import { withoutFreeform } from '../model/freeform.js';
import { type Answer, type AnswerEvent, acceptTools, type ModelRequest } from '../model/index.js';
import { anthropicMessages, type EncodeContext, openaiChat, openaiResponses, type Wire } from './index.js';
import codex from './openai-responses/codex-apply-patch.fixture.json' with { type: 'json' };

const patch =
  '*** Begin Patch\n*** Update File: a.js\n@@\n-export const a = 1;\n+export const a = 2;\n*** End Patch\n';
const done = 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM a.js\n';
const [, applyPatch] = codex.tools;
const { type: _, ...grammar } = applyPatch?.format ?? { type: '' };
const asFunction = {
  type: 'object',
  properties: { input: { type: 'string', description: expect.stringContaining('start: begin_patch hunk+') } },
  required: ['input'],
  additionalProperties: false,
};

/** The same conversation by the chat API, with the text at the start of its format. */
const chat = {
  model: 'm',
  messages: [
    { role: 'user', content: 'Change a to 2 in a.js' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'apply_patch', input: patch } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: done },
  ],
  tools: [
    {
      type: 'custom',
      custom: {
        name: 'apply_patch',
        description: applyPatch?.description,
        format: { type: 'grammar', grammar },
      },
    },
  ],
  tool_choice: { type: 'custom', custom: { name: 'apply_patch' } },
};

const requests: [api: string, request: () => ModelRequest][] = [
  [
    'Responses',
    () => openaiResponses.decodeRequest({ ...codex, tool_choice: { type: 'custom', name: 'apply_patch' } }),
  ],
  ['chat', () => openaiChat.decodeRequest(chat)],
];

describe('a request with freeform tools', () => {
  it('of Codex is the same request again', () => {
    expect(openaiResponses.encodeRequest(openaiResponses.decodeRequest(codex))).toStrictEqual(codex);
  });

  it('of the chat API is the same request again', () => {
    expect(openaiChat.encodeRequest(openaiChat.decodeRequest(chat))).toStrictEqual(chat);
    const plain = {
      ...chat,
      tools: [{ type: 'custom', custom: { name: 'apply_patch', format: { type: 'text' } } }],
    };
    expect(openaiChat.encodeRequest(openaiChat.decodeRequest(plain))).toStrictEqual(plain);
  });

  it.each(requests)('by %s has a tool with one text, a call with this text, and a choice', (_, request) => {
    const { conversation, skippedTools = [] } = request();
    const tool = conversation.tools.find(({ name }) => name === 'apply_patch');
    expect(tool).toMatchObject({ parameters: asFunction, freeform: { grammar } });
    expect(acceptTools([tool])[0]).toMatchObject({ parameters: asFunction, freeform: { grammar } });
    expect(conversation.toolChoice).toEqual({ name: 'apply_patch' });
    const parts = conversation.messages.flatMap((message): object[] => message.parts);
    expect(parts).toContainEqual(
      expect.objectContaining({
        type: 'tool-call',
        id: 'call_1',
        name: 'apply_patch',
        input: { input: patch },
        freeform: true,
      }),
    );
    expect(parts.at(-1)).toMatchObject({ callId: 'call_1', output: done });
    expect(skippedTools.map(({ type }) => type)).not.toContain('custom');
  });

  it.each(requests)('by %s goes out as custom tools of the Responses API', (_, request) => {
    const body = openaiResponses.encodeRequest(request());
    expect(body.tools).toContainEqual(applyPatch);
    expect(body.tool_choice).toEqual({ type: 'custom', name: 'apply_patch' });
    expect((body.input as object[]).slice(-2)).toMatchObject([
      { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: patch },
      { type: 'custom_tool_call_output', call_id: 'call_1', output: done },
    ]);
  });

  it.each(requests)('by %s goes out as custom tools of the chat API', (_, request) => {
    const body = openaiChat.encodeRequest(request());
    expect(body.tools).toContainEqual(chat.tools[0]);
    expect(body.tool_choice).toEqual(chat.tool_choice);
    expect((body.messages as object[]).slice(-2)).toEqual(chat.messages.slice(-2));
  });

  it.each(requests)('by %s goes out as functions where the upstream takes no custom tools', (_, request) => {
    const given = request();
    const functions = { ...given, conversation: withoutFreeform(given.conversation) };
    const { description } = applyPatch ?? {};
    const definition = { name: 'apply_patch', description, parameters: asFunction };
    const raw = JSON.stringify({ input: patch });

    const responses = openaiResponses.encodeRequest(functions);
    expect(responses.tools).toContainEqual(expect.objectContaining({ type: 'function', ...definition }));
    expect(responses.tool_choice).toEqual({ type: 'function', name: 'apply_patch' });
    expect((responses.input as object[]).slice(-2)).toMatchObject([
      { type: 'function_call', call_id: 'call_1', name: 'apply_patch', arguments: raw },
      { type: 'function_call_output', call_id: 'call_1', output: done },
    ]);

    const body = openaiChat.encodeRequest(functions);
    expect(body.tools).toContainEqual({ type: 'function', function: definition });
    expect(body.tool_choice).toEqual({ type: 'function', function: { name: 'apply_patch' } });
    expect((body.messages as object[]).at(-2)).toMatchObject({
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'apply_patch', arguments: raw } }],
    });

    const messages = anthropicMessages.encodeRequest(given);
    expect(messages.tools).toContainEqual({ name: 'apply_patch', description, input_schema: asFunction });
    expect(messages.tool_choice).toEqual({ type: 'tool', name: 'apply_patch' });
    expect(JSON.stringify(messages.messages)).toContain(`"name":"apply_patch","input":${raw}`);
  });

  const read = { name: 'read', parameters: { type: 'object' } };
  const allowedOf = (named: (type: string, name: string) => object, freeform: string) =>
    ['function', freeform].map((type, at) => named(type, at === 0 ? 'read' : 'apply_patch'));

  it.each(['auto', 'required'])('keeps the tools that the chat API allows, as functions: %s', (mode) => {
    const named = (type: string, name: string) => ({ type, [type]: { name } });
    const choice = (freeform: string) => ({
      type: 'allowed_tools',
      allowed_tools: { mode, tools: allowedOf(named, freeform) },
    });
    const tools = [...chat.tools, { type: 'function', function: read }];
    const body = { ...chat, tools, tool_choice: choice('custom') };
    const request = openaiChat.decodeRequest(body);
    expect(openaiChat.encodeRequest(request)).toStrictEqual(body);
    const conversation = withoutFreeform(request.conversation);
    expect(openaiChat.encodeRequest({ ...request, conversation }).tool_choice).toEqual(choice('function'));
  });

  it.each(['auto', 'required'])('keeps the tools that the Responses API allows, as functions: %s', (mode) => {
    const named = (type: string, name: string) => ({ type, name });
    const choice = (freeform: string) => ({
      type: 'allowed_tools',
      mode,
      tools: [
        ...allowedOf(named, freeform),
        { type: freeform, namespace: 'fs', name: 'patch' },
        { type: 'mcp' },
      ],
    });
    const group = { type: 'namespace', name: 'fs', tools: [{ type: 'custom', name: 'patch' }] };
    const tools = [{ type: 'function', ...read }, applyPatch, group];
    const body = { model: 'm', input: 'x', tools, tool_choice: choice('custom') };
    const request = openaiResponses.decodeRequest(body);
    expect(openaiResponses.encodeRequest(request)).toStrictEqual(body);
    const conversation = withoutFreeform(request.conversation);
    expect(openaiResponses.encodeRequest({ ...request, conversation }).tool_choice).toEqual(
      choice('function'),
    );
  });

  it('gives results that were added the type of their call', () => {
    const request = openaiResponses.decodeRequest(codex);
    const last = request.conversation.messages.at(-1);
    if (last?.role === 'tool') last.parts = [{ type: 'tool-result', callId: 'call_1', output: 'Not run.' }];
    expect((openaiResponses.encodeRequest(request).input as object[]).at(-1)).toEqual({
      type: 'custom_tool_call_output',
      call_id: 'call_1',
      output: 'Not run.',
    });
  });

  it('may have them in a namespace, in an item, and among the allowed tools', () => {
    const tools = [{ type: 'namespace', name: 'fs', tools: [{ type: 'custom', name: 'patch' }] }];
    const call = { type: 'custom_tool_call', call_id: 'c', namespace: 'fs', name: 'patch', input: 'x' };
    const brings = { type: 'additional_tools', tools: [{ type: 'custom', name: 'exec' }] };
    const allowed = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'custom', name: 'exec' }] };
    const body = { model: 'm', input: [brings, call], tools, tool_choice: allowed };
    const request = openaiResponses.decodeRequest(body);
    expect(openaiResponses.encodeRequest(request)).toStrictEqual(body);
    expect(request.conversation.tools.map(({ name }) => name)).toEqual(['fs__patch', 'exec']);
    expect(request.conversation.toolChoice).toEqual({ name: 'exec' });
    expect(request.conversation.messages[0]?.parts).toMatchObject([{ name: 'fs__patch', freeform: true }]);
    request.conversation.toolChoice = { name: 'fs__patch' };
    expect(openaiResponses.encodeRequest(request).tool_choice).toEqual({
      type: 'custom',
      name: 'patch',
      namespace: 'fs',
    });
  });

  it('of Codex for models that write code has one in a namespace of an item', () => {
    const exec = {
      type: 'custom',
      name: 'exec',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: /.+/' },
    };
    const tools = [{ type: 'namespace', name: 'functions', description: '', tools: [exec] }];
    const body = { model: 'gpt-5.6-sol', input: [{ type: 'additional_tools', role: 'developer', tools }] };
    const request = openaiResponses.decodeRequest(body);
    expect(openaiResponses.encodeRequest(request)).toStrictEqual(body);
    const encoder = openaiResponses.createStreamEncoder({
      request,
      report: false,
      newId: (prefix) => prefix,
    });
    const added = encoder.encode({ type: 'call-start', id: 'c', name: 'functions__exec' });
    expect(added).toContain('"type":"custom_tool_call"');
    expect(added).toContain('"name":"exec","namespace":"functions"');
  });

  it('lists a forced tool that runs at the provider', () => {
    const hosted = { model: 'm', input: 'x', tool_choice: { type: 'web_search_preview' } };
    expect(openaiResponses.decodeRequest(hosted).skippedTools).toEqual([
      { path: 'tool_choice', type: 'web_search_preview' },
    ]);
  });

  it.each([
    [openaiResponses, { type: 'custom', name: 'x y' }, 'tools[0].name'],
    [openaiResponses, { type: 'custom', name: 'x', format: 'lark' }, 'tools[0].format'],
    [
      openaiResponses,
      { type: 'custom', name: 'x', format: { type: 'grammar', syntax: 'lark' } },
      'tools[0].format.definition',
    ],
    [openaiChat, { type: 'custom', custom: {} }, 'tools[0].custom.name'],
    [
      openaiChat,
      { type: 'custom', custom: { name: 'x', format: { type: 'grammar' } } },
      'tools[0].custom.format.grammar',
    ],
  ] as [Wire, object, string][])('is refused if a tool is wrong', ({ decodeRequest }, tool, path) => {
    const body = { model: 'm', input: 'x', messages: [{ role: 'user', content: 'x' }], tools: [tool] };
    expect(() => decodeRequest(body)).toThrow(expect.objectContaining({ code: 'bad-request', path }));
  });
});

// --- answers ----------------------------------------------------------------------------------------------

const sse = (events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

function decodeStream(wire: Wire, stream: string): AnswerEvent[] {
  const decoder = wire.createStreamDecoder();
  return [...stream].flatMap((character) => decoder.feed(character)).concat(decoder.finish());
}

function callOf(events: AnswerEvent[]): { start?: AnswerEvent | undefined; input: unknown; ended: boolean } {
  const json = events.map((event) => (event.type === 'call-delta' ? event.text : '')).join('');
  const ended = events.some(({ type }) => type === 'call-end');
  const start = events.find(({ type }) => type === 'call-start');
  return { start, input: ended ? JSON.parse(json) : json, ended };
}

const call = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'apply_patch' };
const whole = { id: 'resp_1', status: 'completed', output: [{ ...call, status: 'completed', input: patch }] };
const halves = [patch.slice(0, 20), patch.slice(20)];
const custom = (more: object) => ({
  choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...more }] } }],
});

describe('the answer of a native upstream with a freeform call', () => {
  const started = { type: 'call-start', id: 'call_1', name: 'apply_patch', freeform: true };
  const streams: [string, Wire, string][] = [
    [
      'Responses',
      openaiResponses,
      sse([
        { type: 'response.output_item.added', output_index: 0, item: { ...call, input: '' } },
        ...halves.map((delta) => ({ type: 'response.custom_tool_call_input.delta', output_index: 0, delta })),
        { type: 'response.custom_tool_call_input.done', output_index: 0, input: patch },
        { type: 'response.output_item.done', output_index: 0, item: whole.output[0] },
        { type: 'response.completed', response: whole },
      ]),
    ],
    [
      'chat',
      openaiChat,
      sse([
        custom({ id: 'call_1', type: 'custom', custom: { name: 'apply_patch', input: '' } }),
        ...halves.map((input) => custom({ custom: { input } })),
        { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      ]),
    ],
  ];

  it.each(streams)('is read from a stream of the %s API, while it arrives', (_, wire, stream) => {
    const events = decodeStream(wire, stream);
    expect(callOf(events)).toEqual({ start: started, input: { input: patch }, ended: true });
    expect(events.filter(({ type }) => type === 'call-delta').length).toBeGreaterThan(2);
    expect(events).toContainEqual({ type: 'finish', reason: 'tool-calls' });
  });

  it('is read from a whole answer', () => {
    const tool_calls = [{ id: 'call_1', type: 'custom', custom: { name: 'apply_patch', input: patch } }];
    const choice = { index: 0, message: { role: 'assistant', tool_calls }, finish_reason: 'tool_calls' };
    const expected = { start: started, input: { input: patch }, ended: true };
    expect(callOf(openaiResponses.decodeResponse(whole))).toEqual(expected);
    expect(callOf(openaiChat.decodeResponse({ choices: [choice] }))).toEqual(expected);
  });

  it('keeps a character that is cut in two, an empty input, and no call that was cut off', () => {
    const added = { type: 'response.output_item.added', output_index: 0, item: { ...call, input: '' } };
    const deltas = ['\ud83d', '\ude42'].map((delta) => ({
      type: 'response.custom_tool_call_input.delta',
      output_index: 0,
      delta,
    }));
    const over = (input: string, status = 'completed') => [
      { type: 'response.output_item.done', output_index: 0, item: { ...call, status, input } },
      { type: `response.${status}`, response: { status } },
    ];
    const read = (events: object[]) => callOf(decodeStream(openaiResponses, sse(events)));
    expect(read([added, ...deltas, ...over('🙂')]).input).toEqual({ input: '🙂' });
    expect(read([added, ...over('')]).input).toEqual({ input: '' });
    expect(read([added, ...deltas, ...over('🙂', 'incomplete')]).ended).toBe(false);
    const chatted = [
      custom({ id: 'c', type: 'custom', custom: { name: 'apply_patch', input: '' } }),
      { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    ];
    expect(callOf(decodeStream(openaiChat, sse(chatted))).input).toEqual({ input: '' });
  });
});

describe('a freeform call for a client', () => {
  const inputs: [json: string, text: string][] = [
    [JSON.stringify({ input: patch }), patch],
    [' { "input" : "a\\ud83d\\ude42" } ', 'a🙂'],
    ['{"input":""}', ''],
    ['{"input":5}', '{"input":5}'],
    ['{"patch":"x"}', '{"patch":"x"}'],
  ];
  const context = (request: ModelRequest): EncodeContext => {
    let count = 0;
    return { request, report: false, newId: (prefix) => `${prefix}${++count}` };
  };
  const eventsOf = (json: string): AnswerEvent[] => [
    { type: 'answer-start', id: 'r', model: 'm', created: 7 },
    { type: 'call-start', id: 'call_1', name: 'apply_patch' },
    ...[...json].map((text): AnswerEvent => ({ type: 'call-delta', id: 'call_1', text })),
    { type: 'call-end', id: 'call_1' },
    { type: 'finish', reason: 'tool-calls' },
    { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
  ];
  const dataOf = (stream: string) =>
    stream.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));

  it.each(inputs)('is the same streamed and whole, over both APIs: %s', (json, text) => {
    const answer: Answer = {
      id: 'r',
      model: 'm',
      created: 7,
      choices: [
        {
          parts: [
            { type: 'tool-call', id: 'call_1', name: 'apply_patch', input: JSON.parse(json), raw: json },
          ],
          finish: 'tool-calls',
        },
      ],
      usage: { inputTokens: 1, outputTokens: 1 },
    };
    const streamOf = (wire: Wire, request: ModelRequest) => {
      const encoder = wire.createStreamEncoder(context(request));
      return dataOf(
        eventsOf(json)
          .map((event) => encoder.encode(event))
          .join('') + encoder.end(),
      );
    };
    const item = { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: text };
    const codexRequest = openaiResponses.decodeRequest(codex);
    const whole = openaiResponses.encodeResponse(answer, context(codexRequest));
    expect(whole.output).toMatchObject([item]);
    const events = streamOf(openaiResponses, codexRequest);
    expect(events.at(-1).response).toEqual(whole);
    const deltas = events.filter(({ type }) => type === 'response.custom_tool_call_input.delta');
    expect(deltas.map(({ delta }) => delta).join('')).toBe(text);

    const chatRequest = openaiChat.decodeRequest(chat);
    const call = { id: 'call_1', type: 'custom', custom: { name: 'apply_patch', input: text } };
    expect(openaiChat.encodeResponse(answer, context(chatRequest)).choices).toMatchObject([
      { message: { tool_calls: [call] } },
    ]);
    const pieces = streamOf(openaiChat, chatRequest).flatMap(
      ({ choices }) => choices[0].delta.tool_calls ?? [],
    );
    expect(pieces[0]).toEqual({ index: 0, ...call, custom: { ...call.custom, input: '' } });
    expect(pieces.map(({ custom }) => custom.input).join('')).toBe(text);
  });
});
