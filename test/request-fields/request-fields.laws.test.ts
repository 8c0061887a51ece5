// Nothing that a client may send is dropped in silence. For each member of the published request types, two requests
// that differ in this member alone are sent: something must differ in what the upstream gets, in the report or in the
// answer; or the report names the member, or one that it stands in.

import type { MendCode, Report } from '@dragoman/core';
import { createResponder, type Responder } from '@dragoman/core/bridge';
import { describe, expect, it } from 'vitest';
import { oneOf } from '../effort.js';
import { type Probe, type PublishedType, probesOf } from './published-fields.js';

type Api = 'openai-chat' | 'openai-responses' | 'anthropic-messages';

interface Published extends PublishedType {
  api: Api;
  /** Another API, for an upstream that does not speak the client's. */
  other: Api;
}

const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const weather = { name: 'get_weather', description: 'The weather.' };
const user = { role: 'user', content: 'Hello.' };
const chatCall = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } };

const published: Published[] = [
  {
    api: 'openai-chat',
    other: 'anthropic-messages',
    file: 'openai/resources/chat/completions/completions.d.ts',
    type: 'ChatCompletionCreateParamsBase',
    base: {
      model: 'm',
      messages: [user, { role: 'assistant', content: null, tool_calls: [chatCall] }],
      tools: [{ type: 'function', function: { ...weather, parameters } }],
    },
  },
  {
    api: 'openai-responses',
    other: 'openai-chat',
    file: 'openai/resources/responses/responses.d.ts',
    type: 'ResponseCreateParamsBase',
    base: {
      model: 'm',
      input: [user, { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{}' }],
      tools: [{ type: 'function', strict: false, ...weather, parameters }],
    },
  },
  {
    api: 'anthropic-messages',
    other: 'openai-chat',
    file: '@anthropic-ai/sdk/resources/messages/messages.d.ts',
    type: 'MessageCreateParamsBase',
    base: {
      model: 'm',
      max_tokens: 100,
      messages: [
        user,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'get_weather', input: {} }] },
      ],
      tools: [{ ...weather, input_schema: parameters }],
    },
  },
];

const paths: Record<Api, string> = {
  'openai-chat': 'chat/completions',
  'openai-responses': 'responses',
  'anthropic-messages': 'messages',
};

const answers: Record<Api, object> = {
  'openai-chat': {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
  'openai-responses': {
    id: 'r1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'm',
    output: [
      {
        type: 'message',
        id: 'm1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Hi.', annotations: [] }],
      },
    ],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  },
  'anthropic-messages': {
    id: 'a1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'Hi.' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
};

/** Members whose silence is right, with the reason. */
const silent: [RegExp, string][] = [
  [/^model\.length$/, 'a property of strings, not of the request'],
  [
    /\.(id|status|type)$/,
    'the name of an item among others, its state, its kind where there is one: nothing to read',
  ],
  [/^functions\[\]/, 'the older spelling of tools; a request with both is read by its tools'],
  [
    /^stop(_sequences)?(\[\])?$/,
    'ends the answer in the bridge, where the text has it: emulate/stop-watch.test.ts',
  ],
  [/^store$/, 'the gateway keeps responses, and refuses where it has no store; nothing else is kept'],
  [/^stream_options/, 'how a stream ends; these requests are not streamed'],
  [/\.custom\.format\(text\)$/, 'the default'],
  [
    /^tool_choice\(allowed_tools\)/,
    'the generated list names no tool; test/freeform.test.ts has one that does',
  ],
  [
    /\.strict$/,
    'held by the bridge: calls of all tools, and answers, are checked before they are delivered whole',
  ],
  [/^(response_format|text\.format)\(text\)$|^tool_choice\(auto\)$/, 'the default'],
  [/^messages\[\]\(function\)\.name$/, 'links a result to its call'],
  [/^input\[\]\(tool_search_output\)\.(call_id|execution)$/, 'how tools were found; the tools are taken'],
  [/^input\[\]\(message\)\.phase$/, 'whether a message came before calls, which the conversation shows'],
  [/\.input_schema\(object\)\.(properties|required\[\])$/, 'the generated schema has no property to print'],
  // A gap, named in docs/bridge.md.
  [/\(namespace\)\.description$/, 'a namespace is only the name of its tools'],
];

