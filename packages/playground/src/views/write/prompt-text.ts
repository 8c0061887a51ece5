// A rendered text on the page: read-only, only the visible part is drawn, each character tinted by its origin.

import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { canWrap, changeOf, readOnlyText, type TextRange, within } from '../../parts/editor-text.js';
import { painter, SignWidget } from '../../reading/paint.js';
import type { Drawn } from './draw.js';

export type PromptText = ReturnType<typeof createPromptText>;

const setDrawn = StateEffect.define<Drawn>();

const drawnField = StateField.define<Drawn | undefined>({
  create: () => undefined,
  update: (value, transaction) =>
    transaction.effects.reduce((now, effect) => (effect.is(setDrawn) ? effect.value : now), value),
});

/** The role above each message. A whole prompt has its roles in the text. */
const roles = EditorView.decorations.compute([drawnField], (state) => {
  const messages = state.field(drawnField)?.pieces.filter(({ role }) => role !== 'prompt') ?? [];
  return Decoration.set(
    messages.map(({ role, from }) =>
      Decoration.widget({ widget: new SignWidget('div', 'write-role', role), block: true, side: -1 }).range(
        from,
      ),
    ),
  );
});

/** Makes a line break visible that is a difference. */
const lineBreak = Decoration.widget({
  widget: new SignWidget('span', 'write-different write-break', '↵'),
  side: 1,
});

const layers: readonly [string, (drawn: Drawn) => readonly TextRange[]][] = [
  ['ours', (drawn) => drawn.ours],
  ['outside', (drawn) => drawn.outside],
  ['frame', (drawn) => drawn.marks.frames],
  ['different', (drawn) => drawn.different],
  ['broken', (drawn) => drawn.marks.broken],
  ['forged', (drawn) => drawn.marks.forged],
];
const decorations = new Map(layers.map(([name]) => [name, Decoration.mark({ class: `write-${name}` })]));

function tint(view: EditorView): DecorationSet {
  const drawn = view.state.field(drawnField);
  if (!drawn) return Decoration.none;
  const found = view.visibleRanges.flatMap((visible) =>
    layers.flatMap(([name, rangesOf]) =>
      within(rangesOf(drawn), visible.from, visible.to).map(({ from, to }) =>
        (decorations.get(name) as Decoration).range(Math.max(from, visible.from), Math.min(to, visible.to)),
      ),
    ),
  );
  return Decoration.set([...found, ...breaksOf(view, drawn)], true);
}

function breaksOf(view: EditorView, { text, different }: Drawn) {
  const breaks = [];
  for (const visible of view.visibleRanges) {
    for (const { from, to } of within(different, visible.from, visible.to)) {
      const end = Math.min(to, visible.to);
      let at = text.indexOf('\n', Math.max(from, visible.from));
      for (; at >= 0 && at < end; at = text.indexOf('\n', at + 1)) breaks.push(lineBreak.range(at));
    }
  }
  return breaks;
}

/** A hidden editor draws all text that a change inserts. More characters than this are set as a new document. */
const LARGE = 10_000;

export function createPromptText(parent: HTMLElement, label: string) {
  const extensions = [readOnlyText(label), roles, painter(drawnField, tint)];
  const stateOf = (drawn?: Drawn) =>
    EditorState.create({
      doc: drawn?.text ?? '',
      extensions: [
        extensions,
        canWrap(drawn?.text ?? '') ? EditorView.lineWrapping : [],
        drawnField.init(() => drawn),
      ],
    });
  const view = new EditorView({ parent, state: stateOf() });
  let shown = '';
  return {
    show(drawn: Drawn) {
      const changes = changeOf(shown, drawn.text);
      shown = drawn.text;
      if (changes.insert.length > LARGE) view.setState(stateOf(drawn));
      else view.dispatch({ changes, effects: setDrawn.of(drawn) });
    },
    /** Scrolls the range to the middle and selects it. */
    goTo: ({ from, to }: TextRange) =>
      view.dispatch({
        selection: { anchor: from, head: to },
        effects: EditorView.scrollIntoView(from, { y: 'center' }),
      }),
    destroy: () => view.destroy(),
  };
}
