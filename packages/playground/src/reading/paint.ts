// Colours for a CodeMirror editor: what each character was read as, for the visible part only. Between a change and
// the reading of it, the last colours move with the text.

import {
  type ChangeDesc,
  type EditorState,
  type Extension,
  type Range as MarkRange,
  StateEffect,
  StateField,
} from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import type { Range } from '@dragoman/core';
import { segment, segmentIndexAt } from './segments.js';
import type { TextNote, TextReading } from './text-reading.js';

type PaintedReading = Pick<TextReading, 'segments' | 'settled' | 'fed' | 'finished'> &
  Partial<Pick<TextReading, 'notes'>>;

export const setReading = StateEffect.define<PaintedReading | undefined>();
/** The range to highlight; an empty one is a point. */
export const setLit = StateEffect.define<Range | undefined>();

interface Painted {
  reading: PaintedReading | undefined;
  /** The changes since it was read. */
  changes: ChangeDesc | undefined;
}

const painted = StateField.define<Painted>({
  create: () => ({ reading: undefined, changes: undefined }),
  update(value, transaction) {
    let next = value;
    if (transaction.docChanged) {
      const changes = next.changes?.composeDesc(transaction.changes.desc) ?? transaction.changes.desc;
      next = { ...next, changes };
    }
    for (const effect of transaction.effects) {
      if (effect.is(setReading)) next = { reading: effect.value, changes: undefined };
    }
    return next;
  },
});

const lit = StateField.define<Range | undefined>({
  create: () => undefined,
  update(value, transaction) {
    const set = transaction.effects.findLast((effect) => effect.is(setLit));
    if (set) return set.value;
    return transaction.docChanged ? undefined : value;
  },
});

/** The extension for an editor. `setReading` and `setLit` set what it shows. */
export function paint(): Extension {
  return [painted, lit, painter(painted, paintVisible), painter(lit, lightUp)];
}

/** Makes a plugin that redraws when its field or the visible part has changed. */
export function painter<T>(field: StateField<T>, draw: (view: EditorView) => DecorationSet): Extension {
  return ViewPlugin.define(
    (view) => ({
      decorations: draw(view),
      update(change: ViewUpdate) {
        const isNew = change.startState.field(field) !== change.state.field(field);
        if (isNew || change.viewportChanged) this.decorations = draw(change.view);
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  );
}

function paintVisible(view: EditorView): DecorationSet {
  const { reading, changes } = view.state.field(painted);
  if (!reading) return Decoration.none;
  const old = changes?.invertedDesc;
  const marks: MarkRange<Decoration>[] = [];
  const put = (start: number, end: number, mark: Decoration, from: number, to: number) => {
    const begin = Math.max(from, changes ? changes.mapPos(start, 1) : start);
    const finish = Math.min(to, changes ? changes.mapPos(end, -1) : end);
    if (begin < finish) marks.push(mark.range(begin, finish));
  };
  for (const { from, to } of view.visibleRanges) {
    const [first, last] = old ? [old.mapPos(from, -1), old.mapPos(to, 1)] : [from, to];
    paintStretch(reading, first, last, (start, end, mark) => put(start, end, mark, from, to));
    if (!changes) marks.push(...pointsIn(reading, from, to));
  }
  return Decoration.set(marks, true);
}

/** A mark for each repair of something that is not there, such as a key by another name before it. */
function pointsIn({ notes = [] }: PaintedReading, from: number, to: number): MarkRange<Decoration>[] {
  const isPoint = ({ range: [start, end] }: TextNote) => start === end && start >= from && start <= to;
  return notes.filter(isPoint).map(({ range: [at] }) => repairPoint.range(at));
}

function paintStretch(
  { segments, settled, fed, finished }: PaintedReading,
  from: number,
  to: number,
  put: (start: number, end: number, mark: Decoration) => void,
): void {
  let at = segmentIndexAt(segments, from);
  for (let one = segment(segments, at); one && one.start < to; one = segment(segments, ++at)) {
    if (one.kind !== 'text') put(one.start, one.end, markFor(`${one.kind} of-${one.base}`));
  }
  if (finished) return;
  put(settled, fed, markFor('held'));
  put(fed, to, markFor('ahead'));
}

const marks = new Map<string, Decoration>();

function markFor(name: string): Decoration {
  const made = marks.get(name) ?? Decoration.mark({ class: `read-as ${name}` });
  marks.set(name, made);
  return made;
}

/** A sign that is not part of the text. Those within a line are hidden from screen readers. */
export class SignWidget extends WidgetType {
  constructor(
    readonly tag: 'span' | 'div',
    readonly look: string,
    readonly text: string,
  ) {
    super();
  }
  override eq({ look, text }: SignWidget): boolean {
    return look === this.look && text === this.text;
  }
  override toDOM(): HTMLElement {
    const dom = document.createElement(this.tag);
    dom.className = this.look;
    dom.textContent = this.text;
    if (this.tag === 'span') dom.setAttribute('aria-hidden', 'true');
    return dom;
  }
}

const point = Decoration.widget({ widget: new SignWidget('span', 'lit-point', ''), side: 1 });

const repairPoint = Decoration.widget({ widget: new SignWidget('span', 'repair-point', ''), side: 1 });

function lightUp(view: EditorView): DecorationSet {
  const range = view.state.field(lit);
  if (!range) return Decoration.none;
  const { length } = view.state.doc;
  const [start, end] = [Math.min(range[0], length), Math.min(range[1], length)];
  if (start === end) return Decoration.set([point.range(start)]);
  const seen = view.visibleRanges.flatMap(({ from, to }) => {
    const [begin, finish] = [Math.max(from, start), Math.min(to, end)];
    return begin < finish ? [litMark.range(begin, finish)] : [];
  });
  return Decoration.set(seen);
}

const litMark = Decoration.mark({ class: 'lit' });

/** Scrolls to a range. */
export function reveal(state: EditorState, [start]: Range): StateEffect<unknown> {
  return EditorView.scrollIntoView(Math.min(start, state.doc.length), { y: 'center' });
}
