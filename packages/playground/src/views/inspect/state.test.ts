import { describe, expect, it } from 'vitest';
import { toInspectState } from './state.js';

describe('the state of Inspect in a link', () => {
  it('comes back as it was, and is none where it is no state', () => {
    const state = { model: 'demo', issues: true, id: 'req_1' };
    expect(toInspectState(JSON.parse(JSON.stringify(state)))).toEqual(state);
    expect(toInspectState({ model: 1, issues: 'yes', id: {}, key: 'secret' })).toEqual({
      model: '',
      issues: false,
      id: '',
    });
  });
});
