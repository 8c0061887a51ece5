// What belongs to the text of an editor: dialect, tools, whether it begins inside reasoning. It is part of the editor's
// state, so that one undo brings back the text and all of it.

import { invertedEffects } from '@codemirror/commands';
import { EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';

export interface ReadContext {
  dialect: string;
  /** JSON text. */
  tools: string;
  thinking: boolean;
  /** It came with an example: a text of one's own has nothing to do with it. */
  example: boolean;
}

export const ownContext: ReadContext = { dialect: 'auto', tools: '', thinking: false, example: false };

export const setContext = StateEffect.define<ReadContext | undefined>();

export const contextField = StateField.define<ReadContext | undefined>({
  create: () => undefined,
  update: (value, { effects }) => effects.findLast((effect) => effect.is(setContext))?.value ?? value,
  provide: (field) =>
    invertedEffects.of(({ startState, effects }) =>
      effects.some((effect) => effect.is(setContext)) ? [setContext.of(startState.field(field))] : [],
    ),
});

/** Takes away the context of an example when a person replaces its whole text. */
export const freshContext: Extension = EditorState.transactionExtender.of((transaction) => {
  const { startState, docChanged } = transaction;
  const isOwn = transaction.isUserEvent('input') || transaction.isUserEvent('delete');
  if (!docChanged || !isOwn || !startState.field(contextField)?.example) return null;
  let replaced = false;
  transaction.changes.iterChangedRanges((from, to) => {
    replaced ||= from === 0 && to === startState.doc.length && to > 0;
  });
  return replaced ? { effects: setContext.of(ownContext) } : null;
});
