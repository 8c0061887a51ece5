// One scene of the tour: a model's text on the left, what the parser says about it on the right.
//
//   I'll look.<tool_call>get_weather   │ text-delta  I'll look.
//   <arg_key>city</arg_key><arg_value> │ call-start  get_weather
//   Par▌                               │ call-delta  {"city":"Par

import { createParser, type Dialect, type ParseEvent } from '@dragoman/core';
import { colors } from './terminal.js';
import { cutLines, cutTo, padTo, visibleLine, visibleText } from './visible-text.js';

export interface TourScene {
  title: string;
  dialect: Dialect;
  tools: unknown;
  text: string;
}

interface EventRow {
  label: string;
  text: string;
  paint: (text: string) => string;
}

/** The scene after each piece of the text, as lines of the same number. The last one is how it ends. */
export function framesOf(scene: TourScene, pieceLength: number, width: number): string[][] {
  const parser = createParser(scene.dialect, { tools: scene.tools });
  const rows: EventRow[] = [];
  const layout = layoutOf(width);
  const frames: string[][] = [];
  for (let end = pieceLength; end < scene.text.length + pieceLength; end += pieceLength) {
    addRows(rows, parser.feed(scene.text.slice(end - pieceLength, end)));
    frames.push(draw(scene.text.slice(0, end), rows, layout));
  }
  addRows(rows, parser.finish());
  frames.push(draw(scene.text, rows, layout));
  const height = Math.max(...frames.map((frame) => frame.length));
  const empty = line('', '', layout);
  return frames.map((frame) => [...frame, ...Array<string>(height - frame.length).fill(empty)]);
}

interface SceneLayout {
  left: number;
  right: number;
}

const SEPARATOR = ' │ ';
const LABEL_WIDTH = 12;

function layoutOf(width: number): SceneLayout {
  const left = Math.floor((width - SEPARATOR.length) / 2);
  return { left, right: width - SEPARATOR.length - left };
}

function addRows(rows: EventRow[], events: readonly ParseEvent[]): void {
  for (const event of events) {
    if (event.type === 'text-delta') grow(rows, event.type, event.text, (text) => text);
    else if (event.type === 'call-delta') grow(rows, event.type, event.text, (text) => text);
    else if (event.type === 'call-start')
      rows.push({ label: event.type, text: event.name, paint: colors.bold });
    else if (event.type === 'call-end')
      rows.push({ label: event.type, text: 'run it now', paint: colors.green });
    else if (event.type === 'call-error')
      rows.push({ label: event.type, text: 'not delivered', paint: colors.red });
    for (const { code } of event.issues ?? []) rows.push({ label: 'issue', text: code, paint: colors.red });
    for (const { code } of event.repairs ?? []) addRepair(rows, code);
  }
}

/** Once, however often it was needed. */
function addRepair(rows: EventRow[], code: string): void {
  if (rows.some(({ label, text }) => label === 'repair' && text === code)) return;
  rows.push({ label: 'repair', text: code, paint: colors.yellow });
}

/** Pieces of the same thing grow in place. */
function grow(rows: EventRow[], label: string, text: string, paint: EventRow['paint']): void {
  const last = rows.at(-1);
  if (last?.label === label) last.text += text;
  else rows.push({ label, text, paint });
}

function draw(text: string, rows: readonly EventRow[], layout: SceneLayout): string[] {
  const left = cutLines(visibleText(text), layout.left);
  const right = rows.flatMap((row) => drawRow(row, layout.right));
  const height = Math.max(left.length, right.length);
  return Array.from({ length: height }, (_, at) => line(left[at] ?? '', right[at] ?? '', layout));
}

function drawRow({ label, text, paint }: EventRow, width: number): string[] {
  const lines = cutLines(visibleLine(text), width - LABEL_WIDTH);
  return lines.map((piece, at) => {
    const margin = at === 0 ? colors.cyan(padTo(label, LABEL_WIDTH)) : ' '.repeat(LABEL_WIDTH);
    return margin + paint(cutTo(piece, width - LABEL_WIDTH));
  });
}

function line(left: string, right: string, layout: SceneLayout): string {
  return `${padTo(left, layout.left)}${colors.dim(SEPARATOR)}${right}`.trimEnd();
}
