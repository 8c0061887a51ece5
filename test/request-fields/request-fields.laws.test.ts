// Nothing that a client may send is dropped in silence. For each member of the published request types, two requests
// that differ in this member alone are sent: something must differ in what the upstream gets, in the report or in the
// answer; or the report names the member, or one that it stands in.

import { createResponder, type Responder } from '@dragoman/core/bridge';
import { describe, expect, it } from 'vitest';
import { type Probe, type PublishedType, probesOf } from './published-fields.js';

type Api = 'openai-chat' | 'openai-responses' | 'anthropic-messages';

interface Published extends PublishedType {
  api: Api;
  /** Another API, for an upstream that does not speak the client's. */
  other: Api;
}

const messages = [{ role: 'user', content: 'Hello.' }];

const published: Published[] = [
  {
    api: 'openai-chat',
    other: 'anthropic-messages',
    file: 'openai/resources/chat/completions/completions.d.ts',
    type: 'ChatCompletionCreateParamsBase',
    base: { model: 'm', messages },
  },
  {
    api: 'openai-responses',
    other: 'openai-chat',
    file: 'openai/resources/responses/responses.d.ts',
    type: 'ResponseCreateParamsBase',
    base: { model: 'm', input: 'Hello.' },
  },
  {
    api: 'anthropic-messages',
    other: 'openai-chat',
    file: '@anthropic-ai/sdk/resources/messages/messages.d.ts',
    type: 'MessageCreateParamsBase',
    base: { model: 'm', max_tokens: 100, messages },
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
const silent: [RegExp, string][] = [[/^model\.length$/, 'a property of strings, not of the request']];

for (const one of published) {
  describe(`every member of ${one.type} of ${one.api}`, { timeout: 120_000 }, () => {
    const probes = probesOf(one).filter(({ path }) => !silent.some(([pattern]) => pattern.test(path)));
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
    for (const body of having) shows ||= isNoted(await exchange.trace(body), before, path);
    if (!shows) paths.push(path);
  }
  return paths;
}

function isNoted({ whole, ignored }: Trace, before: Trace, path: string): boolean {
  if (whole !== before.whole) return true;
  const keys = new Set(path.split(/[.[\]()]+/));
  return ignored.some((name) => keys.has(name.slice(name.lastIndexOf('.') + 1)));
}

interface Trace {
  /** What the upstream got, the report and the answer. */
  whole: string;
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
        this.#ignored.push(...(event.event.report.ignored ?? []));
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
    return { whole: JSON.stringify([response.status, this.#seen, text]), ignored: this.#ignored };
  }
}
