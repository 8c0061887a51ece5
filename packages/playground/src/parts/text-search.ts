// The search of an editor. The browser's own finds only the part of a text that is drawn.

import { closeSearchPanel, openSearchPanel, search } from '@codemirror/search';
import type { Extension } from '@codemirror/state';
import { type Command, type EditorView, keymap } from '@codemirror/view';
import { SearchPanel } from './search-panel.js';
import './text-search.css';

/** The panel of an editor while it is open. */
const panels = new WeakMap<EditorView, SearchPanel>();

const scope = 'editor search-panel';

/** Part of the editor from its beginning: added later, it would lay out a line of a megabyte anew, for half a second. */
export function textSearch(): Extension {
  return [
    search({
      createPanel(view) {
        const panel = new SearchPanel(view);
        panels.set(view, panel);
        return panel;
      },
    }),
    keymap.of([
      { key: 'Mod-f', run: searchIn, scope, preventDefault: true },
      { key: 'F3', run: step(1), shift: step(-1), scope, preventDefault: true },
      { key: 'Mod-g', run: step(1), shift: step(-1), scope, preventDefault: true },
      { key: 'Escape', run: closeSearchPanel, scope },
    ]),
  ];
}

export const searchIn = openSearchPanel;

/** Opens the panel, where it was closed: with what was looked for last. */
function step(direction: 1 | -1): Command {
  return (view) => {
    if (!view.dom.querySelector('.search-panel')) openSearchPanel(view);
    void panels.get(view)?.step(direction);
    return true;
  };
}
