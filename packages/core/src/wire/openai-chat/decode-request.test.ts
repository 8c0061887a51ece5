import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ApiError, acceptConversation, type Message } from '../../model/index.js';
import { membersOf } from '../notes.js';
import { decodeRequest } from './decode-request.js';
import { encodeRequest } from './encode-request.js';

const bodies: Record<string, Record<string, unknown>> = JSON.parse(
  readFileSync(new URL('./bodies.fixture.json', import.meta.url), 'utf8'),
);

const again = (body: unknown) => encodeRequest(decodeRequest(body));

function errorOf(body: unknown): ApiError {
  try {
    decodeRequest(body);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('no error');
}

/** As JSON has it. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** Without the notes of the wire, and without arguments that were broken: only requests keep those. */
function withoutNotes(message: Message): Message {
  const { extra: kept, ...rest } = plain(message);
  for (const part of rest.parts) if (part.type === 'tool-call') delete part.broken;
  const extra = membersOf(kept);
  return { ...rest, ...(Object.keys(extra).length > 0 && { extra }) } as Message;
}

describe('what is read', () => {
  it('is the conversation that the model reads', () => {
    for (const [name, body] of Object.entries(bodies)) {
      const { conversation } = decodeRequest(body);
      const accepted = acceptConversation(body);
      // A refusal beside the content is said here, and kept aside there.
      const rest = (messages: Message[]) => messages.filter(({ extra }) => !extra?.audio).map(withoutNotes);
      expect(rest(conversation.messages), name).toEqual(rest(accepted.messages));
      // The model's own validation skips freeform tools.
      const tools = conversation.tools.filter(({ freeform }) => freeform === undefined);
      expect(plain(tools), name).toEqual(plain(accepted.tools));
      expect(conversation.toolChoice, name).toEqual(accepted.toolChoice);
    }
  });

  it('are the settings, in all spellings', () => {
    const of = (more: object) =>
      decodeRequest({ model: 'm', messages: [{ role: 'user', content: '' }], ...more });
    expect(decodeRequest(bodies['the OpenAI SDK, its own answer sent back']).settings).toEqual({
      maxTokens: 400,
      choices: 2,
      seed: 7,
      stop: ['\n\n'],
      parallelCalls: false,
    });
    expect(of({ max_tokens: 5 }).settings.maxTokens).toBe(5);
    expect(of({ max_tokens: 5, max_completion_tokens: 6 }).settings.maxTokens).toBe(6);
    expect(of({ max_tokens: -1 }).settings.maxTokens).toBeUndefined();
    expect(of({ reasoning_effort: 'none' }).settings.thinking).toBe(false);
    expect(of({ reasoning_effort: 'minimal' }).settings.thinking).toBe(true);
    expect(of({ enable_thinking: false }).settings.thinking).toBe(false);
    expect(of({ thinking: { type: 'disabled' } }).settings.thinking).toBe(false);
    expect(of({ thinking: { type: 'enabled' } }).settings.thinking).toBe(true);
    expect(of({ chat_template_kwargs: { enable_thinking: true } }).settings.thinking).toBe(true);
    expect(of({}).settings).toEqual({});
    expect(of({ stream: true, stream_options: { include_usage: true } })).toMatchObject({
      stream: true,
      includeUsage: true,
    });
    expect(of({ response_format: { type: 'text' } }).extra).toEqual({ response_format: { type: 'text' } });
  });

  it('lists the tools that run elsewhere', () => {
    const request = decodeRequest(bodies['the OpenAI SDK, its own answer sent back']);
    expect(request.skippedTools).toBeUndefined();
    expect(request.conversation.tools.map(({ name }) => name)).toEqual(['weather', 'sql']);
    const body = { model: 'm', messages: [{ role: 'user', content: '' }], tools: [{ type: 'web_search' }] };
    expect(decodeRequest(body).skippedTools).toEqual([{ path: 'tools[0]', type: 'web_search' }]);
  });

  it('takes a refusal for what was said', () => {
    const { messages } = decodeRequest(bodies['the OpenAI SDK, its own answer sent back']).conversation;
    expect(messages.at(-1)?.parts).toMatchObject([{ type: 'text', text: 'I cannot say.' }]);
  });

  it('takes the calls of custom tools in a history', () => {
    const body = {
      model: 'm',
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'sql', input: 'select 1' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: '1' },
      ],
    };
    const { messages } = decodeRequest(body).conversation;
    expect(messages[0]?.parts).toMatchObject([{ id: 'c', name: 'sql', input: { input: 'select 1' } }]);
    expect(again(body)).toEqual(body);
  });

  it('leaves the choice to the model where a tool is named that was left out', () => {
    const body = {
      model: 'm',
      messages: [{ role: 'user', content: '' }],
      tools: [{ type: 'web_search' }],
      tool_choice: { type: 'function', function: { name: 'search' } },
    };
    const { conversation, skippedTools } = decodeRequest(body);
    expect(conversation.toolChoice).toBe('auto');
    expect(skippedTools).toContainEqual({ path: 'tool_choice', type: 'search' });
    expect(again(body)).toEqual(body);
  });
});

