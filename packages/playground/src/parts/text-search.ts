// The search of an editor. The browser's own finds only the part of a text that is drawn.

import { closeSearchPanel, findNext, findPrevious, openSearchPanel, search } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { words } from '../words/words.js';
import './text-search.css';

/** The words of the panel, in the language of the page. */
const phrases = new Compartment();

const scope = 'editor search-panel';

/** Part of the editor from its beginning: added later, it would lay out a line of a megabyte anew, for half a second. */
export function textSearch(): Extension {
  return [
    search({ top: true }),
    phrases.of(EditorState.phrases.of(words().search)),
    keymap.of([
      { key: 'Mod-f', run: searchIn, scope, preventDefault: true },
      { key: 'F3', run: findNext, shift: findPrevious, scope, preventDefault: true },
      { key: 'Mod-g', run: findNext, shift: findPrevious, scope, preventDefault: true },
      { key: 'Escape', run: closeSearchPanel, scope },
    ]),
  ];
}

export function searchIn(view: EditorView): boolean {
  const spoken = words().search;
  if (view.state.phrase('Find') !== spoken.Find)
    view.dispatch({ effects: phrases.reconfigure(EditorState.phrases.of(spoken)) });
  return openSearchPanel(view);
}
