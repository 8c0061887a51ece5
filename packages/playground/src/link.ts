// The state of the page in the fragment of its address: `#read=<compressed JSON>`. A fragment is never sent anywhere.

import type { ViewName } from './view.js';

export interface Link {
  view: ViewName;
  state?: unknown;
}

const names: readonly ViewName[] = ['read', 'write', 'try', 'inspect'];

/** What the fragment says. One that cannot be read is as none. */
export async function readLink(fragment: string): Promise<Link> {
  const text = fragment.startsWith('#') ? fragment.slice(1) : fragment;
  const at = text.indexOf('=');
  const name = at < 0 ? text : text.slice(0, at);
  const view = names.find((one) => one === name) ?? 'read';
  if (at < 0) return { view };
  try {
    return { view, state: JSON.parse(await unpack(text.slice(at + 1))) };
  } catch {
    return { view };
  }
}

export async function writeLink({ view, state }: Link): Promise<string> {
  return state === undefined ? `#${view}` : `#${view}=${await pack(JSON.stringify(state))}`;
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
  return new Response(stream).text();
}
