// Keys that the browser alone would get wrong in an editor, since only a part of a long text is in the DOM: undo, redo,
// search, select all, to the start, to the end, and delete the selection. The commands are the editor's own.

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
import { textSearch } from '../parts/text-search.js';

const MOST_STEPS = 300;

/**
 * Deletes the selection; without one the browser deletes. If the browser deleted a selection right after a click into
 * the text, all of it would come back: the editor takes the cursor at the start for an accident of focus. The editor's
 * own commands to delete would bring 7 KB of its handling of languages with them.
 */
export const deleteSelected: StateCommand = ({ state, dispatch }) => {
  if (state.selection.main.empty || state.readOnly) return false;
  dispatch(state.update(state.replaceSelection(''), { userEvent: 'delete.selection', scrollIntoView: true }));
  return true;
};

export function editKeys(): Extension {
  return [
    history({ minDepth: MOST_STEPS }),
    textSearch(),
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
