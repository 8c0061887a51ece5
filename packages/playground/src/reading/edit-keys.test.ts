import { redo, undo } from '@codemirror/commands';
import { EditorState, Transaction } from '@codemirror/state';
import { createRandom } from '@dragoman/core/testing';
import { expect, it } from 'vitest';
import { deleteSelected, editKeys } from './edit-keys.js';

class Editor {
  state = EditorState.create({ doc: 'one two', extensions: editKeys() });
  dispatch = (transaction: Transaction) => {
    this.state = transaction.state;
  };

  change(from: number, to: number, insert: string, at: number, userEvent = 'input.paste'): void {
    const annotations = Transaction.time.of(at);
    this.dispatch(this.state.update({ changes: { from, to, insert }, userEvent, annotations }));
  }

  get text(): string {
    return this.state.doc.toString();
  }
}

it('every change can be taken back and made again, in order', () => {
  const random = createRandom(6);
  const editor = new Editor();
  const seen = [editor.text];
  for (let n = 0; n < 50; n++) {
    const from = random.int(editor.text.length + 1);
    const to = Math.min(editor.text.length, from + random.int(4));
    editor.change(from, to, `<${n}>`, n * 1000);
    seen.push(editor.text);
  }
  for (let n = seen.length - 1; n > 0; n--) {
    expect(editor.text).toBe(seen[n]);
    expect(undo(editor)).toBe(true);
  }
  expect(editor.text).toBe(seen[0]);
  expect(undo(editor)).toBe(false);
  while (redo(editor));
  expect(editor.text).toBe(seen.at(-1));
});

it('what is typed in one go is one step', () => {
  const editor = new Editor();
  for (const [n, letter] of [...'abc'].entries()) editor.change(n, n, letter, 1000 + n * 100, 'input.type');
  editor.change(3, 3, '!', 5000, 'input.type');
  expect(editor.text).toBe('abc!one two');
  undo(editor);
  expect(editor.text).toBe('abcone two');
  undo(editor);
  expect(editor.text).toBe('one two');
});

it('a new change forgets what was taken back', () => {
  const editor = new Editor();
  editor.change(0, 0, 'a', 1000);
  undo(editor);
  editor.change(0, 0, 'b', 2000);
  expect(redo(editor)).toBe(false);
  expect(editor.text).toBe('bone two');
});

it('what is selected is deleted, and comes back', () => {
  const editor = new Editor();
  expect(deleteSelected(editor)).toBe(false);
  editor.dispatch(editor.state.update({ selection: { anchor: 3, head: 7 } }));
  expect(deleteSelected(editor)).toBe(true);
  expect(editor.text).toBe('one');
  undo(editor);
  expect(editor.text).toBe('one two');
  expect(editor.state.selection.main).toMatchObject({ anchor: 3, head: 7 });
});
