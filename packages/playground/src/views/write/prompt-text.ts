// A rendered text on the page: read-only, only the visible part is drawn, each character tinted by its origin.

import { EditorState, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import type { Drawn } from './draw.js';
import type { MarkRange } from './marks.js';
import { canWrap, changeOf, within } from './visible-marks.js';

export interface PromptText {
  show(drawn: Drawn): void;
  /** Scrolls the range to the middle and selects it. */
  goTo(range: MarkRange): void;
  destroy(): void;
}

const setDrawn = StateEffect.define<Drawn>();

const drawnField = StateField.define<Drawn | undefined>({
  create: () => undefined,
  update: (value, transaction) =>
    transaction.effects.reduce((now, effect) => (effect.is(setDrawn) ? effect.value : now), value),
});

/** The role above each message. A whole prompt has its roles in the text. */
const roleField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    const effect = transaction.effects.find((one) => one.is(setDrawn));
    return effect ? rolesOf(effect.value as Drawn) : value.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function rolesOf({ pieces }: Drawn): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { role, from } of pieces) {
    if (role === 'prompt') continue;
    builder.add(from, from, Decoration.widget({ widget: new RoleWidget(role), block: true, side: -1 }));
  }
  return builder.finish();
}

class RoleWidget extends WidgetType {
  constructor(readonly role: string) {
    super();
  }

  override eq(other: RoleWidget): boolean {
    return other.role === this.role;
  }

  toDOM(): HTMLElement {
    const line = document.createElement('div');
    line.className = 'write-role';
    line.textContent = this.role;
    return line;
  }
}

/** Makes a line break visible that is a difference. */
class BreakWidget extends WidgetType {
  override eq(): boolean {
    return true;
  }

  toDOM(): HTMLElement {
    const sign = document.createElement('span');
    sign.className = 'write-different write-break';
    sign.textContent = '↵';
    sign.setAttribute('aria-hidden', 'true');
    return sign;
  }
}

const lineBreak = Decoration.widget({ widget: new BreakWidget(), side: 1 });

const layers: readonly [string, (drawn: Drawn) => readonly MarkRange[]][] = [
  ['ours', (drawn) => drawn.ours],
  ['outside', (drawn) => drawn.outside],
  ['frame', (drawn) => drawn.marks.frames],
  ['different', (drawn) => drawn.different],
  ['broken', (drawn) => drawn.marks.broken],
  ['forged', (drawn) => drawn.marks.forged],
];
const decorations = new Map(layers.map(([name]) => [name, Decoration.mark({ class: `write-${name}` })]));

const tints = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = tint(view);
    }
    update(update: ViewUpdate): void {
      const fresh = update.startState.field(drawnField) !== update.state.field(drawnField);
      if (fresh || update.docChanged || update.viewportChanged) this.decorations = tint(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

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
  return view.visibleRanges.flatMap((visible) =>
    within(different, visible.from, visible.to).flatMap(({ from, to }) => {
      const breaks = [];
      const end = Math.min(to, visible.to);
      for (
        let at = text.indexOf('\n', Math.max(from, visible.from));
        at >= 0 && at < end;
        at = text.indexOf('\n', at + 1)
      )
        breaks.push(lineBreak.range(at));
      return breaks;
    }),
  );
}

/** A hidden editor draws all text that a change inserts. More characters than this are set as a new document. */
const LARGE = 10_000;

export function createPromptText(parent: HTMLElement, label: string): PromptText {
  const extensions = [
    // Otherwise a carriage return would count as a line break, and every offset after it would be wrong.
    EditorState.lineSeparator.of('\n'),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label, 'aria-readonly': 'true' }),
    tints,
  ];
  const stateOf = (drawn?: Drawn) =>
    EditorState.create({
      doc: drawn?.text ?? '',
      extensions: [
        extensions,
        canWrap(drawn?.text ?? '') ? EditorView.lineWrapping : [],
        drawnField.init(() => drawn),
        roleField.init(() => (drawn ? rolesOf(drawn) : Decoration.none)),
      ],
    });
  const view = new EditorView({ parent, state: stateOf() });
  let shown = '';
  return {
    show(drawn) {
      const changes = changeOf(shown, drawn.text);
      shown = drawn.text;
      if (changes.insert.length > LARGE) view.setState(stateOf(drawn));
      else view.dispatch({ changes, effects: setDrawn.of(drawn) });
    },
    goTo: ({ from, to }) =>
      view.dispatch({
        selection: { anchor: from, head: to },
        effects: EditorView.scrollIntoView(from, { y: 'center' }),
      }),
    destroy: () => view.destroy(),
  };
}
