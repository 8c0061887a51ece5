// The key that searches in an editor.

import type { EditorView, KeyBinding } from '@codemirror/view';

export const searchKey: KeyBinding = {
  key: 'Mod-f',
  scope: 'editor search-panel',
  preventDefault: true,
  run: (view) => {
    void searchIn(view);
    return true;
  },
};

export async function searchIn(view: EditorView): Promise<void> {
  const { openSearch } = await import('./text-search.js');
  openSearch(view);
}
