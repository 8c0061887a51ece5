// A file of 40 KB that is full of markers: those of every dialect, broken ones, and what acts in JSON and in a shell.

import { dialects } from '../../packages/core/dist/index.js';

const BYTES = 40 * 1024;

/** No `\u003c`: Claude Code 2.1.325 writes `<` instead, though the call that it gets has the escape. */
const ODD = [
  '"quoted"',
  "'single'",
  '`tick`',
  '$HOME',
  '{{ 7 * 7 }}',
  '\\',
  '\\n',
  '\\x3c',
  '世界',
  '🙂',
  '&lt;',
];

/** Each line begins with its number, so no two are the same. */
export const markerLines = makeLines();
export const markerFile = textOf(markerLines);

export function textOf(lines) {
  return `${lines.join('\n')}\n`;
}

function makeLines() {
  const markers = [...new Set(dialects.flatMap((dialect) => dialect.markers.literals))];
  const plain = markers.filter((marker) => !/[\r\n]/.test(marker));
  const broken = plain.map((marker) => `${marker.charAt(0)}\\${marker.slice(1)}`);
  const pieces = [...plain, ...ODD, ...broken];
  const lines = [];
  for (let size = 0, next = 0; size < BYTES; next += 5) {
    const some = [0, 1, 2, 3, 4].map((at) => pieces[(next + at * 7) % pieces.length]);
    const line = `${String(lines.length + 1).padStart(4, '0')} ${some.join(' ')} ;`;
    lines.push(line);
    size += Buffer.byteLength(line) + 1;
  }
  return lines;
}
