// Strings in a text that act in some dialect, whether or not they act where they stand.

import type { Dialect, Range } from '@dragoman/core';

export interface Marker {
  range: Range;
  /** The dialects that have it. */
  of: Dialect[];
  /** Stands between lines of backquotes. */
  fenced: boolean;
}

/** In the order of the text, each from the end of the one before. */
export function findMarkers(text: string, dialects: readonly Dialect[]): Marker[] {
  const found: Marker[] = [];
  const firsts = new Set(dialects.flatMap(({ markers }) => [...markers.firsts]));
  const fence = new Fence(text);
  for (let at = 0; at < text.length; at++) {
    if (!firsts.has(text.charAt(at))) continue;
    const marker = markerAt(dialects, text, at);
    if (!marker) continue;
    found.push({ ...marker, fenced: fence.isOpenAt(at) });
    at = marker.range[1] - 1;
  }
  return found;
}

function markerAt(
  dialects: readonly Dialect[],
  text: string,
  at: number,
): Omit<Marker, 'fenced'> | undefined {
  const matches = dialects.map(({ markers }) =>
    markers.firsts.includes(text.charAt(at)) ? markers.match(text, at, true) : 0,
  );
  const length = Math.max(...matches);
  if (length <= 0) return undefined;
  return { range: [at, at + length], of: dialects.filter((_, index) => (matches[index] ?? 0) > 0) };
}

/** Whether a fenced block is open. Asked from the start to the end, so that each line is looked at once. */
class Fence {
  #line = 0;
  #open = false;

  constructor(readonly text: string) {}

  isOpenAt(at: number): boolean {
    for (;;) {
      const end = this.text.indexOf('\n', this.#line);
      if (end < 0 || end >= at) return this.#open;
      if (isFenceLine(this.text, this.#line, end)) this.#open = !this.#open;
      this.#line = end + 1;
    }
  }
}

function isFenceLine(text: string, start: number, end: number): boolean {
  let at = start;
  while (at < end && text.charAt(at) === ' ') at++;
  return text.startsWith('```', at);
}
