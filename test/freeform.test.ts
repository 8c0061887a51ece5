// Freeform tools through the gateway: the official OpenAI client, Codex' own request, models that only write text, and
// native upstreams that know such tools or do not.

import { findDialect } from '@dragoman/core';
import { createResponder } from '@dragoman/core/bridge';
import { configFromFlags, createApp, createResponses, type Flags } from '@dragoman/gateway';
import OpenAI from 'openai';
import type { ResponseCustomToolCall } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { scriptedUpstream } from '../packages/core/src/bridge/upstream/scripted-upstream.fixture.js';
import codex from '../packages/core/src/wire/openai-responses/codex-apply-patch.fixture.json' with {
  type: 'json',
};
import { MemoryStore } from '../packages/gateway/src/store/memory-store.js';
import { spell } from './scripted/spell.js';

const patch = '*** Begin Patch\n*** Add File: b.txt\n+"a" \\ {"x": 1} 世界 🙂\n+\tend\n*** End Patch\n';
const format = codex.tools[1]?.format as { type: 'grammar'; syntax: 'lark'; definition: string };
const description = 'Edits files.';
const responsesTool = { type: 'custom' as const, name: 'apply_patch', description, format };
const { type: _, ...grammar } = format;
const chatTool = {
  type: 'custom' as const,
  custom: { name: 'apply_patch', description, format: { type: 'grammar' as const, grammar } },
};
const messages = [{ role: 'user' as const, content: 'Add b.txt.' }];

/** A model's turn with a patch, in a dialect. */
function turn(dialect: string, input: unknown = { input: patch }): string {
  const calls = [{ name: 'apply_patch', raw: JSON.stringify(input) }];
  return spell(findDialect(dialect), { text: 'I add it.', calls }, [
    { name: 'apply_patch', parameters: { type: 'object', properties: { input: { type: 'string' } } } },
  ]);
}

type Serve = (body: Record<string, unknown>) => Response | Promise<Response>;

/** A client of a gateway, and the bodies that the gateway sent to its upstream. */
function gateway(
  flags: Flags,
  serve: Serve,
  store?: MemoryStore,
): { client: OpenAI; sent: Record<string, unknown>[] } {
  const sent: Record<string, unknown>[] = [];
  const read = configFromFlags({ upstream: 'http://model.test/v1', key: ['a-key-of-ours'], ...flags }, {});
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const quiet = () => undefined;
  const app = createApp(read.config, {
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    watcher: [],
    limiter: { take: async () => ({ ok: true }) },
    responses: createResponses(store, 60),
    transport: () => ({
      fetch: async (_url, init) => {
        const body = JSON.parse(String(init.body));
        sent.push(body);
        return serve(body);
      },
    }),
  });
  const client = new OpenAI({
    apiKey: 'a-key-of-ours',
    baseURL: 'http://127.0.0.1:8787/v1',
    maxRetries: 0,
    fetch: (input, init) => {
      const request = new Request(input, init);
      request.headers.set('host', '127.0.0.1:8787');
      return app.fetch(request);
    },
  });
  return { client, sent };
}

/** A model that only writes these texts, a few characters at a time. */
function writing(...texts: string[]): Serve {
  const respond = createResponder({ upstream: scriptedUpstream(texts), mode: 'native', report: false });
  return (body) =>
    respond(
      new Request('http://model.test/v1/chat/completions', { method: 'POST', body: JSON.stringify(body) }),
    );
}

const custom = (item: unknown) => item as ResponseCustomToolCall;
const reportOf = (answer: unknown) => (answer as { dragoman: Record<string, unknown> }).dragoman;

