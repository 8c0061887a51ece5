// The state of the view, as links and other views hand it over. Nothing of it is believed before it was looked at.

import { dialects } from '@dragoman/core';
import type { ReadState } from '../../view.js';
import { type Example, firstExample } from './examples.js';

export function toState({ text, dialect, tools, thinking }: Example): ReadState {
  return { text, dialect, tools: JSON.stringify(tools, null, 2), thinking };
}

/** What a link carries; the first example where it carries nothing that can be used. */
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
