import { describe, expect, it } from 'vitest';
import type { MessageApi } from '../history/refusing-upstream.fixture.js';
import { refusingFetch } from '../history/refusing-upstream.fixture.js';
import { claudeCode, claudeCodePdf } from '../history/role-checks.fixture.js';
import type { AskOptions } from '../index.js';
import { createResponder } from '../reply/respond.js';
import { scriptedUpstream } from './scripted-upstream.fixture.js';

// biome-ignore lint/suspicious/noExplicitAny: bodies as clients and upstreams see them.
type Loose = any;

const paths: Record<MessageApi, string> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
};
const apis = Object.keys(paths) as MessageApi[];

async function ask(
  api: MessageApi,
  body: object,
  options: Partial<AskOptions> & Pick<AskOptions, 'upstream'>,
) {
  const respond = createResponder(options);
  const request = { method: 'POST', body: JSON.stringify(body) };
  const response = await respond(new Request(`http://test.invalid${paths[api]}`, request));
  const text = await response.text();
  return { status: response.status, text };
}

/** Asks a text model, and gives what it reads. */
async function readBy(api: MessageApi, body: object, takes: 'messages' | 'prompt' = 'messages') {
  const upstream = scriptedUpstream(['Done.'], { takes });
  const answer = await ask(api, body, { upstream, dialect: 'hermes' });
  const [request] = upstream.asked;
  const texts = request?.conversation.messages.flatMap(({ parts }) =>
    parts.map((part) => ('text' in part ? part.text : '')),
  );
  return { ...answer, read: request?.prompt ?? texts?.join('\n') ?? '' };
}

/** Asks a native upstream, and gives the body that it gets. */
async function sentTo(upstream: MessageApi, api: MessageApi, body: object, media = true): Promise<Loose> {
  const sent: string[] = [];
  const fetch = refusingFetch(upstream, sent);
  const { status, text } = await ask(api, body, {
    upstream: { url: 'http://upstream.invalid/v1', api: upstream, stream: false, retries: 0, media, fetch },
    mode: 'heal',
  });
  expect(status, text).toBe(200);
  return JSON.parse(sent.at(-1) ?? '');
}

const png = 'iVBORw0KGgo=';
const note = '[image (image/png, 8 bytes): not shown, because this model takes only text]';

/** A tool that gives text, an image, and text. */
const withResult: Record<MessageApi, object> = {
  'openai-chat': {
    model: 'm',
    messages: [
      { role: 'user', content: 'Look.' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: [
          { type: 'text', text: 'Before.' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
          { type: 'text', text: 'After.' },
        ],
      },
    ],
  },
  'openai-responses': {
    model: 'm',
    input: [
      { role: 'user', content: 'Look.' },
      { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [
          { type: 'input_text', text: 'Before.' },
          { type: 'input_image', image_url: `data:image/png;base64,${png}`, detail: 'auto' },
          { type: 'input_text', text: 'After.' },
        ],
      },
    ],
  },
  'anthropic-messages': {
    model: 'm',
    max_tokens: 50,
    messages: [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c1',
            content: [
              { type: 'text', text: 'Before.' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
              { type: 'text', text: 'After.' },
            ],
          },
        ],
      },
    ],
  },
};

describe.each(apis)('an image in a result that came by %s', (api) => {
  it.each(['messages', 'prompt'] as const)(
    'is a note at its place, for a model that takes %s',
    async (takes) => {
      const { status, read, text } = await readBy(api, withResult[api], takes);
      expect(status).toBe(200);
      expect(read).toContain(`Before.\n${note}\nAfter.`);
      expect(read).not.toContain(png);
      const { mended } = JSON.parse(text).dragoman;
      expect(mended.map(({ code, path }: Loose) => [code, path])).toEqual([
        ['unseen-media', 'messages[2].parts[0]'],
      ]);
    },
  );

  it('is a note in a stream, too', async () => {
    const { status, read, text } = await readBy(api, { ...withResult[api], stream: true });
    expect([status, read.includes(note), text.includes('unseen-media')]).toEqual([200, true, true]);
  });

  it.each(apis)('reaches a native upstream with %s in words of that API', async (upstream) => {
    const sent = JSON.stringify(await sentTo(upstream, api, withResult[api]));
    expect(sent.split(png)).toHaveLength(2);
    expect(sent.indexOf('Before.')).toBeLessThan(sent.indexOf('After.'));
  });

  it.each(apis)('is a note for a native upstream with %s that takes no media', async (upstream) => {
    const sent = JSON.stringify(await sentTo(upstream, api, withResult[api], false));
    expect(sent).not.toContain(png);
    expect(sent).toContain(JSON.stringify(`Before.\n${note}\nAfter.`).slice(1, -1));
  });
});