describe.each(['hermes', 'glm-4.5', 'qwen3-coder', 'xnl', 'deepseek-v4'])(
  'a model that writes %s',
  (dialect) => {
    const flags = { kind: 'chat', dialect };
    const fewest = findDialect(dialect).traits.streams ? 10 : 0;

    it('calls a freeform tool of the Responses API, whole', async () => {
      const { client, sent } = gateway(flags, writing(turn(dialect)));
      const tool_choice = { type: 'custom' as const, name: 'apply_patch' };
      const body = { model: 'm', input: 'Add b.txt.', tools: [responsesTool], tool_choice };
      const answer = await client.responses.create(body);
      expect(answer.output.map(({ type }) => type)).toEqual(['message', 'custom_tool_call']);
      expect(answer.output[1]).toMatchObject({ name: 'apply_patch', input: patch, status: 'completed' });
      expect(custom(answer.output[1]).id).toMatch(/^ctc_/);
      expect(custom(answer.output[1]).call_id).toMatch(/^c/);
      expect(answer.tools).toEqual([responsesTool]);
      expect(reportOf(answer)).toMatchObject({ issues: [], reasks: [], taughtGrammars: ['apply_patch'] });
      expect(reportOf(answer)).not.toHaveProperty('skippedTools');
      // The grammar is in the prompt, and no tools are sent.
      expect(JSON.stringify(sent[0]?.messages)).toContain('begin_patch hunk+ end_patch');
      expect(sent[0]).not.toHaveProperty('tools');
    });

    it('calls a freeform tool of the Responses API, streamed', async () => {
      const { client } = gateway(flags, writing(turn(dialect)));
      const stream = client.responses.stream({ model: 'm', input: 'Add b.txt.', tools: [responsesTool] });
      const names: string[] = [];
      const deltas: string[] = [];
      for await (const event of stream) {
        if (event.type === 'response.custom_tool_call_input.delta') deltas.push(event.delta);
        if (event.type === 'response.custom_tool_call_input.done') expect(event.input).toBe(patch);
        if ('output_index' in event && event.output_index === 1) names.push(event.type);
      }
      expect(deltas.join('')).toBe(patch);
      expect(deltas.length).toBeGreaterThan(fewest);
      expect(names.filter((name) => !name.endsWith('.delta'))).toEqual([
        'response.output_item.added',
        'response.custom_tool_call_input.done',
        'response.output_item.done',
      ]);
      const answer = await stream.finalResponse();
      expect(answer.output[1]).toMatchObject({ type: 'custom_tool_call', name: 'apply_patch', input: patch });
    });

    it('calls a freeform tool of the chat API, whole and streamed', async () => {
      const { client } = gateway(flags, writing(turn(dialect)));
      const tool_choice = { type: 'custom' as const, custom: { name: 'apply_patch' } };
      const body = { model: 'm', messages, tools: [chatTool], tool_choice };
      const { choices } = await client.chat.completions.create(body);
      const call = { type: 'custom', custom: { name: 'apply_patch', input: patch } };
      expect(choices[0]?.message.tool_calls).toEqual([{ id: expect.stringMatching(/^c/), ...call }]);
      expect(choices[0]?.finish_reason).toBe('tool_calls');

      const pieces: { type?: string; custom?: { name?: string; input: string } }[] = [];
      for await (const chunk of await client.chat.completions.create({ ...body, stream: true })) {
        for (const piece of chunk.choices[0]?.delta.tool_calls ?? [])
          pieces.push(piece as (typeof pieces)[0]);
      }
      expect(pieces[0]).toMatchObject({
        index: 0,
        type: 'custom',
        custom: { name: 'apply_patch', input: '' },
      });
      expect(pieces.map(({ custom }) => custom?.input).join('')).toBe(patch);
      expect(pieces.length).toBeGreaterThan(fewest);
    });

    it('is told of earlier calls and their results, and what Codex sends', async () => {
      const { client, sent } = gateway(flags, writing('Done.'));
      const answer = await client.responses.create({ ...codex, stream: false } as never);
      expect(answer).toMatchObject({ output_text: 'Done.' });
      const prompt = JSON.stringify(sent[0]);
      expect(prompt).toContain('*** Update File: a.js');
      expect(prompt).toContain('Success. Updated the following files:');
      expect(reportOf(answer).skippedTools).toEqual([{ path: 'tools[2]', type: 'web_search' }]);
    });
  },
);

describe('a stored response with a freeform call', () => {
  it('is gone on from by its id', async () => {
    const flags = { kind: 'chat', dialect: 'hermes' };
    const { client, sent } = gateway(flags, writing(turn('hermes'), 'Done.'), new MemoryStore());
    const tools = [responsesTool];
    const first = await client.responses.create({ model: 'm', input: 'Add b.txt.', tools });
    const { call_id } = custom(first.output.at(-1));
    const input = [{ type: 'custom_tool_call_output' as const, call_id, output: 'Success-4711' }];
    const body = { model: 'm', tools, input, previous_response_id: first.id };
    expect((await client.responses.create(body)).output_text).toBe('Done.');
    expect(JSON.stringify(sent[1])).toContain('*** Add File: b.txt');
    expect(JSON.stringify(sent[1])).toContain('Success-4711');
  });
});

