// The gateway of this page and its API key. The key is kept for the tab (sessionStorage) and is never part of a link.

import { createSignal } from 'solid-js';
import { createGateway, type GatewayClient } from './gateway.js';

const PLACE = 'dragoman-key';

const [key, write] = createSignal(remembered());

export { key };

export function setKey(next: string): void {
  write(next.trim());
  try {
    if (key() === '') sessionStorage.removeItem(PLACE);
    else sessionStorage.setItem(PLACE, key());
  } catch {
    // Without sessionStorage the key is kept as long as the page is open.
  }
}

function remembered(): string {
  try {
    return sessionStorage.getItem(PLACE) ?? '';
  } catch {
    return '';
  }
}

let own: GatewayClient | undefined;

export function ownGateway(): GatewayClient {
  own ??= createGateway({ base: new URL('.', document.baseURI).href, key });
  return own;
}
