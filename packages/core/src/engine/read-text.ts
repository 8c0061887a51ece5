// Restores text as it was before it was put into a prompt: unescapes markers and removes quotes.

import type { Dialect } from './dialect.js';
import { type MarkerSet, neutralise, restore } from './markers.js';
import { parse } from './parse.js';
import { Writer } from './writer.js';

/** Reads a system or user text. Undefined if it holds unescaped markers, so that no renderer wrote it. */
export function readText(dialect: Dialect, written: string): string | undefined {
  return readPlaced(dialect, written, dialect.markers);
}

/** Reads an assistant's text. */
export function readAnswer(dialect: Dialect, written: string): string | undefined {
  return readPlaced(dialect, written, dialect.markers.said ?? dialect.markers);
}

function readPlaced(dialect: Dialect, written: string, markers: MarkerSet): string | undefined {
  if (!dialect.render.text) return readBroken(written, markers);
  const text = unquoted(dialect, written);
  return writeText(dialect, text) === written ? text : undefined;
}

/** Reads any other text from outside: results, reasoning. */
export function readOutside({ markers }: Dialect, written: string): string | undefined {
  return readBroken(written, markers);
}

function readBroken(written: string, markers: MarkerSet): string | undefined {
  const text = restore(written, markers);
  return neutralise(text, markers) === written ? text : undefined;
}

/** Writes the text as the renderer would. */
function writeText(dialect: Dialect, text: string): string {
  const out = new Writer(dialect.markers);
  if (text !== '' && dialect.render.text) dialect.render.text(out, text, '');
  else out.outside(text, '');
  return out.text;
}

/** Reads the text with the parser, where a dialect writes text in its own way. */
function unquoted(dialect: Dialect, written: string): string {
  if (writeText(dialect, written) === written) return written;
  return parse(dialect, written).text;
}
