// The worker in which the tiny model runs: the weights, and the bridge in front of them. It answers requests as a gateway
// does, so the page reads the answers by the same code.

import { ApiError, all, type Dialect } from '@dragoman/core';
import { type BridgeEvent, createResponder } from '@dragoman/core/bridge';
import { createTinyUpstream, loadTiny, type TinyModel, tinyRender } from '@dragoman/tiny';
import { dialectIn, type TinyReply, type TinyRequest } from './tiny-messages.js';

const tell = (reply: TinyReply) => postMessage(reply);
const running = new Map<string, AbortController>();
let model: Promise<TinyModel> | undefined;

function load(url: string): Promise<TinyModel> {
  const loading = loadTiny({
    weights: url,
    slots: 3,
    onProgress: ({ loaded }) => tell({ type: 'progress', loaded }),
  });
  model = loading;
  return loading;
}

const options = new Map<string, ReturnType<typeof optionsFor>>();

function optionsFor(dialect: Dialect) {
  const loaded = () => model ?? Promise.reject(new Error('the weights are not there'));
  const upstream = createTinyUpstream({ dialect, model: loaded });
  return { upstream, dialect, render: tinyRender(dialect), mode: 'emulate' as const };
}

const respond = createResponder({
  route({ model: name }) {
    const dialect = dialectIn(name);
    if (dialect === undefined || !all.has(dialect))
      throw new ApiError('not-found', `There is no model called ${name} in this browser.`);
    const known = options.get(dialect) ?? optionsFor(all.find(dialect));
    options.set(dialect, known);
    return known;
  },
});

async function answer({ id, url, body }: Extract<TinyRequest, { type: 'ask' }>): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  const onEvent = (event: BridgeEvent) => {
    if (event.type === 'upstream-text' || event.type === 'parse') tell({ type: 'event', id, event });
    if (event.type === 'upstream-request') {
      const { choice, attempt } = event;
      tell({ type: 'event', id, event: { type: event.type, choice, attempt } });
    }
  };
  try {
    const headers = { 'content-type': 'application/json' };
    const request = new Request(url, { method: 'POST', body, headers });
    const response = await respond(request, { signal: stop.signal, onEvent });
    const contentType = response.headers.get('content-type') ?? '';
    tell({ type: 'head', id, status: response.status, contentType });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let step = await reader?.read(); step && !step.done; step = await reader?.read())
      tell({ type: 'piece', id, text: step.value });
    tell({ type: 'end', id });
  } catch (error) {
    tell({ type: 'end', id, error: error instanceof Error ? error.message : String(error) });
  } finally {
    running.delete(id);
  }
}

addEventListener('message', ({ data }: MessageEvent<TinyRequest>) => {
  if (data.type === 'load')
    void load(data.url).then(
      () => tell({ type: 'ready' }),
      (error) => tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) }),
    );
  else if (data.type === 'ask') void answer(data);
  else running.get(data.id)?.abort();
});
