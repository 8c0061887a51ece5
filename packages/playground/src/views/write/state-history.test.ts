import { describe, expect, it } from 'vitest';
import { StateHistory } from './state-history.js';

const start = () => new StateHistory<{ text: string }>(({ text }) => text.length);

describe('the history of Write', () => {
  it('brings each change back, and takes it away again', () => {
    const history = start();
    history.note({ text: 'a' }, 'tools', 0);
    history.note({ text: 'b' }, 'columns', 1);
    expect(history.undo({ text: 'c' })).toEqual({ text: 'b' });
    expect(history.undo({ text: 'b' })).toEqual({ text: 'a' });
    expect([history.undo({ text: 'a' }), history.canUndo, history.canRedo]).toEqual([undefined, false, true]);
    expect(history.redo({ text: 'a' })).toEqual({ text: 'b' });
    expect(history.redo({ text: 'b' })).toEqual({ text: 'c' });
    expect(history.canRedo).toBe(false);
  });

  it('takes keys in a row for one change, and those after a rest for another', () => {
    const history = start();
    history.note({ text: '' }, 'messages,0,text', 0);
    history.note({ text: 'a' }, 'messages,0,text', 200);
    history.note({ text: 'ab' }, 'messages,0,text', 1100);
    history.note({ text: 'abc' }, 'messages,0,text', 3000);
    expect(history.undo({ text: 'abcd' })).toEqual({ text: 'abc' });
    expect(history.undo({ text: 'abc' })).toEqual({ text: '' });
  });

  it('forgets what was undone when something else is changed', () => {
    const history = start();
    history.note({ text: 'a' }, 'tools', 0);
    history.undo({ text: 'b' });
    history.note({ text: 'a' }, 'columns', 10);
    expect(history.canRedo).toBe(false);
  });

  it('keeps a copy, in bounds', () => {
    const history = start();
    const state = { text: 'x'.repeat(3_000_000) };
    for (let n = 0; n < 9; n++) history.note(state, String(n), n);
    state.text = 'changed';
    const found = [];
    for (let last = history.undo(state); last; last = history.undo(state)) found.push(last.text.length);
    expect(found).toEqual([3_000_000, 3_000_000, 3_000_000]);
  });
});
