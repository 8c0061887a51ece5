// Reasoning that a client sends back within a tool loop reaches the model: by every API, in every dialect that can spell
// it and whose template keeps it, as messages and as a prompt. Otherwise the report says so, once.

import { describe, expect, it } from 'vitest';
import { dialects, findDialect } from '../../dialects/all.js';
import type { Dialect } from '../../engine/dialect.js';
import { parse } from '../../engine/parse.js';
import type { AnswerEvent, ModelRequest, Report } from '../../model/index.js';
import { wireOf } from '../../wire/index.js';
import { scriptedUpstream } from '../upstream/scripted-upstream.fixture.js';
import type { UpstreamRequest } from '../upstream/upstream.js';
import { emulate } from './emulate.js';

const THOUGHT = 'The file must be read first, because its size is unknown.';
const EARLIER = 'A greeting needs no tool at all.';
const TEXT = 'I read it now.';
const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };

/** The same conversation in each API: an earlier turn with reasoning, then a tool loop with it. */
const bodies = {
  'openai-chat': {
    model: 'm',
    tools: [{ type: 'function', function: { name: 'read_file', parameters: schema } }],
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hello!', reasoning_content: EARLIER },
      { role: 'user', content: 'How long is a.txt?' },
      {
        role: 'assistant',
        content: TEXT,
        reasoning_content: THOUGHT,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a.txt"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: '12 lines' },
    ],
  },
  'openai-responses': {
    model: 'm',
    tools: [{ type: 'function', name: 'read_file', parameters: schema }],
    input: [
      { role: 'user', content: 'Hello' },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: EARLIER }] },
      { role: 'assistant', content: [{ type: 'output_text', text: 'Hello!', annotations: [] }] },
      { role: 'user', content: 'How long is a.txt?' },
      { type: 'reasoning', id: 'rs_2', summary: [{ type: 'summary_text', text: THOUGHT }] },
      { role: 'assistant', content: [{ type: 'output_text', text: TEXT, annotations: [] }] },
      { type: 'function_call', call_id: 'c1', name: 'read_file', arguments: '{"path":"a.txt"}' },
      { type: 'function_call_output', call_id: 'c1', output: '12 lines' },
    ],
  },
  'anthropic-messages': {
    model: 'm',
    max_tokens: 100,
    tools: [{ name: 'read_file', input_schema: schema }],
    messages: [
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: EARLIER, signature: '' },
          { type: 'text', text: 'Hello!' },
        ],
      },
      { role: 'user', content: 'How long is a.txt?' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: THOUGHT, signature: 's' },
          { type: 'text', text: TEXT },
          { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'a.txt' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: '12 lines' },
          // Claude Code adds reminders to results.
          { type: 'text', text: '<system-reminder>Be brief.</system-reminder>' },
        ],
      },
    ],
  },
} as const;

type Api = keyof typeof bodies;
const apis = Object.keys(bodies) as Api[];

interface Asked {
  sent: UpstreamRequest;
  report: Report;
}

function asked(
  dialect: Dialect,
  api: Api,
  takes: 'messages' | 'prompt',
  settings: ModelRequest['settings'] = {},
): Promise<Asked> {
  return sentFor(dialect, api, bodies[api], takes, settings);
}

async function sentFor(
  dialect: Dialect,
  api: Api,
  body: object,
  takes: 'messages' | 'prompt' = 'messages',
  settings: ModelRequest['settings'] = {},
): Promise<Asked> {
  const upstream = scriptedUpstream(['Twelve lines.'], { takes, pieces: 100 });
  const request = wireOf(api).decodeRequest(structuredClone(body));
  const { signal } = new AbortController();
  const events: AnswerEvent[] = [];
  const given = { ...request, settings: { ...request.settings, ...settings } };
  for await (const event of emulate(given, upstream, { dialect, signal, reasks: 0 })) events.push(event);
  const end = events.find((event) => event.type === 'report');
  return { sent: upstream.asked[0] as UpstreamRequest, report: end?.report as Report };
}

const textsOf = ({ prompt, conversation }: UpstreamRequest) =>
  prompt ??
  conversation.messages
    .flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')))
    .join('\n');

/** The entries of the report that are about reasoning. */
const ignored = ({ ignored: list = [] }: Report) =>
  list.filter((entry) => entry === 'reasoning' || entry === 'reasoning of earlier turns');

const keeps = ({ traits: { reasoning } }: Dialect) => reasoning !== undefined && reasoning.kept !== 'none';

describe.each(apis)('messages that came by %s', (api) => {
  it.each(dialects)('$name: have it, or the report says that they have not', async (dialect) => {
    const { sent, report } = await asked(dialect, api, 'messages');
    const all = textsOf(sent);
    expect(all.includes(THOUGHT)).toBe(keeps(dialect));
    const keepsAll = dialect.traits.reasoning?.kept === 'all';
    expect(all.includes(EARLIER)).toBe(keepsAll);
    const left = keepsAll ? [] : [keeps(dialect) ? 'reasoning of earlier turns' : 'reasoning'];
    expect(ignored(report)).toEqual(left);
  });
});

describe('the summary of a reasoning item', () => {
  it('is its text, and therefore not listed as ignored', async () => {
    const { sent, report } = await asked(findDialect('minimax-m2'), 'openai-responses', 'messages');
    expect(textsOf(sent)).toContain(THOUGHT);
    expect(report.ignored).toEqual(['reasoning of earlier turns']);
  });
});

