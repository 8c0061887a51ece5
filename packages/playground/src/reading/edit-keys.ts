// Keys that the browser alone would get wrong in an editor, since only a part of a long text is in the DOM: undo, redo,
// select all, to the start, to the end, and delete the selection.

import {
  Annotation,
  type ChangeSet,
  EditorSelection,
  type EditorState,
  type Extension,
  StateField,
  Transaction,
} from '@codemirror/state';
import { keymap } from '@codemirror/view';

/** One step of undo: the inverse change, and the selection before. */
interface UndoStep {
  changes: ChangeSet;
  selection: EditorSelection;
}

interface UndoSteps {
  done: readonly UndoStep[];
  undone: readonly UndoStep[];
  /** When the last change was made. */
  at: number;
}

const MOST_STEPS = 300;
/** Milliseconds. Keys that follow each other faster are one step. */
const PAUSE = 500;

const direction = Annotation.define<'undo' | 'redo'>();

const steps = StateField.define<UndoSteps>({
  create: () => ({ done: [], undone: [], at: 0 }),
  update(value, transaction) {
    if (!transaction.docChanged) return value;
    const { done, undone } = value;
    const step = stepBack(transaction);
    const going = transaction.annotation(direction);
    if (going === 'undo') return { done: done.slice(0, -1), undone: [...undone, step], at: 0 };
    if (going === 'redo') return { done: [...done, step], undone: undone.slice(0, -1), at: 0 };
    const at = transaction.annotation(Transaction.time) ?? 0;
    return { done: joined(done, step, transaction, at - value.at), undone: [], at };
  },
});

function stepBack({ changes, startState }: Transaction): UndoStep {
  return { changes: changes.invert(startState.doc), selection: startState.selection };
}

function joined(
  done: readonly UndoStep[],
  step: UndoStep,
  transaction: Transaction,
  pause: number,
): UndoStep[] {
  const last = done.at(-1);
  const typed = transaction.isUserEvent('input.type') || transaction.isUserEvent('delete');
  if (!last || !typed || pause > PAUSE) return [...done, step].slice(-MOST_STEPS);
  return [...done.slice(0, -1), { changes: step.changes.compose(last.changes), selection: last.selection }];
}

interface EditTarget {
  state: EditorState;
  dispatch(transaction: Transaction): void;
}

function go(going: 'undo' | 'redo'): (target: EditTarget) => boolean {
  return ({ state, dispatch }) => {
    const { done, undone } = state.field(steps);
    const step = (going === 'undo' ? done : undone).at(-1);
    if (!step || state.readOnly) return false;
    const { changes, selection } = step;
    dispatch(state.update({ changes, selection, annotations: direction.of(going), scrollIntoView: true }));
    return true;
  };
}

export const undo = go('undo');
export const redo = go('redo');

function select(selectionIn: (state: EditorState) => EditorSelection): (target: EditTarget) => boolean {
  return ({ state, dispatch }) => {
    dispatch(state.update({ selection: selectionIn(state), scrollIntoView: true }));
    return true;
  };
}

const headTo = (place: (state: EditorState) => number, extend: boolean) =>
  select((state) => {
    const head = place(state);
    return EditorSelection.single(extend ? state.selection.main.anchor : head, head);
  });
const start = () => 0;
const end = (state: EditorState) => state.doc.length;

/**
 * Deletes the selection; without one the browser deletes. If the browser deleted a selection right after a click into
 * the text, all of it would come back: the editor takes the cursor at the start for an accident of focus.
 */
export function deleteSelected({ state, dispatch }: EditTarget): boolean {
  if (state.selection.main.empty || state.readOnly) return false;
  dispatch(state.update(state.replaceSelection(''), { userEvent: 'delete.selection', scrollIntoView: true }));
  return true;
}

export function editKeys(): Extension {
  return [
    steps,
    keymap.of([
      { key: 'Mod-z', run: undo, preventDefault: true },
      { key: 'Mod-y', run: redo, preventDefault: true },
      { key: 'Mod-Shift-z', run: redo, preventDefault: true },
      { key: 'Mod-a', run: select((state) => EditorSelection.single(0, state.doc.length)) },
      { key: 'Delete', run: deleteSelected },
      { key: 'Backspace', run: deleteSelected },
      { key: 'Mod-Home', run: headTo(start, false), shift: headTo(start, true) },
      { key: 'Mod-End', run: headTo(end, false), shift: headTo(end, true) },
    ]),
  ];
}
