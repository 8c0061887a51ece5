// A part of a long text that is enough to tell its dialect: reading a megabyte in every dialect would take seconds.

import type { Dialect } from '@dragoman/core';

/** Characters of a sample. */
const SAMPLE = 48 * 1024;

/** Gives the text itself if it is short; else its start, or a later part if the first marker is there. */
export function sampleOf(text: string, dialects: readonly Dialect[]): string {
  if (text.length <= SAMPLE) return text;
  const head = text.slice(0, SAMPLE);
  if (holdsMarker(head, dialects)) return wholeLines(head);
  for (let at = SAMPLE / 2; at < text.length; at += SAMPLE / 2) {
    const part = text.slice(at, at + SAMPLE);
    if (holdsMarker(part, dialects)) return wholeLines(part);
  }
  return head;
}

const holdsMarker = (text: string, dialects: readonly Dialect[]) =>
  dialects.some(({ markers }) => markers.stands(text));

/** Cuts at the end of a line, unless that would leave little: a call that is cut in two looks wrong. */
function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n');
  return end > text.length / 2 ? text.slice(0, end) : text;
}