describe('what cannot be read', () => {
  const user = { role: 'user', content: 'hi' };
  const cases: [path: string, body: unknown, says: string][] = [
    ['', [], 'expected a request'],
    ['model', { messages: [user] }, 'expected the name of a model, found nothing'],
    ['model', { model: '', messages: [user] }, 'expected the name of a model'],
    ['messages', { model: 'm' }, 'expected a list of at least one message, found nothing'],
    [
      'messages',
      { model: 'm', messages: [] },
      'expected a list of at least one message, found an empty list',
    ],
    ['messages', { model: 'm', messages: 'hi' }, 'expected a list of messages, found "hi"'],
    ['messages[1]', { model: 'm', messages: [user, 5] }, 'expected a message'],
    ['messages[0].role', { model: 'm', messages: [{ role: 'bot', content: '' }] }, 'one of the roles'],
    [
      'messages[0].content',
      { model: 'm', messages: [{ role: 'user', content: 5 }] },
      'a string, a list of parts',
    ],
    [
      'messages[0].content[1].text',
      { model: 'm', messages: [{ role: 'user', content: ['a', { type: 'text' }] }] },
      'a string',
    ],
    [
      'messages[0].content[0]',
      { model: 'm', messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] }] },
      "role: 'tool'",
    ],
    [
      'tools[0].function.name',
      { model: 'm', messages: [user], tools: [{ function: { name: 'a b' } }] },
      'a name of',
    ],
    ['tools', { model: 'm', messages: [user], tools: { f: {} } }, 'a list of tools'],
    ['tool_choice', { model: 'm', messages: [user], tool_choice: 'sometimes' }, "'auto'"],
    [
      'tool_choice',
      { model: 'm', messages: [user], tool_choice: { type: 'function', function: { name: 'f' } } },
      'the name of one of the tools, found "f"',
    ],
    ['n', { model: 'm', messages: [user], n: 129 }, 'a whole number from 1 to 128, found 129'],
    ['temperature', { model: 'm', messages: [user], temperature: '1' }, 'a number'],
    ['max_tokens', { model: 'm', messages: [user], max_tokens: 0 }, 'at least 1'],
    ['stop[1]', { model: 'm', messages: [user], stop: ['a', 1] }, 'a string'],
    ['stop', { model: 'm', messages: [user], stop: 1 }, 'a string or a list'],
    ['stop', { model: 'm', messages: [user], stop: Array(33).fill('a') }, 'at most 32 strings'],
    [
      'stop',
      { model: 'm', messages: [user], stop: 'a'.repeat(16_385) },
      'found 1 of 16385: send fewer or shorter',
    ],
    ['stream', { model: 'm', messages: [user], stream: 'yes' }, 'true or false'],
    [
      'stream_options.include_usage',
      { model: 'm', messages: [user], stream_options: { include_usage: 1 } },
      'true or',
    ],
    ['reasoning_effort', { model: 'm', messages: [user], reasoning_effort: 3 }, 'a string'],
  ];
  for (const [path, body, says] of cases) {
    it(`is refused with its path: ${path || 'the body'} ${says}`, () => {
      const error = errorOf(body);
      expect(error.code).toBe('bad-request');
      expect(error.path).toBe(path);
      expect(error.message).toContain(says);
    });
  }

  it('is refused where it nests too deep', () => {
    let deep: unknown = 1;
    for (let n = 0; n < 20_000; n++) deep = [deep];
    for (const body of [
      { model: 'm', messages: [user], metadata: deep },
      { model: 'm', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: deep }] }] },
      { model: 'm', messages: [user], thinking: deep },
      { model: 'm', messages: [{ role: 'assistant', content: '', reasoning: deep }] },
    ]) {
      expect(errorOf(body).message).toContain('levels');
    }
  });
});