describe('a freeform call with a wrong input', () => {
  const wrong = ['{"input": 5}', '{"patch": "x"}', '{"input": "x", "more": 1}'];
  const hermes = (json: string) => `<tool_call>\n{"name": "apply_patch", "arguments": ${json}}\n</tool_call>`;
  const flags = { kind: 'chat', dialect: 'hermes' };

  it.each(wrong)('is asked for again: %s', async (json) => {
    const { client, sent } = gateway(flags, writing(hermes(json), turn('hermes')));
    const answer = await client.responses.create({ model: 'm', input: 'x', tools: [responsesTool] });
    expect(sent).toHaveLength(2);
    expect(answer.output.at(-1)).toMatchObject({ type: 'custom_tool_call', input: patch });
    expect(reportOf(answer).reasks).toHaveLength(1);
    expect(JSON.stringify(reportOf(answer).reasks)).toContain('schema-mismatch');
  });

  it('is delivered as it is if nothing helps, with the issue', async () => {
    const { client } = gateway(flags, writing(hermes('{"input": 5}')));
    const answer = await client.responses.create({ model: 'm', input: 'x', tools: [responsesTool] });
    expect(answer.output.at(-1)).toMatchObject({ type: 'custom_tool_call', input: '{"input":5}' });
    expect(reportOf(answer).issues).toMatchObject([{ code: 'schema-mismatch' }]);
  });
});

describe('the choice of a freeform tool', () => {
  const flags = { kind: 'chat', dialect: 'hermes' };
  const read = { type: 'function' as const, name: 'read', parameters: null, strict: null };
  const other = '<tool_call>\n{"name": "read", "arguments": {}}\n</tool_call>';
  const allowed = (mode: 'auto' | 'required') => ({
    type: 'allowed_tools' as const,
    mode,
    tools: [{ type: 'custom', name: 'apply_patch' }],
  });

  it.each([{ type: 'custom' as const, name: 'apply_patch' }, allowed('auto'), allowed('required')])(
    'is held: %j',
    async (tool_choice) => {
      const { client, sent } = gateway(flags, writing(other, turn('hermes')));
      const tools = [read, responsesTool];
      const answer = await client.responses.create({ model: 'm', input: 'x', tools, tool_choice });
      expect(sent).toHaveLength(2);
      expect(answer.output.at(-1)).toMatchObject({ type: 'custom_tool_call', input: patch });
    },
  );

  it('is held in the chat API', async () => {
    const { client, sent } = gateway(flags, writing(other, turn('hermes')));
    const tools = [{ type: 'function' as const, function: { name: 'read' } }, chatTool];
    const entry = { type: 'custom', custom: { name: 'apply_patch' } };
    const tool_choice = {
      type: 'allowed_tools' as const,
      allowed_tools: { mode: 'required' as const, tools: [entry] },
    };
    const answer = await client.chat.completions.create({ model: 'm', messages, tools, tool_choice });
    expect(sent).toHaveLength(2);
    expect(answer.choices[0]?.message.tool_calls).toMatchObject([{ type: 'custom' }]);
  });

  it('of a tool that is not there is refused', async () => {
    const { client } = gateway(flags, writing('x'));
    const tool_choice = { type: 'custom' as const, name: 'other' };
    const body = { model: 'm', input: 'x', tools: [responsesTool], tool_choice };
    await expect(client.responses.create(body)).rejects.toMatchObject({ status: 400, param: 'tool_choice' });
  });
});

// --- native upstreams --------------------------------------------------------------------------------------

const sse = (events: object[]) =>
  new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });

/** Calls the first tool, by the type that it was sent with. */
const nativeChat: Serve = ({ tools }) => {
  const [{ type }] = tools as [{ type: 'custom' | 'function' }];
  const raw = type === 'custom' ? patch : JSON.stringify({ input: patch });
  const key = type === 'custom' ? 'input' : 'arguments';
  const chunk = (piece: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...piece }] }, finish_reason }],
  });
  return sse([
    chunk({ id: 'call_1', type, [type]: { name: 'apply_patch', [key]: '' } }),
    chunk({ [type]: { [key]: raw.slice(0, 30) } }),
    chunk({ [type]: { [key]: raw.slice(30) } }, 'tool_calls'),
  ]);
};