describe('Claude Code', () => {
  it.each(['messages', 'prompt'] as const)(
    'may read an image: a model that takes %s is told what it was',
    async (takes) => {
      const { status, read } = await readBy('anthropic-messages', claudeCode, takes);
      expect(status).toBe(200);
      expect(read).toContain('[image (image/png, 80 bytes): not shown, because this model takes only text]');
    },
  );

  it('may read a PDF, which stands in the message behind the result', async () => {
    const { status, read, text } = await readBy('anthropic-messages', claudeCodePdf);
    expect(status).toBe(200);
    expect(read).toContain('PDF file read: /work/doc.pdf (191 bytes)');
    expect(read).toContain(
      '[file (application/pdf, 9 bytes): not shown, because this model takes only text]',
    );
    expect(text).toContain('unseen-media');
  });

  it('reads the image itself over a native upstream with Chat, which has it in a message of the user', async () => {
    const { messages } = await sentTo('openai-chat', 'anthropic-messages', claudeCode);
    expect(messages.slice(-2)).toMatchObject([
      { role: 'tool', tool_call_id: 'toolu_01' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/png;base64,/) } },
        ],
      },
    ]);
  });
});

/** A user's message with these parts. */
const userBody = (api: MessageApi, parts: object[]): object => {
  const messages = [{ role: 'user', content: parts }];
  return api === 'openai-responses'
    ? { model: 'm', input: messages }
    : { model: 'm', max_tokens: 50, messages };
};

const images: Record<MessageApi, object> = {
  'openai-chat': { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
  'openai-responses': { type: 'input_image', image_url: `data:image/png;base64,${png}` },
  'anthropic-messages': { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
};

describe.each(apis)("the user's own image by %s", (api) => {
  it('is refused with its place and what it is', async () => {
    const { status, text } = await readBy(api, userBody(api, [images[api]]));
    expect(status).toBe(400);
    expect(text).toContain(
      'messages[0].content[0]: this model takes only text here, and no image (image/png, 8 bytes)',
    );
  });
});

const csv = { data: btoa('a,b'), type: 'text/csv' };
const documents: [MessageApi, object, string][] = [
  [
    'anthropic-messages',
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a,b' }, title: 'a.csv' },
    '<document title="a.csv">\na,b\n</document>',
  ],
  [
    'anthropic-messages',
    {
      type: 'document',
      source: {
        type: 'content',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    },
    '<document>\na\nb\n</document>',
  ],
  [
    'anthropic-messages',
    {
      type: 'search_result',
      source: 'https://example.com/rome',
      title: 'Rome',
      content: [{ type: 'text', text: 'It is warm.' }],
      citations: { enabled: true },
    },
    '<search_result title="Rome" source="https://example.com/rome">\nIt is warm.\n</search_result>',
  ],
  [
    'openai-responses',
    { type: 'input_file', filename: 'a.csv', file_data: `data:${csv.type};base64,${csv.data}` },
    '<document title="a.csv">\na,b\n</document>',
  ],
  [
    'openai-chat',
    { type: 'file', file: { filename: 'a.csv', file_data: `data:${csv.type};base64,${csv.data}` } },
    '<document title="a.csv">\na,b\n</document>',
  ],
];

describe.each(documents)('a text document by %s: %j', (api, part, text) => {
  const body = userBody(api, [
    { type: api === 'openai-responses' ? 'input_text' : 'text', text: 'See:' },
    part,
  ]);

  it.each(['messages', 'prompt'] as const)('is text for a model that takes %s', async (takes) => {
    const { status, read } = await readBy(api, body, takes);
    expect([status, read.includes(`See:\n${text}`)]).toEqual([200, true]);
  });

  it.each(apis.filter((upstream) => upstream !== api))(
    'is text for a native upstream with %s',
    async (upstream) => {
      const sent = JSON.stringify(await sentTo(upstream, api, body));
      const words = upstream === 'anthropic-messages' ? 'a,b' : text;
      expect(sent).toContain(JSON.stringify(words).slice(1, -1));
    },
  );

  it('passes as it came to a native upstream with the same API', async () => {
    const sent = await sentTo(api, api, body);
    expect((sent.messages ?? sent.input)[0].content[1]).toEqual(part);
  });

  it('is text in a result as well', async () => {
    const result = {
      type: 'tool_result',
      tool_use_id: 'c1',
      content: [{ type: 'text', text: 'See:' }, part],
    };
    const called = { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] };
    const messages = [{ role: 'user', content: 'Look.' }, called, { role: 'user', content: [result] }];
    const { status, read } = await readBy('anthropic-messages', { model: 'm', max_tokens: 50, messages });
    expect([status, read.includes(`See:\n${text}`)]).toEqual([200, true]);
    const sent = await sentTo('anthropic-messages', 'anthropic-messages', {
      model: 'm',
      max_tokens: 50,
      messages,
    });
    expect(sent.messages[2].content[0]).toEqual(result);
  });
});

it('shows blocks of unknown types in a result as JSON, and images beside them as notes', async () => {
  const content = [
    null,
    { type: 'tool_reference', tool_name: 'other' },
    images['anthropic-messages'],
    { type: 'audio', data: png },
  ];
  const called = { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] };
  const results = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content }] };
  const body = {
    model: 'm',
    max_tokens: 50,
    messages: [{ role: 'user', content: 'Look.' }, called, results],
  };
  const { status, read } = await readBy('anthropic-messages', body);
  expect(status).toBe(200);
  expect(read).toContain(`null\n{"type":"tool_reference","tool_name":"other"}\n${note}\n[audio: not shown`);
  expect(read).not.toContain(png);
});