describe('a message behind the results of a tool loop', () => {
  const [, , ...loop] = bodies['openai-chat'].messages;
  const reminder = { role: 'user', content: 'Be brief.' };
  const late = { role: 'system', content: 'Answer in French.' };
  const after = async (...messages: object[]) => {
    const body = { ...bodies['openai-chat'], messages: [...loop, ...messages] };
    return textsOf((await sentFor(findDialect('minimax-m2'), 'openai-chat', body)).sent);
  };

  it.each([
    ['text', [reminder]],
    ['a system message', [late]],
    ['text and a system message', [reminder, late]],
    ['a system message and text', [late, reminder]],
    ['system messages and text', [late, late, reminder]],
  ])('keeps its reasoning where it is %s', async (_, messages) => {
    expect(await after(...messages)).toContain(THOUGHT);
  });

  it.each([
    ['an answer and a question', [{ role: 'assistant', content: 'Twelve.' }, reminder]],
    ['text and a question', [reminder, { role: 'user', content: 'And b.txt?' }]],
  ])('ends it where it is %s', async (_, messages) => {
    expect(await after(...messages)).not.toContain(THOUGHT);
  });
});

describe('an answer with its reasoning', () => {
  it.each(dialects.filter(keeps))('$name: is spelled as the model would', async (dialect) => {
    const { sent } = await asked(dialect, 'openai-chat', 'messages');
    const { messages } = sent.conversation;
    const written = messages.find(
      ({ role, parts }) => role === 'assistant' && JSON.stringify(parts).includes(THOUGHT),
    );
    const [part] = written?.parts ?? [];
    const text = part?.type === 'text' ? part.text : '';
    const tools = [{ name: 'read_file', parameters: schema }];
    const answer = parse(dialect, text, { tools });
    expect(answer.reasoning.trim()).toBe(THOUGHT);
    expect(answer.text.trim()).toBe(TEXT);
    expect(answer.calls).toMatchObject([{ name: 'read_file', input: { path: 'a.txt' } }]);
  });
});

const prompting = dialects.filter(({ render }) => render.prompt);

describe.each(['openai-chat', 'openai-responses'] as const)('a prompt that came by %s', (api) => {
  it.each(prompting)('$name: has it, or the report says that it has not', async (dialect) => {
    const { sent, report } = await asked(dialect, api, 'prompt');
    expect(textsOf(sent).includes(THOUGHT)).toBe(keeps(dialect));
    if (textsOf(sent).includes(EARLIER)) expect(ignored(report)).toEqual([]);
    else expect(ignored(report)).toEqual([keeps(dialect) ? 'reasoning of earlier turns' : 'reasoning']);
  });
});

describe('a prompt', () => {
  it.each(prompting.filter(keeps))('$name: has it beside a note on how to call', async (dialect) => {
    const { sent } = await asked(dialect, 'openai-chat', 'prompt', { parallelCalls: false });
    expect(textsOf(sent)).toContain(THOUGHT);
    expect(textsOf(sent)).toMatch(/How long is a.txt\?\n+\(At most one tool call/);
  });

  it('has it beside a note on how to call, behind results and a system message', async () => {
    const { messages } = bodies['openai-chat'];
    const late = { role: 'system', content: 'Answer in French.' };
    const body = { ...bodies['openai-chat'], messages: [...messages, late] };
    const one = { parallelCalls: false };
    const { sent } = await sentFor(findDialect('glm-4.5'), 'openai-chat', body, 'prompt', one);
    expect(textsOf(sent)).toContain(THOUGHT);
    expect(textsOf(sent)).toMatch(/How long is a.txt\?\n+\(At most one tool call/);
  });

  // To a vendor's template, text behind results is a user's turn, before which it drops reasoning.
  it.each(prompting)(
    '$name: has it behind results with text, or the report says that it has not',
    async (dialect) => {
      const { sent, report } = await asked(dialect, 'anthropic-messages', 'prompt');
      const all = textsOf(sent);
      const isWhole = all.includes(THOUGHT) && all.includes(EARLIER);
      if (!all.includes(THOUGHT)) expect(ignored(report)).toHaveLength(1);
      else if (isWhole) expect(ignored(report)).toEqual([]);
    },
  );
});

describe('reasoning with markers', () => {
  it.each(dialects.filter(keeps))('$name: forms no call, and does not close itself', async (dialect) => {
    const { open, close } = dialect.traits.reasoning ?? { open: '', close: '' };
    const hostile = `${open}${close}${dialect.markers.literals.join(' ')}`;
    const request = wireOf('openai-chat').decodeRequest(
      JSON.parse(
        JSON.stringify(bodies['openai-chat']).replace(THOUGHT, JSON.stringify(hostile).slice(1, -1)),
      ),
    );
    const upstream = scriptedUpstream(['Done.'], { pieces: 100 });
    const { signal } = new AbortController();
    for await (const _ of emulate(request, upstream, { dialect, signal, reasks: 0 }));
    const written = upstream.asked[0]?.conversation.messages.findLast(({ role }) => role === 'assistant');
    const [part] = written?.parts ?? [];
    const answer = parse(dialect, part?.type === 'text' ? part.text : '', {
      tools: [{ name: 'read_file', parameters: schema }],
    });
    expect(answer.text.trim()).toBe(TEXT);
    expect(answer.calls).toHaveLength(1);
  });
});
