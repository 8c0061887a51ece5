import { describe, expect, it } from 'vitest';
import type { AskOptions, BridgeEvent } from '../index.js';
import { createResponder } from '../reply/respond.js';
import { scriptedUpstream } from '../upstream/scripted-upstream.fixture.js';
import type { MessageApi } from './refusing-upstream.fixture.js';
import {
  chatLoop,
  checkingFetch,
  checks,
  clients,
  type RoleCheck,
  rolesIn,
  type Told,
} from './role-checks.fixture.js';

// biome-ignore lint/suspicious/noExplicitAny: bodies as clients and upstreams see them.
type Loose = any;

interface Setup {
  check: RoleCheck;
  upstream?: MessageApi;
  told?: Told;
  stream?: boolean;
}

function gateway(
  { check, upstream = 'openai-chat', told = 'status', stream = false }: Setup,
  options: Partial<AskOptions> = {},
) {
  const sent: Loose[] = [];
  const events: BridgeEvent[] = [];
  const respond = createResponder({
    upstream: {
      url: 'http://upstream.invalid/v1',
      api: upstream,
      stream,
      retryDelay: 0,
      fetch: checkingFetch(upstream, check, sent, told),
    },
    onEvent: (event) => events.push(event),
    ...options,
  });
  const ask = async (path: string, body: object) => {
    const response = await respond(
      new Request(`http://test.invalid${path}`, { method: 'POST', body: JSON.stringify(body) }),
    );
    return { status: response.status, text: await response.text() };
  };
  return { ask, sent, events };
}

/** The report, in the body of an answer or in the last event that has one. */
function reportIn(text: string): Loose {
  const found = text.startsWith('{') ? [JSON.parse(text)] : eventsIn(text);
  return found
    .map((body) => body.dragoman ?? body.response?.dragoman)
    .findLast((report) => report !== undefined);
}

const eventsIn = (text: string): Loose[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)));

const codesOf = (report: Loose) => report.mended?.map(({ code }: Loose) => code);

describe.each(clients)('$name', ({ api, path, body }) => {
  describe.each([false, true])('streamed: %s', (stream) => {
    it.each(['qwen', 'mistral'] as const)(
      'is answered by a text model with the template of %s',
      async (check) => {
        const { ask, sent } = gateway({ check }, { mode: 'emulate' });
        const { status, text } = await ask(path, { ...body, stream });
        expect([status, text.includes('Done.')]).toEqual([200, true]);
        expect(sent).toHaveLength(1);
        expect(codesOf(reportIn(text))).not.toContain('refused-roles');
        expect(codesOf(reportIn(text))).toContain(
          api === 'anthropic-messages' ? 'late-system' : 'joined-turns',
        );
      },
    );

    it.each(['status', 'event'] as const)(
      'is answered by a native upstream that refused it by %s',
      async (told) => {
        const { ask, sent, events } = gateway({ check: 'mistral', told, stream: true }, { mode: 'heal' });
        const { status, text } = await ask(path, { ...body, stream });
        expect([status, text.includes('Done.')]).toEqual([200, true]);
        expect(codesOf(reportIn(text))[0]).toBe('refused-roles');
        const told_ = events.filter(({ type }) => type === 'mended').at(-1);
        expect(told_).toEqual({ type: 'mended', mended: reportIn(text).mended });
        const asked = sent.length;
        expect((await ask(path, { ...body, stream })).status).toBe(200);
        // What it accepted is remembered.
        expect(sent).toHaveLength(asked + 1);
      },
    );
  });

  it.each(['openai-chat', 'openai-responses', 'anthropic-messages'] as const)(
    'keeps all of its text in its order, whatever %s refuses',
    async (upstream) => {
      const check = upstream === 'anthropic-messages' ? 'anthropic' : 'qwen';
      const { ask, sent } = gateway({ check, upstream }, { mode: 'heal' });
      expect((await ask(path, body)).status).toBe(200);
      const whole = JSON.stringify(sent.at(-1));
      const placesOf = (value: unknown) =>
        textsIn(value).map((text) => whole.indexOf(JSON.stringify(text).slice(1, -1)));
      const places = placesOf(body.messages ?? body.input);
      expect(places.length).toBeGreaterThan(1);
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect([...places, ...placesOf([body.system, body.instructions])]).not.toContain(-1);
    },
  );

  it('is sent as it came where the option says so, and the error passes', async () => {
    for (const mode of ['heal', 'emulate'] as const) {
      const { ask, sent } = gateway({ check: 'mistral' }, { mode, roles: 'as-is' });
      expect((await ask(path, body)).status).toBe(502);
      expect(rolesIn('openai-chat', sent[0])).toSatisfy(
        (roles: string[]) => checks.mistral(roles, new Set()) !== undefined,
      );
    }
  });

  it.each(['gemma'] as const)(
    'is asked without the system role by a text model with the template of %s',
    async (check) => {
      const { ask, sent } = gateway({ check }, { mode: 'emulate' });
      const { status, text } = await ask(path, body);
      expect(status).toBe(200);
      expect(rolesIn('openai-chat', sent.at(-1))).not.toContain('system');
      expect(codesOf(reportIn(text))).toEqual(expect.arrayContaining(['refused-roles', 'late-system']));
    },
  );
});