it('takes base64 that is no UTF-8 for a file, whatever its type says', async () => {
  const file = { type: 'input_file', filename: 'a.txt', file_data: 'data:text/plain;base64,/////w==' };
  const { status, text } = await readBy('openai-responses', userBody('openai-responses', [file]));
  expect(status).toBe(400);
  expect(text).toContain('no file (a.txt, text/plain, 4 bytes)');
});

describe('a native upstream that refuses images', () => {
  const refusals: [status: number, message: string][] = [
    [400, 'Qwen/Qwen3-8B is not a multimodal model'],
    [400, 'At most 0 image(s) may be provided in one request.'],
    [500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
    [404, 'No endpoints found that support image input'],
    [
      400,
      'Failed to deserialize the JSON body into the target type: messages[3]: unknown variant `image_url`, expected `text`',
    ],
  ];
  const blind = (
    upstream: MessageApi,
    status: number,
    message: string,
    options: Partial<AskOptions> = {},
  ) => {
    const sent: string[] = [];
    const fetch = async (url: string, init: RequestInit) => {
      if (!String(init.body).includes(png)) return refusingFetch(upstream, sent)(url, init);
      sent.push(String(init.body));
      return Response.json({ error: { message } }, { status });
    };
    const respond = createResponder({
      upstream: { url: 'http://upstream.invalid/v1', api: upstream, stream: false, retryDelay: 0, fetch },
      mode: 'heal',
      ...options,
    });
    return { respond, sent };
  };
  const post = (api: MessageApi, body: object) =>
    new Request(`http://test.invalid${paths[api]}`, { method: 'POST', body: JSON.stringify(body) });

  it.each(refusals)(
    'is asked again with a note in the place of the image: %s %s',
    async (status, message) => {
      const { respond, sent } = blind('openai-chat', status, message);
      const response = await respond(post('anthropic-messages', withResult['anthropic-messages']));
      expect(response.status).toBe(200);
      const { mended } = ((await response.json()) as Loose).dragoman;
      expect(mended.map(({ code }: Loose) => code)).toEqual(['refused-media', 'unseen-media']);
      expect(sent.map((body) => body.includes(png))).toEqual([true, false]);
      // It is remembered.
      await respond(post('anthropic-messages', withResult['anthropic-messages']));
      expect(sent.map((body) => body.includes(png))).toEqual([true, false, false]);
    },
  );

  it.each(apis.flatMap((api) => apis.map((upstream) => [api, upstream] as const)))(
    'is asked again on the way from %s to %s, also where the roles stay',
    async (api, upstream) => {
      const { respond, sent } = blind(upstream, 400, 'm is not a multimodal model', { roles: 'as-is' });
      const stream = await respond(post(api, { ...withResult[api], stream: true }));
      expect([stream.status, (await stream.text()).includes('refused-media')]).toEqual([200, true]);
      expect(sent.at(-1)).toContain(JSON.stringify(note).slice(1, -1));
    },
  );

  it.each(apis)('is asked again in emulation as well: %s', async (api) => {
    const { respond, sent } = blind('openai-chat', 400, 'm is not a multimodal model', {
      mode: 'emulate',
      dialect: 'hermes',
    });
    for (let turn = 0; turn < 2; turn++) {
      const response = await respond(post(api, withResult[api]));
      expect([response.status, (await response.text()).includes('unseen-media')]).toEqual([200, true]);
      expect(sent.at(-1)).toContain(JSON.stringify(note).slice(1, -1));
    }
    expect(sent.map((body) => body.includes(png))).toEqual([true, false, false]);
  });

  it('is asked again in emulation after a PDF, which stands in the message behind the result', async () => {
    const sent: string[] = [];
    const fetch = async (url: string, init: RequestInit) =>
      String(init.body).includes('data:application/pdf')
        ? Response.json({ error: { message: 'm is not a multimodal model' } }, { status: 400 })
        : refusingFetch('openai-chat', sent)(url, init);
    const upstream = { url: 'http://upstream.invalid/v1', stream: false, retries: 0, fetch };
    const { status } = await ask('anthropic-messages', claudeCodePdf, {
      upstream,
      mode: 'emulate',
      dialect: 'hermes',
    });
    expect([status, sent.at(-1)?.includes('[file (application/pdf, 9 bytes): not shown')]).toEqual([
      200,
      true,
    ]);
  });

  it.each(apis)("passes its error where the image is the user's own: %s", async (api) => {
    const { respond, sent } = blind(api, 400, 'm is not a multimodal model');
    const response = await respond(post(api, userBody(api, [images[api]])));
    expect([response.status, sent.length]).toEqual([400, 1]);
    expect(await response.text()).toContain('m is not a multimodal model');
  });

  it('gets a note for what its API has no words for, and sees other images later', async () => {
    const audio = { type: 'audio', data: png, mimeType: 'audio/wav' };
    const result = { type: 'tool_result', tool_use_id: 'c1', content: [audio] };
    const called = { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] };
    const messages = [{ role: 'user', content: 'Listen.' }, called, { role: 'user', content: [result] }];
    const { respond, sent } = blind('openai-responses', 400, 'x');
    const response = await respond(post('anthropic-messages', { model: 'm', max_tokens: 50, messages }));
    expect(response.status).toBe(200);
    expect(sent.at(-1)).toContain('[audio: not shown');
    await respond(post('anthropic-messages', withResult['anthropic-messages']));
    expect(sent.at(-1)).toContain(png);
  });

  it('sees other images later, also if it refused the roles of a request with such a note', async () => {
    const audio = { type: 'audio', data: png, mimeType: 'audio/wav' };
    const result = { type: 'tool_result', tool_use_id: 'c1', content: [audio] };
    const called = { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] };
    const messages = [
      { role: 'user', content: 'Listen.' },
      { role: 'system', content: 'Be brief.' },
      called,
      { role: 'user', content: [result] },
    ];
    const sent: string[] = [];
    const words = 'System message must be at the beginning.';
    let asked = 0;
    const fetch = async (url: string, init: RequestInit) => {
      asked++;
      const { input } = JSON.parse(String(init.body));
      if (input.findIndex(({ role }: Loose) => role === 'system' || role === 'developer') > 0)
        return Response.json({ error: { message: words } }, { status: 400 });
      return refusingFetch('openai-responses', sent)(url, init);
    };
    const respond = createResponder({
      upstream: { url: 'http://upstream.invalid/v1', api: 'openai-responses', stream: false, fetch },
      mode: 'heal',
    });
    const response = await respond(post('anthropic-messages', { model: 'm', max_tokens: 50, messages }));
    const { mended } = ((await response.json()) as Loose).dragoman;
    expect(mended.map(({ code }: Loose) => code)).toEqual(
      expect.arrayContaining(['refused-media', 'unseen-media', 'refused-roles', 'late-system']),
    );
    expect(sent.at(-1)).toContain('[audio: not shown');
    expect(asked).toBe(2);
    const later: Loose = structuredClone(withResult['anthropic-messages']);
    later.messages.push({ role: 'system', content: 'Be brief.' });
    await respond(post('anthropic-messages', later));
    expect(sent.at(-1)).toContain(png);
    // The order of roles is remembered all the same.
    expect(asked).toBe(3);
  });
});
