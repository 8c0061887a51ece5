// Describes the character under the pointer, for people who cannot tell the colours.

import { segmentAt } from '../../reading/calls-panel.jsx';
import type { TextReading } from '../../reading/index.js';
import { noteMessage } from '../../reading/note-words.js';
import type { Words } from '../../words/words.js';

export function pointWords(
  reading: TextReading | undefined,
  point: number | undefined,
  { read, kinds }: Words,
): string {
  if (!reading || point === undefined) return read.point;
  if (reading.finished && point >= reading.fed) return read.end;
  const found = segmentAt(reading, point);
  const place = read.character(point + 1);
  if (!found) return `${place}: ${point < reading.fed ? read.heldBack : read.notYet}`;
  const note = reading.notes[found.note];
  const call = reading.calls[found.call];
  const base = `${place}: ${kinds[found.base].title.toLowerCase()}${call ? read.ofCall(call.name) : ''}.`;
  return note ? `${base} ${note.type === 'issue' ? read.fault : read.repaired}: ${noteMessage(note)}` : base;
}
