// The state of Inspect in a link: the filter, and which exchange is open.

import { isObject } from '@dragoman/core/internal';

export interface InspectState {
  model: string;
  issues: boolean;
  /** '' is none. */
  id: string;
}

export function toInspectState(value: unknown): InspectState {
  const { model, issues, id } = isObject(value) ? value : {};
  return {
    model: typeof model === 'string' ? model : '',
    issues: issues === true,
    id: typeof id === 'string' ? id : '',
  };
}
