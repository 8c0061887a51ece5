// Explains why a marker in plain text was not read as a call.

import type { FoundMarker, RankedReading } from '@dragoman/core/internal';

/** A marker that was left in the text, with the reason and what to do. */
export interface LeftMarker extends Pick<FoundMarker, 'range'> {
  why: string;
}

export function leftMarkers(text: string, { dialect, left }: RankedReading): LeftMarker[] {
  const fence = new FenceScan(text);
  return left.map(({ range, of }) => {
    if (fence.isOpenAt(range[0])) return { range, why: FENCED };
    if (text.charAt(range[0] - 1) === '`') return { range, why: MENTIONED };
    if (of.includes(dialect)) return { range, why: `It is markup of ${dialect.name}, but ${OUT_OF_PLACE}` };
    const names = of.map(({ name }) => name).join(', ');
    return { range, why: `It belongs to ${names}, not to ${dialect.name}.` };
  });
}

const FENCED =
  'It is in a fenced block: quoted, so no call. If a call was meant, ask for calls without a fence.';
const MENTIONED = 'It is in backquotes: mentioned, so no call.';
const OUT_OF_PLACE =
  'the text around it is no call: the marker is mentioned, out of place, or spelled differently.';

/** Tracks fenced blocks. Offsets must be asked for in ascending order: each line is read once. */
class FenceScan {
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