for (const one of published) {
  describe(`every member of ${one.type} of ${one.api}`, () => {
    const all = probesOf(one).filter(({ path }) => !silent.some(([pattern]) => pattern.test(path)));
    const probes = oneOf(2, all);
    it('is passed on, reported or refused by an upstream of the same API', async () => {
      expect(await dropped(probes, new Exchange(one.api, one.api, 'heal'))).toEqual([]);
    });
    it('is passed on, reported or refused by an upstream of another API', async () => {
      expect(await dropped(probes, new Exchange(one.api, one.other, 'heal'))).toEqual([]);
    });
    it('is in the prompt, reported or refused by a model that only writes text', async () => {
      expect(await dropped(probes, new Exchange(one.api, 'openai-chat', 'emulate'))).toEqual([]);
    });
  });
}

/** Gives the paths of members that leave no trace. */
async function dropped(probes: readonly Probe[], exchange: Exchange): Promise<string[]> {
  const paths: string[] = [];
  for (const { path, without, having } of probes) {
    const before = await exchange.trace(without);
    let shows = false;
    for (const body of having) shows = shows || isNoted(await exchange.trace(body), before, path);
    if (!shows) paths.push(path);
  }
  return paths;
}

function isNoted({ whole, ignored, refused }: Trace, before: Trace, path: string): boolean {
  if (refused || whole !== before.whole) return true;
  const keys = new Set(path.split(/[.[\]()]+/));
  return ignored.some((name) => keys.has(name.slice(name.lastIndexOf('.') + 1)));
}

/** Names what a report lists: members, items and tools that were left out, turns and media that were replaced. */
function reported({ ignored = [], skippedItems = [], skippedTools = [], mended = [] }: Report): string[] {
  const replaced = mended.some(({ code }) => REPLACED.includes(code)) ? ['messages', 'input'] : [];
  return [...ignored, ...[...skippedItems, ...skippedTools].map(({ type }) => type), ...replaced];
}

const REPLACED: readonly MendCode[] = ['empty-turn', 'unseen-media', 'refused-media'];

interface Trace {
  /** What the upstream got, the report and the answer. */
  whole: string;
  refused: boolean;
  /** The members that the report names. */
  ignored: string[];
}

class Exchange {
  readonly #respond: Responder;
  #seen: unknown[] = [];
  #ignored: string[] = [];
  #ids = 0;

  constructor(
    readonly api: Api,
    behind: Api,
    mode: 'emulate' | 'heal',
  ) {
    const fetch = async (_url: unknown, init?: RequestInit) => {
      this.#seen.push(JSON.parse(String(init?.body)));
      return Response.json(answers[behind]);
    };
    this.#respond = createResponder({
      upstream: { url: 'http://model.test/v1', api: behind, fetch },
      mode,
      newId: (prefix) => prefix + this.#ids++,
      onEvent: (event) => {
        if (event.type !== 'answer' || event.event.type !== 'report') return;
        this.#seen.push(event.event.report);
        this.#ignored.push(...reported(event.event.report));
      },
    });
  }

  async trace(body: unknown): Promise<Trace> {
    this.#seen = [];
    this.#ignored = [];
    this.#ids = 0;
    const url = `http://gateway.test/v1/${paths[this.api]}`;
    const response = await this.#respond(new Request(url, { method: 'POST', body: JSON.stringify(body) }));
    const text = (await response.text()).replace(/"(created|created_at|completed_at)":\d+/g, '');
    const whole = JSON.stringify([response.status, this.#seen, text]);
    return { whole, refused: response.status === 400, ignored: this.#ignored };
  }
}
