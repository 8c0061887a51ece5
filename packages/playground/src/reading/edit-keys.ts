// Keys that the browser alone would get wrong in an editor, since only a part of a long text is in the DOM: undo, redo,
// select all, to the start, to the end, and delete the selection.

import {
  cursorDocEnd,
  cursorDocStart,
  history,
  redo,
  selectAll,
  selectDocEnd,
  selectDocStart,
  undo,
} from '@codemirror/commands';
import type { Extension, StateCommand } from '@codemirror/state';
import { keymap } from '@codemirror/view';

const MOST_STEPS = 300;

/**
 * Deletes the selection; without one the browser deletes. If the browser deleted a selection right after a click into
 * the text, all of it would come back: the editor takes the cursor at the start for an accident of focus.
 */
export const deleteSelected: StateCommand = ({ state, dispatch }) => {
  if (state.selection.main.empty || state.readOnly) return false;
  dispatch(state.update(state.replaceSelection(''), { userEvent: 'delete.selection', scrollIntoView: true }));
  return true;
};

export function editKeys(): Extension {
  return [
    history({ minDepth: MOST_STEPS }),
    keymap.of([
      { key: 'Mod-z', run: undo, preventDefault: true },
      { key: 'Mod-y', run: redo, preventDefault: true },
      { key: 'Mod-Shift-z', run: redo, preventDefault: true },
      { key: 'Mod-a', run: selectAll },
      { key: 'Delete', run: deleteSelected },
      { key: 'Backspace', run: deleteSelected },
      { key: 'Mod-Home', run: cursorDocStart, shift: selectDocStart },
      { key: 'Mod-End', run: cursorDocEnd, shift: selectDocEnd },
    ]),
  ];
}
