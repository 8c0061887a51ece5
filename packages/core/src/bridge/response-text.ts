// The body of an upstream's response as text, piece by piece, as fast as someone asks for it.

import type { Patience } from './timeouts.js';

/**
 * Throws what the body or the signal throws. The clock runs only while the upstream is waited for, not while the
 * reader takes its time: until the first piece it is the one that began with the request, then a new one each time.
 */
export async function* responseText(
  { body }: Response,
  patience: Patience,
  signal: AbortSignal,
): AsyncGenerator<string> {
  if (!body) return;
  const reader = body.getReader();
  // A fetch that does not listen to the signal would be waited for without end.
  const leave = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', leave, { once: true });
  const utf8 = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      patience.pause();
      const text = done ? utf8.decode() : utf8.decode(value, { stream: true });
      if (text !== '') yield text;
      if (done) return;
      patience.await('idle');
    }
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}

/** What there is, up to so many characters; also of a body that fails. For what is only told to people. */
export async function startOfText(pieces: AsyncIterable<string>, most: number): Promise<string> {
  let text = '';
  try {
    for await (const piece of pieces) {
      text += piece;
      if (text.length >= most) break;
    }
  } catch {
    // The status says enough.
  }
  return text.slice(0, most);
}
