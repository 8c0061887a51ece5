// Right native calls through healing, against mode `native`, which passes them on unread: what the judgement costs a
// traffic that never needs it. Both read the upstream's events and write the client's.

import { createResponder } from '@dragoman/core/bridge';
import { requestTo } from './exchange.js';
import { cut, fileText, tools } from './inputs.js';
import { NATIVE_CALL_TO_PASSED } from './limits.js';
import { cpuOfAsync } from './measure.js';

export interface NativeCallSpeed {
  /** Characters of the arguments. */
  length: number;
  events: number;
  /** Microseconds an answer. */
  healed: number;
  passed: number;
  ratio: number;
}

const ROUNDS = 8;
/** Events that an arm reads in a round: short answers are asked for more often. */
const EVENTS_A_ROUND = 20_000;

/** Best of the rounds, again up to three times while it is over the limit: noise only ever adds. */
export async function nativeCallSpeed(length: number): Promise<NativeCallSpeed> {
  const events = answer(length);
  const answers = Math.ceil(EVENTS_A_ROUND / events.length);
  const arms = { healed: readerOf('heal', events), passed: readerOf('native', events) };
  const best = { healed: Number.POSITIVE_INFINITY, passed: Number.POSITIVE_INFINITY };
  for (let tries = 0; tries < 3; tries++) {
    for (let round = 0; round < ROUNDS; round++)
      for (const name of ['healed', 'passed'] as const)
        best[name] = Math.min(best[name], await cpuOfAsync(() => arms[name](answers)));
    if (best.healed <= NATIVE_CALL_TO_PASSED * best.passed) break;
  }
  const each = 1000 / answers;
  const [healed, passed] = [best.healed * each, best.passed * each];
  return { length, events: events.length, healed, passed, ratio: healed / passed };
}

function readerOf(mode: 'heal' | 'native', events: readonly Uint8Array[]) {
  const respond = createResponder({ mode, upstream: { url: 'http://model.test/v1', fetch: sender(events) } });
  return async (answers: number) => {
    let characters = 0;
    for (let n = 0; n < answers; n++)
      characters += (await (await respond(requestTo('openai-chat'))).text()).length;
    if (characters < answers * events.length) throw new Error(`${mode}: events were lost`);
    return characters;
  };
}

function sender(events: readonly Uint8Array[]): typeof fetch {
  return async () => {
    let next = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const event = events[next++];
        if (event) controller.enqueue(event);
        else controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
}

/** A sentence, then one call whose arguments come by four characters. */
function answer(length: number): Uint8Array[] {
  const [tool] = tools;
  const input = JSON.stringify({ text: fileText(length) });
  const call = (more: object) => ({ tool_calls: [{ index: 0, ...more }] });
  const events = [
    ...cut('I write the file now, as you asked me to do. ', 8).map((content) => chunk({ content })),
    chunk(call({ id: 'call_1', type: 'function', function: { name: tool?.name, arguments: '' } })),
    ...cut(input, 4).map((text) => chunk(call({ function: { arguments: text } }))),
    chunk({}, 'tool_calls'),
    '[DONE]',
  ];
  const utf8 = new TextEncoder();
  return events.map((data) => utf8.encode(`data: ${data}\n\n`));
}

function chunk(delta: object, finish_reason: string | null = null): string {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'some-model' };
  return JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }] });
}