const nativeResponses: Serve = () => {
  const item = { type: 'custom_tool_call', id: 'ctc_9', call_id: 'call_1', name: 'apply_patch' };
  const at = { output_index: 0 };
  const done = { ...item, status: 'completed', input: patch };
  return sse([
    { type: 'response.output_item.added', ...at, item: { ...item, input: '' } },
    { type: 'response.custom_tool_call_input.delta', ...at, delta: patch.slice(0, 30) },
    { type: 'response.custom_tool_call_input.delta', ...at, delta: patch.slice(30) },
    { type: 'response.output_item.done', ...at, item: done },
    { type: 'response.completed', response: { id: 'r', status: 'completed', output: [done] } },
  ]);
};

const nativeMessages: Serve = () =>
  sse([
    { type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage: {} } },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'call_1', name: 'apply_patch', input: {} },
    },
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: JSON.stringify({ input: patch }) },
    },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ]);

const vendor = 'https://api.openai.com/v1';
const upstreams: [string, Flags, Serve, sent: object, taught: boolean][] = [
  ['an engine', { api: 'openai-chat' }, nativeChat, { type: 'function' }, true],
  ['OpenAI by chat', { api: 'openai-chat', upstream: vendor }, nativeChat, chatTool, false],
  ['a Responses server', { api: 'openai-responses' }, nativeResponses, responsesTool, false],
  ['a Messages server', { api: 'anthropic-messages' }, nativeMessages, { name: 'apply_patch' }, true],
];

describe.each(upstreams)('%s as a native upstream', (_, more, serve, sentTool, taught) => {
  const flags = { kind: 'native', ...more };

  it('calls a freeform tool for a client of the Responses API, whole and streamed', async () => {
    const { client, sent } = gateway(flags, serve);
    const tool_choice = { type: 'custom' as const, name: 'apply_patch' };
    const body = { model: 'm', input: 'x', tools: [responsesTool], tool_choice };
    const call = { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: patch };
    const answer = await client.responses.create(body);
    expect(answer.output).toMatchObject([call]);
    expect(sent[0]?.tools).toMatchObject([sentTool]);
    expect(JSON.stringify(sent[0]?.tool_choice)).toContain('apply_patch');
    expect('taughtGrammars' in reportOf(answer)).toBe(taught);
    const streamed = await client.responses.stream(body).finalResponse();
    expect(streamed.output).toMatchObject([call]);
  });

  it('calls a freeform tool for a client of the chat API, whole and streamed', async () => {
    const { client, sent } = gateway(flags, serve);
    const body = { model: 'm', messages, tools: [chatTool] };
    const { choices } = await client.chat.completions.create(body);
    const call = { id: 'call_1', type: 'custom', custom: { name: 'apply_patch', input: patch } };
    expect(choices[0]?.message.tool_calls).toEqual([call]);
    expect(sent[0]?.tools).toMatchObject([sentTool]);
    let input = '';
    for await (const chunk of await client.chat.completions.create({ ...body, stream: true })) {
      for (const piece of chunk.choices[0]?.delta.tool_calls ?? [])
        input += (piece as { custom?: { input?: string } }).custom?.input ?? '';
    }
    expect(input).toBe(patch);
  });

  it('gets the history that Codex sends', async () => {
    const { client, sent } = gateway(flags, serve);
    await client.responses.create({ ...codex, stream: false } as never);
    expect(JSON.stringify(sent[0])).toContain('*** Update File: a.js');
    expect(JSON.stringify(sent[0])).toContain('Success. Updated the following files:');
  });
});

describe('a regular expression as the grammar of a tool', () => {
  const regex = { type: 'grammar' as const, syntax: 'regex' as const };
  const ask = async (definition: string) => {
    const upstream = { ...scriptedUpstream([turn('hermes')]), grammar: 'gbnf' as const };
    const respond = createResponder({ upstream, dialect: 'hermes' });
    const tool = { type: 'custom', name: 'apply_patch', format: { ...regex, definition } };
    const body = JSON.stringify({ model: 'm', input: 'x', tools: [tool], tool_choice: 'required' });
    const answer = await respond(new Request('http://g/v1/responses', { method: 'POST', body }));
    const asked = upstream.asked[0]?.members as { grammar: string };
    return { grammar: asked.grammar, report: reportOf(await answer.json()) };
  };

  it('is held by the sampling grammar if it is simple, else only taught', async () => {
    const simple = await ask('[a-f]{3}-[0-9]+');
    expect(simple.grammar).toContain('[a-f]');
    expect(simple.report).not.toHaveProperty('taughtGrammars');
    const hard = await ask('(?i)a\\b.*');
    expect(hard.grammar).not.toContain('[a-f]');
    expect(hard.report).toMatchObject({ taughtGrammars: ['apply_patch'] });
  });
});
