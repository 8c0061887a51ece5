// An editor for long texts, with undo: a plain text field gets slow with a megabyte in it.

import { type ChangeSet, EditorState, type TransactionSpec } from '@codemirror/state';
import { EditorView, keymap, type ViewUpdate } from '@codemirror/view';
import { canWrap, changeOf } from './visible-marks.js';

export interface LongText {
  set(text: string): void;
  select(from: number, to: number): void;
  focus(): void;
  destroy(): void;
}

/** Changes within this many milliseconds are undone together. */
const TOGETHER = 500;

export function createLongText(
  parent: HTMLElement,
  text: string,
  label: string,
  onInput: (text: string) => void,
): LongText {
  const history = new EditHistory();
  let own = text;
  const listen = EditorView.updateListener.of((update) => {
    if (!update.docChanged) return;
    history.note(update);
    own = update.state.doc.toString();
    onInput(own);
  });
  const view: EditorView = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorState.lineSeparator.of('\n'),
        canWrap(text) ? EditorView.lineWrapping : [],
        EditorView.contentAttributes.of({ 'aria-label': label }),
        keymap.of([
          { key: 'Mod-z', run: () => history.back(view), preventDefault: true },
          { key: 'Mod-y', mac: 'Mod-Shift-z', run: () => history.forth(view), preventDefault: true },
        ]),
        listen,
      ],
    }),
  });
  return {
    set(next) {
      if (next !== own) view.dispatch({ changes: changeOf(own, next) });
    },
    select: (from, to) =>
      view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from) }),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

/** The inverse of each change, newest last. */
class EditHistory {
  #undo: ChangeSet[] = [];
  #redo: ChangeSet[] = [];
  #last = Number.NEGATIVE_INFINITY;
  /** The current change is an undo or a redo. */
  #moving: 'back' | 'forth' | undefined;

  note({ changes, startState }: ViewUpdate): void {
    const inverse = changes.invert(startState.doc);
    if (this.#moving) {
      (this.#moving === 'back' ? this.#redo : this.#undo).push(inverse);
      return;
    }
    const now = performance.now();
    const before = now - this.#last < TOGETHER ? this.#undo.pop() : undefined;
    this.#undo.push(before ? inverse.compose(before) : inverse);
    this.#redo = [];
    this.#last = now;
  }

  back(view: EditorView): boolean {
    return this.#move(view, 'back', this.#undo.pop());
  }

  forth(view: EditorView): boolean {
    return this.#move(view, 'forth', this.#redo.pop());
  }

  #move(view: EditorView, way: 'back' | 'forth', changes: ChangeSet | undefined): boolean {
    if (!changes) return true;
    const spec: TransactionSpec = { changes, scrollIntoView: true };
    this.#moving = way;
    view.dispatch(spec);
    this.#moving = undefined;
    this.#last = Number.NEGATIVE_INFINITY;
    return true;
  }
}
