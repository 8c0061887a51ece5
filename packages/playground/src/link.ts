// The state of the page in the fragment of its address: `#read=<compressed JSON>`. A fragment is never sent anywhere.

import type { ViewName } from './view.js';

export interface Link {
  view: ViewName;
  state?: unknown;
  /** It had a state, which could not be read. */
  broken?: true;
}

const names: readonly ViewName[] = ['read', 'write', 'try', 'inspect', 'verify'];

/** Browsers cut or refuse addresses of two megabytes. A state that needs more stays out of the link. */
const LONGEST = 1_500_000;

/** Bytes a link may decompress to: else a short link could fill the memory of the browser that opens it. */
const LARGEST = 32 * 1024 * 1024;

/** Gives the view of a fragment, without decompressing its state. */
export function viewOf(fragment: string): ViewName {
  const [name] = fragment.replace(/^#/, '').split('=', 1);
  return names.find((one) => one === name) ?? 'read';
}

/** Reads the view and the state of a fragment. A state that cannot be read is left out, and reported. */
export async function readLink(fragment: string): Promise<Link> {
  const view = viewOf(fragment);
  const at = fragment.indexOf('=');
  if (at < 0) return { view };
  try {
    return { view, state: JSON.parse(await unpack(fragment.slice(at + 1))) };
  } catch {
    return { view, broken: true };
  }
}

export async function writeLink({ view, state }: Link): Promise<string> {
  if (state === undefined) return `#${view}`;
  const packed = await pack(JSON.stringify(state));
  return packed.length > LONGEST ? `#${view}` : `#${view}=${packed}`;
}

async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

async function unpack(packed: string): Promise<string> {
  const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return readText(stream);
}

async function readText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let text = '';
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > LARGEST) {
      void reader.cancel();
      throw new RangeError('the link decompresses to more than a page can hold');
    }
    text += decoder.decode(value, { stream: true });
  }
}
