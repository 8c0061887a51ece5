// The state of Read from links and other views. It is validated, since anyone can write a link.

import { dialects } from '@dragoman/core';
import type { ReadState } from '../../view.js';
import { type Example, firstExample } from './examples.js';

export function toState({ text, dialect, tools, thinking }: Example): ReadState {
  return { text, dialect, tools: JSON.stringify(tools, null, 2), thinking };
}

/** Gives the state in a link; the first example if the link has none that is valid. */
export function fromLink(state: unknown): ReadState {
  if (typeof state !== 'object' || state === null) return { ...toState(firstExample), dialect: 'auto' };
  const { text, dialect, tools, thinking, at } = state as Partial<Record<keyof ReadState, unknown>>;
  return {
    text: typeof text === 'string' ? text : '',
    dialect: dialects.find(({ name }) => name === dialect)?.name ?? 'auto',
    tools: typeof tools === 'string' ? tools : '[]',
    thinking: thinking === true,
    ...(typeof at === 'number' && Number.isInteger(at) && at >= 0 && { at }),
  };
}
