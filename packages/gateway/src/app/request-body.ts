// The body of a request, counted while it arrives: one that holds too much is refused before anything is built of it.

import { ApiError } from '@dragoman/core';
import { CallSize, exceededBy, type JsonSize } from '@dragoman/core/bridge';
import type { LimitsConfig } from '../config/config.js';
import type { AppRequest } from './app-request.js';
import type { WorkShare } from './work-budget.js';

/** Reads UTF-8, without a byte order mark. A runtime may have faster ways than TextDecoder. */
export type DecodeBody = (bytes: Uint8Array) => string;

/**
 * What a body holds from which on another thread answers it, where there is one. Up to here, one request takes about
 * 50 ms of processor time at most. The thread costs more than it saves below that: requests of agents have some 4,000
 * elements. Those in the arguments of calls take less than half of the time. Arguments that are no JSON are counted
 * by their bytes.
 */
const LARGE = { bytes: 512 * 1024, elements: 4500, inStrings: 9000, brokenBytes: 16 * 1024 };

export class RequestBody {
  constructor(
    readonly segments: Uint8Array[],
    readonly bytes: number,
    readonly size: CallSize,
    readonly decode: DecodeBody,
  ) {}

  get isLarge(): boolean {
    return isLarge(this.bytes, this.size);
  }

  /** Takes the bytes: they are not needed beside their text. */
  text(): string {
    return this.decode(joined(this.segments.splice(0)));
  }
}

export function isLarge(bytes: number, { elements, inStrings, brokenBytes }: CallSize): boolean {
  if (bytes > LARGE.bytes || inStrings > LARGE.inStrings) return true;
  if (brokenBytes > LARGE.brokenBytes) return true;
  return elements - inStrings > LARGE.elements;
}

/** Counts bodies that begin and end as others did faster than a CallSize does. */
export interface BodyCount {
  /** Whether it takes a body of so many bytes. */
  fits(bytes: number): boolean;
  /** Counts a whole body, which must not change, with what is known of others of this owner. */
  size(bytes: Uint8Array, owner?: string): CallSize;
}

export interface ReadOptions {
  limits: LimitsConfig;
  share: WorkShare;
  /** Whether another thread answers large requests. */
  hasLane: boolean;
  known?: BodyCount | undefined;
  /** The scope of the client. */
  owner: string | undefined;
}

/**
 * Throws an ApiError for a body that exceeds a limit; then the rest of it is not read. One that `known`
 * takes is counted when all of it is there: it is not long.
 */
export async function readBody(
  request: AppRequest,
  { limits, share, hasLane, known, owner }: ReadOptions,
): Promise<RequestBody> {
  const announced = Number(request.header('content-length'));
  if (announced > limits.bodyBytes) throw tooLong(limits);
  const size = new CallSize();
  const segments = new Segments(hasLane ? Math.min(announced || limits.bodyBytes, LARGEST_PLACE) : 0);
  let waits = known?.fits(announced) ?? false;
  const count = (piece: Uint8Array) => {
    size.add(piece);
    refuseSize(size, limits);
  };
  await request.pieces((piece) => {
    segments.add(piece);
    if (segments.bytes > limits.bodyBytes) throw tooLong(limits);
    if (!waits) count(piece);
    else if (segments.bytes > announced) {
      waits = false;
      segments.all().forEach(count);
    }
    share.grow(segments.bytes, size.elements);
  });
  const all = segments.all();
  if (!waits || !known) return new RequestBody(all, segments.bytes, size, request.decode);
  // The other thread may take the memory of a single segment away.
  const whole = all.length === 1 ? Uint8Array.prototype.slice.call(all[0]) : joined(all);
  const counted = known.size(whole, owner);
  refuseSize(counted, limits);
  share.grow(segments.bytes, counted.elements);
  // One copy for both, unless the other thread answers: it takes the memory away.
  const kept = isLarge(segments.bytes, counted) ? all : [whole];
  return new RequestBody(kept, segments.bytes, counted, request.decode);
}

export function tooLong({ bodyBytes }: LimitsConfig, what = 'The body'): ApiError {
  const message = `${what} is longer than ${bodyBytes} bytes: the limit is limits.bodyBytes in the configuration of the gateway.`;
  return new ApiError('too-large', message);
}

