// The gateway of this page and the key it is asked with. The key lives as long as the tab, and is in no link.

import { createSignal } from 'solid-js';
import { createGateway, type Gateway } from './gateway.js';

const PLACE = 'dragoman-key';

const [key, write] = createSignal(remembered());

export { key };

export function setKey(next: string): void {
  write(next.trim());
  try {
    if (key() === '') sessionStorage.removeItem(PLACE);
    else sessionStorage.setItem(PLACE, key());
  } catch {
    // A browser that keeps nothing: then the key lives as long as the page.
  }
}

function remembered(): string {
  try {
    return sessionStorage.getItem(PLACE) ?? '';
  } catch {
    return '';
  }
}

let own: Gateway | undefined;

export function ownGateway(): Gateway {
  own ??= createGateway({ base: new URL('.', document.baseURI).href, key });
  return own;
}