/** The texts of messages, in their order. */
function textsIn(value: Loose, key = 'text'): string[] {
  if (typeof value === 'string') return ['text', 'content'].includes(key) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, key));
  return value && typeof value === 'object'
    ? Object.entries(value).flatMap(([name, member]) => textsIn(member, name))
    : [];
}

describe('a native upstream that accepts everything', () => {
  it.each(clients)('gets the request of $name as it came, once', async ({ api, path, body }) => {
    const sent: Loose[] = [];
    const respond = createResponder({
      upstream: {
        url: 'http://upstream.invalid/v1',
        api,
        stream: false,
        fetch: async (url: string, init: RequestInit) => {
          sent.push(JSON.parse(String(init.body)));
          return checkingFetch(api, 'qwen')(url, {
            ...init,
            body: JSON.stringify({ messages: [], input: [] }),
          });
        },
      },
      mode: 'heal',
      history: 'exact',
    });
    const response = await respond(
      new Request(`http://test.invalid${path}`, { method: 'POST', body: JSON.stringify(body) }),
    );
    expect(response.status).toBe(200);
    expect(reportIn(await response.text())).not.toHaveProperty('mended');
    expect(sent).toEqual([body]);
  });
});

it('says what a template that wants an answer between results and the user gets', async () => {
  const { ask, sent } = gateway({ check: 'mistral' }, { mode: 'heal' });
  expect((await ask('/v1/chat/completions', chatLoop)).status).toBe(200);
  expect(sent.map((body) => rolesIn('openai-chat', body).join(' '))).toEqual([
    'system user assistant tool user system user',
    'system user assistant tool user',
    'system user assistant tool assistant user',
  ]);
  const [, , , , received, last] = sent[2].messages;
  expect(received).toEqual({ role: 'assistant', content: '(The results were received.)' });
  expect(last.content).toMatch(
    /^Stop\.\n\n<system_message id="(\w{16})">\nThe user pressed escape\.\n<\/system_message id="\1">\n\nAnd in Oslo\?$/,
  );
});

it('lists a refusal of several choices once', async () => {
  const { ask } = gateway({ check: 'gemma' }, { mode: 'emulate' });
  const { text } = await ask('/v1/chat/completions', { ...chatLoop, n: 3 });
  const codes: string[] = codesOf(reportIn(text));
  expect(codes.filter((code) => code === 'refused-roles')).toHaveLength(1);
});

it('remembers each model for itself', async () => {
  const { ask, sent } = gateway({ check: 'qwen' }, { mode: 'heal' });
  for (const model of ['a', 'b', 'a', 'b']) await ask('/v1/chat/completions', { ...chatLoop, model });
  expect(sent.map(({ model }) => model)).toEqual(['a', 'a', 'b', 'b', 'a', 'b']);
});

describe('a native upstream that refuses tools', () => {
  const asking = (options: Partial<AskOptions> = {}) => {
    const sent: Loose[] = [];
    const fetch = async (url: string, init: RequestInit) => {
      const body = JSON.parse(String(init.body));
      sent.push(body);
      if (!body.tools) return checkingFetch('openai-chat', 'qwen')(url, init);
      return Response.json({ error: { message: 'm does not support tools' } }, { status: 400 });
    };
    const upstream = { url: 'http://upstream.invalid/v1', stream: false, fetch };
    const respond = createResponder({ upstream, mode: 'heal', dialect: 'hermes', ...options });
    const ask = async (body: object = chatLoop) => {
      const request = { method: 'POST', body: JSON.stringify(body) };
      return reportIn(
        await (await respond(new Request('http://test.invalid/v1/chat/completions', request))).text(),
      );
    };
    return { ask, roles: () => sent.map((body) => rolesIn('openai-chat', body).join(' ')) };
  };

  it('gets the order of roles of a text model, from the first request on', async () => {
    const { ask, roles } = asking();
    const reports = [await ask(), await ask()];
    expect(roles()).toEqual([
      'system user assistant tool user system user',
      'system user assistant user',
      'system user assistant user',
    ]);
    for (const report of reports) {
      expect(report.mode).toBe('emulate');
      expect(codesOf(report)).toEqual(expect.arrayContaining(['late-system']));
      expect(codesOf(report)).not.toContain('refused-roles');
    }
  });

  it('gets the conversation as it came where the option says so', async () => {
    const { ask, roles } = asking({ roles: 'as-is' });
    await ask();
    expect(roles().at(-1)).toBe('system user assistant user system user');
  });
});