export function refuseSize(size: JsonSize, { elements, depth }: LimitsConfig, holder = 'The body'): void {
  const limit = exceededBy(size, { elements, levels: depth });
  if (!limit) return;
  const [most, what, option] =
    limit === 'levels'
      ? [depth, 'levels of lists and objects', 'depth']
      : [
          elements,
          'elements (items of lists and members of objects, also in the arguments of calls)',
          'elements',
        ];
  const message = `${holder} has more than ${most} ${what}: the limit is limits.${option} in the configuration of the gateway.`;
  throw new ApiError('too-large', message);
}

/** Bytes of one segment. Joining all of a large body at once would take tens of milliseconds. */
const SEGMENT = 256 * 1024;

/** A piece of so many bytes is kept as it came, unless the body is one for the other thread, for which it is copied. */
const LARGE_PIECE = 16 * 1024;

/** Bytes by which the place of a large body grows at least, and the most that it may have. */
const GROWTH = 1024 * 1024;
const LARGEST_PLACE = 256 * 1024 * 1024;

/**
 * The first piece is kept as it came, since most bodies have no other, and so are large ones. The others are copied into
 * segments: a body may arrive byte by byte, and each piece is an object. A large body is one segment that grows where it
 * is, without a copy: the other thread gets it as it is.
 */
class Segments {
  bytes = 0;
  readonly #full: Uint8Array[] = [];
  #last = new Uint8Array(0);
  #used = 0;
  /** The memory of a large body. */
  #place: ArrayBuffer | undefined;

  /** `most`: the bytes that may come, of a body for which there is another thread; else 0. */
  constructor(readonly most: number) {}

  add(piece: Uint8Array): void {
    const needed = this.bytes + piece.length;
    if (needed > LARGE.bytes && this.bytes > 0 && needed <= this.most) this.#grow(needed);
    if (this.bytes === 0 || (piece.length >= LARGE_PIECE && !this.#place)) this.#keep(piece);
    else if (piece.length <= this.#last.length - this.#used) {
      // Without views of the piece, each of which costs more than a byte: there may be one for every byte of a body.
      this.#last.set(piece, this.#used);
      this.#used += piece.length;
    } else for (let at = 0; at < piece.length; ) at += this.#copy(piece.subarray(at));
    this.bytes = needed;
  }

  all(): Uint8Array[] {
    return this.#used === 0 ? this.#full : [...this.#full, this.#last.subarray(0, this.#used)];
  }

  /** Makes room for so many bytes in one place. A client may announce much and send little: only addresses are reserved. */
  #grow(needed: number): void {
    const room = Math.min(this.most, needed + GROWTH);
    if (this.#place) {
      if (this.#place.byteLength < needed) this.#place.resize(room);
      return;
    }
    this.#place = new ArrayBuffer(room, { maxByteLength: this.most });
    // Follows the length of its buffer.
    const whole = new Uint8Array(this.#place);
    let at = 0;
    for (const segment of this.all()) {
      whole.set(segment, at);
      at += segment.length;
    }
    this.#full.length = 0;
    this.#last = whole;
    this.#used = at;
  }

  #keep(piece: Uint8Array): void {
    if (this.#used > 0) {
      this.#full.push(this.#last.subarray(0, this.#used));
      // The rest of the segment is for what follows.
      this.#last = this.#last.subarray(this.#used);
      this.#used = 0;
    }
    this.#full.push(piece);
  }

  /** Gives how many bytes there was room for. */
  #copy(piece: Uint8Array): number {
    if (this.#used === this.#last.length) {
      if (this.#used > 0) this.#full.push(this.#last);
      this.#last = new Uint8Array(SEGMENT);
      this.#used = 0;
    }
    const part = piece.subarray(0, this.#last.length - this.#used);
    this.#last.set(part, this.#used);
    this.#used += part.length;
    return part.length;
  }
}

export function joined(segments: readonly Uint8Array[]): Uint8Array {
  const [first] = segments;
  if (first && segments.length === 1) return first;
  const whole = new Uint8Array(segments.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const segment of segments) {
    whole.set(segment, at);
    at += segment.length;
  }
  return whole;
}
