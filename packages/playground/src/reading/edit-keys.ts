// Keys that the browser alone would get wrong in an editor, since only a part of a long text is in the DOM: undo, redo,
// search, select all, to the start, to the end, and delete. All of them are the editor's own commands.

import {
  cursorDocEnd,
  cursorDocStart,
  deleteCharBackwardStrict,
  deleteCharForward,
  history,
  redo,
  selectAll,
  selectDocEnd,
  selectDocStart,
  undo,
} from '@codemirror/commands';
import type { Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { searchKey } from '../parts/search-key.js';

const MOST_STEPS = 300;

export function editKeys(): Extension {
  return [
    history({ minDepth: MOST_STEPS }),
    keymap.of([
      { key: 'Mod-z', run: undo, preventDefault: true },
      { key: 'Mod-y', run: redo, preventDefault: true },
      { key: 'Mod-Shift-z', run: redo, preventDefault: true },
      searchKey,
      { key: 'Mod-a', run: selectAll },
      // If the browser deleted a selection right after a click into the text, all of it would come back: the editor
      // takes the cursor at the start for an accident of focus.
      { key: 'Delete', run: deleteCharForward },
      { key: 'Backspace', run: deleteCharBackwardStrict },
      { key: 'Mod-Home', run: cursorDocStart, shift: selectDocStart },
      { key: 'Mod-End', run: cursorDocEnd, shift: selectDocEnd },
    ]),
  ];
}
