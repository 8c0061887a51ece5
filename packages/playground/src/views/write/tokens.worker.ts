// The worker that loads a tokenizer and counts, so that a file of many megabytes never blocks the page. The library is
// loaded with it.

import { createTokenCounter, type TokenCounter } from './token-counter.js';
import type { TokensReply, TokensRequest } from './tokens.js';

let loaded: Promise<TokenCounter> | undefined;

async function answer(request: TokensRequest): Promise<TokensReply> {
  try {
    if ('file' in request) loaded = request.file.text().then(createTokenCounter);
    const counter = await loaded;
    if (!counter) return { failed: 'nothing is loaded' };
    if ('file' in request) return { vocabulary: counter.vocabulary };
    const { id, texts } = request;
    return { id, counts: texts.map((pieces) => pieces.reduce((sum, text) => sum + counter.count(text), 0)) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

addEventListener('message', async ({ data }: MessageEvent<TokensRequest>) => postMessage(await answer(data)));
