// Why a marker in plain text is no call.

import type { FoundMarker, RankedReading } from '@dragoman/core/internal';

/** A marker that was left in the text: why, and what to do, in one sentence. */
export interface LeftMarker extends Pick<FoundMarker, 'range'> {
  why: string;
}

export function leftMarkers(text: string, { dialect, left }: RankedReading): LeftMarker[] {
  const fence = new Fence(text);
  return left.map(({ range, of }) => {
    if (fence.isOpenAt(range[0])) return { range, why: FENCED };
    if (text.charAt(range[0] - 1) === '`') return { range, why: MENTIONED };
    if (of.includes(dialect)) return { range, why: `It is markup of ${dialect.name}, but ${OUT_OF_PLACE}` };
    const names = of.map(({ name }) => name).join(', ');
    return { range, why: `It belongs to ${names}, not to ${dialect.name}.` };
  });
}

const FENCED =
  'It stands in a fenced block: quoted, so no call. If it was meant, ask for calls without a fence.';
const MENTIONED = 'It stands in backquotes: mentioned, so no call.';
const OUT_OF_PLACE = 'what stands around it is no call: mentioned, out of place, or spelled differently.';

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
