// Where the template of a dialect puts a call that follows text: on a line of its own, or right behind the text.

import type { Dialect } from '../../engine/dialect.js';
import { Writer } from '../../engine/writer.js';

const known = new WeakMap<Dialect, boolean>();

/** Whether calls stand right behind text, as in dialects whose calls are special tokens. */
export function callsStandBehindText(dialect: Dialect): boolean {
  let found = known.get(dialect);
  if (found === undefined) {
    found = rendersBehindText(dialect);
    known.set(dialect, found);
  }
  return found;
}

function rendersBehindText({ render, markers }: Dialect): boolean {
  const out = new Writer(markers);
  const call = { type: 'tool-call' as const, id: 'call_0', name: 'f', input: {} };
  render.calls(out, [call], { tools: [{ name: 'f' }], afterText: true });
  return !out.text.startsWith('\n');
}
