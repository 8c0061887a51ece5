// Which characters of the text an argument was read from. The events say it piece by piece: so much JSON, from this
// range. The finer the text was cut when it was fed, the finer the map.

import type { Range } from '@dragoman/core';

/** Four numbers a piece: where its JSON begins and ends, where its text does. */
const WIDTH = 4;

export class ArgumentMap {
  readonly #numbers: number[] = [];
  #json = 0;
  /** The last piece stands in the text as it stands in the JSON, so that the next may join it. */
  #plain = false;

  add(json: string, [start, end]: Range, text: string): void {
    let [read, at] = [0, start];
    // White space between values is in the text only. Whatever else differs is one piece with the rest.
    while (read < json.length) {
      const same = commonLength(json, read, text, at, end);
      if (same > 0) this.#push(same, at, at + same);
      read += same;
      at += same;
      if (read === json.length || !isSpace(text.charAt(at)) || at >= end) break;
      at++;
    }
    if (read < json.length || read === 0) this.#push(json.length - read, at, end);
  }

  #push(length: number, start: number, end: number): void {
    const from = this.#json;
    this.#json += length;
    const plain = length === end - start;
    const last = this.#numbers.length;
    if (plain && this.#plain && this.#numbers[last - 1] === start) {
      this.#numbers[last - 3] = this.#json;
      this.#numbers[last - 1] = end;
    } else this.#numbers.push(from, this.#json, start, end);
    this.#plain = plain;
  }

  toArray(): Uint32Array {
    return Uint32Array.from(this.#numbers);
  }
}

const isSpace = (character: string) => character !== '' && ' \n\r\t'.includes(character);

function commonLength(json: string, read: number, text: string, at: number, end: number): number {
  const most = Math.min(json.length - read, end - at);
  let same = 0;
  while (same < most && json.charCodeAt(read + same) === text.charCodeAt(at + same)) same++;
  return same;
}

/** The characters from which this stretch of JSON was read. */
export function textRange(map: Uint32Array, start: number, end: number): Range | undefined {
  const first = pieceAt(map, start, 0);
  const last = pieceAt(map, Math.max(start, end - 1), 0);
  if (first < 0 || last < 0) return undefined;
  const from = inText(map, first, start);
  const to = Math.max(from, inText(map, last, end));
  return [from, to];
}

/** The place in the JSON that was read from this character, or -1. */
export function jsonOffset(map: Uint32Array, position: number): number {
  const piece = pieceAt(map, position, 2);
  if (piece < 0 || position >= (map[piece + 3] as number)) return -1;
  const into = position - (map[piece + 2] as number);
  return isPlain(map, piece) ? (map[piece] as number) + into : (map[piece] as number);
}

function inText(map: Uint32Array, piece: number, json: number): number {
  const [from, to, start, end] = map.subarray(piece, piece + WIDTH) as unknown as [
    number,
    number,
    number,
    number,
  ];
  if (isPlain(map, piece)) return start + json - from;
  return json >= to ? end : start;
}

function isPlain(map: Uint32Array, piece: number): boolean {
  const [from, to, start, end] = map.subarray(piece, piece + WIDTH) as unknown as [
    number,
    number,
    number,
    number,
  ];
  return to - from === end - start;
}

/** The last piece that begins at or before this place, and is not empty there. `side` 0: in the JSON; 2: in the text. */
function pieceAt(map: Uint32Array, place: number, side: 0 | 2): number {
  let [low, high] = [-1, map.length / WIDTH - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((map[middle * WIDTH + side] as number) <= place) low = middle;
    else high = middle - 1;
  }
  while (side === 2 && low > 0 && map[low * WIDTH + 2] === map[low * WIDTH + 3]) low--;
  return low * WIDTH;
}
