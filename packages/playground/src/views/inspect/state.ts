// The state of Inspect in a link: the filters, and which exchange is open.

import { isObject } from '@dragoman/core/internal';

export interface InspectState {
  model: string;
  /** The name of a key, which is not the key. */
  by: string;
  search: string;
  issues: boolean;
  slow: boolean;
  /** '' is none. */
  id: string;
}

export function toInspectState(value: unknown): InspectState {
  const given = isObject(value) ? value : {};
  const text = (name: keyof InspectState) => {
    const found = given[name];
    return typeof found === 'string' ? found : '';
  };
  return {
    model: text('model'),
    by: text('by'),
    search: text('search'),
    issues: given.issues === true,
    slow: given.slow === true,
    id: text('id'),
  };
}
