// Why a marker in plain text is no call.

import type { Marker } from './find-markers.js';
import type { Reading } from './read-text.js';

/** One sentence, and what to do. */
export function whyLeft(text: string, { range, of, fenced }: Marker, { dialect }: Reading): string {
  const [start] = range;
  const names = of.map(({ name }) => name);
  if (fenced)
    return 'It stands in a fenced block: quoted, so no call. If it was meant, ask for calls without a fence.';
  if (text.charAt(start - 1) === '`') return 'It stands in backquotes: mentioned, so no call.';
  if (!of.includes(dialect)) return `It belongs to ${names.join(', ')}, not to ${dialect.name}.`;
  return `It is markup of ${dialect.name}, but what stands around it is no call: mentioned, out of place, or spelled differently.`;
}
