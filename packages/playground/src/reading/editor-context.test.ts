import { history, undo } from '@codemirror/commands';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import { expect, it } from 'vitest';
import { contextField, freshContext, ownContext, setContext } from './editor-context.js';

const example = { dialect: 'glm-4.5', tools: '[]', thinking: true, example: true };

function editor(doc: string) {
  let state = EditorState.create({
    doc,
    extensions: [history(), contextField.init(() => example), freshContext],
  });
  return {
    do: (spec: TransactionSpec) => {
      state = state.update(spec).state;
    },
    undo: () =>
      undo({
        state,
        dispatch: (transaction) => {
          state = transaction.state;
        },
      }),
    get now() {
      return { text: state.doc.toString(), context: state.field(contextField) };
    },
  };
}

it('is taken away when the whole text of an example is replaced, and comes back with it', () => {
  const one = editor('an example');
  one.do({ changes: { from: 0, to: 10, insert: 'my own' }, userEvent: 'input.paste' });
  expect(one.now).toEqual({ text: 'my own', context: ownContext });
  one.undo();
  expect(one.now).toEqual({ text: 'an example', context: example });
});

it('stays when a person changes a part of the example', () => {
  const one = editor('an example');
  one.do({ changes: { from: 3, to: 10, insert: 'idea' }, userEvent: 'input.type' });
  expect(one.now).toEqual({ text: 'an idea', context: example });
});

it('is one step of undo with the text it came with', () => {
  const one = editor('an example');
  const other = { ...ownContext, dialect: 'xnl' };
  one.do({ changes: { from: 0, to: 10, insert: 'another' }, effects: setContext.of(other) });
  expect(one.now).toEqual({ text: 'another', context: other });
  one.undo();
  expect(one.now).toEqual({ text: 'an example', context: example });
});
