import { describe, expect, it } from 'vitest';
import { toInspectState } from './state.js';

describe('the state of Inspect in a link', () => {
  it('comes back as it was, and is none where it is no state', () => {
    const state = { model: 'demo', by: 'team', search: 'look', issues: true, slow: true, id: 'req_1' };
    expect(toInspectState(JSON.parse(JSON.stringify(state)))).toEqual(state);
    expect(toInspectState({ model: 1, issues: 'yes', id: {}, key: 'secret' })).toEqual({
      model: '',
      by: '',
      search: '',
      issues: false,
      slow: false,
      id: '',
    });
  });
});