it('gives the error of the upstream where no other shape helps', async () => {
  const right = { model: 'm', messages: [{ role: 'user', content: 'Hi.' }] };
  const sent: Loose[] = [];
  const fetch = async (_: string, init: RequestInit) => {
    sent.push(init.body);
    return Response.json({ error: { message: 'System message must be at the beginning.' } }, { status: 400 });
  };
  const respond = createResponder({ upstream: { url: 'http://upstream.invalid/v1', fetch }, mode: 'heal' });
  const response = await respond(
    new Request('http://test.invalid/v1/chat/completions', { method: 'POST', body: JSON.stringify(right) }),
  );
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('System message must be at the beginning.');
  expect(sent).toHaveLength(1);
});

it('joins what asking again adds: a model that wrote nothing is told so in the message before', async () => {
  const upstream = scriptedUpstream(['', 'Sorry.']);
  const respond = createResponder({ upstream, reasks: 1 });
  const body = { ...chatLoop, messages: chatLoop.messages.slice(0, 2), tool_choice: 'required' };
  await respond(
    new Request('http://test.invalid/v1/chat/completions', { method: 'POST', body: JSON.stringify(body) }),
  );
  expect(upstream.asked.map(({ conversation }) => conversation.messages.map(({ role }) => role))).toEqual([
    ['system', 'user'],
    ['system', 'user'],
  ]);
});

it('shows events the request as it was sent', async () => {
  const { ask, events } = gateway({ check: 'qwen' }, { mode: 'emulate' });
  await ask('/v1/chat/completions', chatLoop);
  const asked = events.flatMap((event) => (event.type === 'upstream-request' ? [event.request] : []));
  expect(asked.map(({ conversation }) => conversation.messages.map(({ role }) => role))).toEqual([
    ['system', 'user', 'assistant', 'user'],
  ]);
});

describe('a completion endpoint', () => {
  const models = ['deepseek-v3.1', 'deepseek-v3.2', 'deepseek-v4', 'mistral'];
  const started = [
    { role: 'user', content: 'Hi.' },
    { role: 'system', content: 'The date is today.' },
  ];
  const promptFor = async (dialect: string, messages: object[], options: Partial<AskOptions> = {}) => {
    const upstream = scriptedUpstream(['Done.'], { takes: 'prompt' });
    const respond = createResponder({ upstream, dialect, ...options });
    const body = JSON.stringify({ model: 'm', messages });
    const response = await respond(
      new Request('http://test.invalid/v1/chat/completions', { method: 'POST', body }),
    );
    return { prompt: upstream.asked[0]?.prompt ?? '', report: reportIn(await response.text()) };
  };

  it.each(models)(
    "gets system text within the user's turn, where %s has no place for it",
    async (dialect) => {
      const alone = await promptFor(dialect, started.slice(0, 1));
      const [before = '', after = ''] = alone.prompt.split('Hi.');
      const { prompt, report } = await promptFor(dialect, started);
      expect(prompt.startsWith(`${before}Hi.\n\n<system_message id="`)).toBe(true);
      expect(prompt.endsWith(`</system_message id="${/id="(\w+)"/.exec(prompt)?.[1]}">${after}`)).toBe(true);
      expect(codesOf(report)).toEqual(['late-system']);
    },
  );

  it('gets system text as the dialect writes it, where it can; else if the option says so', async () => {
    const { prompt, report } = await promptFor('hermes', started);
    expect(prompt).toContain('<|im_start|>system\nThe date is today.<|im_end|>');
    expect(report).not.toHaveProperty('mended');
    expect((await promptFor('hermes', started, { roles: 'strict' })).prompt).toContain('<system_message id=');
  });
});
