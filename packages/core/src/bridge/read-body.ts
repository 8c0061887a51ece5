// The body of a request: JSON, and not more of it than is allowed.

import { ApiError } from '../model/index.js';

const MOST = 32 * 1024 * 1024;

export async function readBody(request: Request, most = MOST): Promise<unknown> {
  const text = await readText(request, most).catch((error) => {
    throw error instanceof ApiError || request.signal.aborted ? error : unread(error);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? ` (${error.message})` : '';
    throw new ApiError('bad-request', `The body is no JSON${reason}.`);
  }
}

async function readText(request: Request, most: number): Promise<string> {
  if (Number(request.headers.get('content-length')) > most) throw tooLarge(most);
  const utf8 = new TextDecoder();
  let text = '';
  let bytes = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) return text + utf8.decode();
    bytes += piece.value.byteLength;
    if (bytes > most) {
      await reader?.cancel().catch(() => {});
      throw tooLarge(most);
    }
    text += utf8.decode(piece.value, { stream: true });
  }
}

function unread(error: unknown): ApiError {
  const reason = error instanceof Error ? ` (${error.message})` : '';
  return new ApiError('bad-request', `The body could not be read${reason}.`, { cause: error });
}

function tooLarge(most: number): ApiError {
  return new ApiError('too-large', `The body is longer than ${most} bytes.`);
}
