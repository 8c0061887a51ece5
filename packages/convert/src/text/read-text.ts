// Text from outside, read back as it was before it was put into a prompt: broken markers whole again, quotes gone.

import { type Dialect, type MarkerSet, neutralise, parse, restore, Writer } from '@dragoman/core/internal';

/** System and user text. Undefined where no text is written so: it holds markers that act. */
export function readText(dialect: Dialect, written: string): string | undefined {
  return readPlaced(dialect, written, dialect.markers);
}

/** What an assistant said. */
export function readAnswer(dialect: Dialect, written: string): string | undefined {
  return readPlaced(dialect, written, dialect.markers.said ?? dialect.markers);
}

function readPlaced(dialect: Dialect, written: string, markers: MarkerSet): string | undefined {
  if (!dialect.render.text) return readBroken(written, markers);
  const text = unquoted(dialect, written);
  return writeText(dialect, text) === written ? text : undefined;
}

/** Any other text from outside: results, reasoning. */
export function readOutside({ markers }: Dialect, written: string): string | undefined {
  return readBroken(written, markers);
}

function readBroken(written: string, markers: MarkerSet): string | undefined {
  const text = restore(written, markers);
  return neutralise(text, markers) === written ? text : undefined;
}

/** As it would be written. */
function writeText(dialect: Dialect, text: string): string {
  const out = new Writer(dialect.markers);
  if (text !== '' && dialect.render.text) dialect.render.text(out, text, '');
  else out.outside(text, '');
  return out.text;
}

/** A dialect that places text in its own way has a parser that knows the way back. */
function unquoted(dialect: Dialect, written: string): string {
  if (writeText(dialect, written) === written) return written;
  return parse(dialect, written).text;
}
