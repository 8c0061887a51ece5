// The kernel in WebAssembly with 128-bit SIMD, written for the sizes of a model.

import type { KernelSizes } from '../kernel.js';
import {
  assemble,
  type Code,
  type Definition,
  F32,
  type FunctionCode,
  f32,
  f32x4,
  I32,
  i16x8,
  i32,
  i32x4,
  loop,
  V128,
  type Value,
  type Variable,
  v128,
} from './assembler.js';

/** Values of a block of q8_0 weights. */
const BLOCK = 32;

/** `rowSizes`: the sizes of rows that are multiplied. */
export function kernelBytes(sizes: KernelSizes, rowSizes: readonly number[]): Uint8Array<ArrayBuffer> {
  return assemble({
    norm: norm(sizes),
    quantise,
    ...Object.fromEntries(
      rowSizes.flatMap((size) => [
        [`multiplyQ8_${size}`, multiplyQ8(size)],
        [`multiplyF32_${size}`, multiplyF32(size)],
      ]),
    ),
    rotate: rotate(sizes),
    spread: spread(sizes),
    attend: attend(sizes),
    activate,
    add,
  });
}

/** Bytes of as many 32-bit values. */
const words = (count: Value): Code => i32.shl(count, i32.const(2));

const plus = (base: Value, bytes: Value): Code => i32.add(base, bytes);

/**
 * Sums the lanes of four vectors into one. Every product is summed in this order, however many rows are computed at
 * once, so an answer does not depend on how its prompt was cut into portions.
 */
function sums([a, b, c, d]: readonly Variable[], t: readonly Variable[]): { code: Code; value: Code } {
  const [low, high, ab, cd] = t as [Variable, Variable, Variable, Variable];
  const even = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
  const odd = even.map((lane) => lane + 4);
  const pairs = (to: Variable, one: Value, other: Value) => [
    ...low.set(v128.shuffle(one, other, even)),
    ...high.set(v128.shuffle(one, other, odd)),
    ...to.set(f32x4.add(low, high)),
  ];
  const code = [
    ...pairs(ab, a as Variable, b as Variable),
    ...pairs(cd, c as Variable, d as Variable),
    ...low.set(v128.shuffle(ab, cd, even)),
    ...high.set(v128.shuffle(ab, cd, odd)),
  ];
  return { code, value: f32x4.add(low, high) };
}

/** Sums the lanes of one vector in the same order. */
function sum(vector: Variable): Code {
  const lane = (at: number) => f32x4.lane(vector, at);
  return f32.add(f32.add(lane(0), lane(1)), f32.add(lane(2), lane(3)));
}

function norm({ epsilon }: KernelSizes): Definition {
  return {
    params: [I32, I32, I32, I32, I32],
    body: (f) => {
      const [out, x, weight, size, count] = params(f, 5);
      const [t, at, bytes] = f.locals(I32, 3) as Three;
      const [acc, v] = f.locals(V128, 2) as Two;
      const factor = f.local(F32);
      return [
        bytes.set(words(size)),
        loop(t, count, 1, [
          acc.set(f32x4.const(0)),
          at.set(i32.const(0)),
          loop(at, bytes, 16, [v.set(v128.load(plus(x, at))), acc.set(f32x4.add(acc, f32x4.mul(v, v)))]),
          factor.set(
            f32.div(
              f32.const(1),
              f32.sqrt(f32.add(f32.div(sum(acc), f32.fromI32(size)), f32.const(epsilon))),
            ),
          ),
          at.set(i32.const(0)),
          loop(at, bytes, 16, [
            v128.store(
              plus(out, at),
              0,
              f32x4.mul(f32x4.mul(v128.load(plus(x, at)), f32x4.splat(factor)), v128.load(plus(weight, at))),
            ),
          ]),
          x.set(plus(x, bytes)),
          out.set(plus(out, bytes)),
        ]),
      ];
    },
  };
}

/** The largest value of 16 bits. */
const MOST = 32767;

const quantise: Definition = {
  params: [I32, I32, I32, I32, I32],
  body: (f) => {
    const [out, factors, x, size, count] = params(f, 5);
    const [t, at, bytes] = f.locals(I32, 3) as Three;
    const [most, inverse] = f.locals(V128, 2) as Two;
    const largest = f.local(F32);
    const lane = (index: number) => f32x4.lane(most, index);
    const whole = (offset: number) =>
      i32x4.truncate(f32x4.nearest(f32x4.mul(v128.load(plus(x, at), offset), inverse)));
    return [
      bytes.set(words(size)),
      loop(t, count, 1, [
        most.set(f32x4.const(0)),
        at.set(i32.const(0)),
        loop(at, bytes, 16, [most.set(f32x4.max(most, f32x4.abs(v128.load(plus(x, at)))))]),
        // Rows of nothing but zeros have a factor, too.
        largest.set(f32.max(f32.max(f32.max(lane(0), lane(1)), f32.max(lane(2), lane(3))), f32.const(1e-30))),
        f32.store(factors, 0, f32.div(largest, f32.const(MOST))),
        inverse.set(f32x4.splat(f32.div(f32.const(MOST), largest))),
        at.set(i32.const(0)),
        loop(at, bytes, 32, [
          v128.store(plus(out, i32.shrU(at, i32.const(1))), 0, i16x8.narrow(whole(0), whole(16))),
        ]),
        x.set(plus(x, bytes)),
        out.set(plus(out, i32.shrU(bytes, i32.const(1)))),
        factors.set(plus(factors, i32.const(4))),
      ]),
    ];
  },
};

/** Multiplies a block of weights with 32 values of x, and adds the product times the block's factor. */
function addBlock(acc: Variable, weights: readonly Value[], values: readonly Value[], scale: Value): Code {
  const dots = weights.map((weight, at) => i32x4.dot(weight, values[at] as Value));
  const total = dots.reduce((all, dot) => i32x4.add(all, dot));
  return acc.set(f32x4.add(acc, f32x4.mul(f32x4.fromI32(total), scale)));
}

/**
 * For rows of one size, so that neighbours lie at fixed distances. Four rows of x by one of weights as long as there are
 * four, then one row of x by four of weights.
 */
function multiplyQ8(size: number): Definition {
  const eighths = [0, 1, 2, 3];
  const xBytes = 2 * size;
  const scaleBytes = size / 8;
  return {
    params: [I32, I32, I32, I32, I32, I32, I32],
    body: (f) => {
      const [out, weights, scales, x, factors, rows, count] = params(f, 7);
      const [t, r, w, s, at, end, to, wide, last] = f.locals(I32, 9) as Nine;
      const acc = f.locals(V128, 4);
      const shared = f.locals(V128, 4);
      const rest = f.locals(V128, 4);
      const scale = f.local(V128);
      const { code: summing, value: summed } = sums(acc, rest);
      const begin = [r.set(i32.const(0)), w.set(weights), s.set(scales), to.set(out)];
      const beginRow = [
        ...acc.map((one) => one.set(f32x4.const(0))),
        at.set(x),
        end.set(plus(x, i32.const(xBytes))),
      ];
      const nextBlock = [w.set(plus(w, i32.const(BLOCK))), s.set(plus(s, i32.const(4)))];
      const total = shared[0] as Variable;
      const fourByOne = loop(r, rows, 1, [
        ...beginRow,
        loop(at, end, 2 * BLOCK, [
          ...shared.map((part, index) => part.set(v128.load8x8(w, index * 8))),
          scale.set(v128.splat32(s)),
          ...acc.map((one, row) =>
            addBlock(
              one,
              shared,
              eighths.map((index) => v128.load(at, row * xBytes + index * 16)),
              scale,
            ),
          ),
          ...nextBlock,
        ]),
        summing,
        total.set(f32x4.mul(summed, v128.load(factors))),
        ...acc.map((_, row) => f32.store(plus(to, i32.mul(wide, i32.const(row))), 0, f32x4.lane(total, row))),
        to.set(plus(to, i32.const(4))),
      ]);
      const oneByFour = loop(r, rows, 4, [
        ...beginRow,
        loop(at, end, 2 * BLOCK, [
          ...shared.map((part, index) => part.set(v128.load(at, index * 16))),
          ...acc.map((one, row) =>
            addBlock(
              one,
              eighths.map((index) => v128.load8x8(w, row * size + index * 8)),
              shared,
              v128.splat32(s, row * scaleBytes),
            ),
          ),
          ...nextBlock,
        ]),
        summing,
        v128.store(to, 0, f32x4.mul(summed, v128.splat32(factors))),
        to.set(plus(to, i32.const(16))),
        w.set(plus(w, i32.const(3 * size))),
        s.set(plus(s, i32.const(3 * scaleBytes))),
      ]);
      const next = (by: number) => [
        x.set(plus(x, i32.const(by * xBytes))),
        out.set(plus(out, i32.mul(wide, i32.const(by)))),
        factors.set(plus(factors, i32.const(4 * by))),
      ];
      return [
        wide.set(words(rows)),
        last.set(i32.sub(count, i32.const(3))),
        loop(t, last, 4, [...begin, fourByOne, ...next(4)]),
        loop(t, count, 1, [...begin, oneByFour, ...next(1)]),
      ];
    },
  };
}

/** One row of x by four of weights. */
function multiplyF32(size: number): Definition {
  const bytes = 4 * size;
  return {
    params: [I32, I32, I32, I32, I32],
    body: (f) => {
      const [out, weights, x, rows, count] = params(f, 5);
      const [t, r, w, at, end, to] = f.locals(I32, 6) as [...Three, ...Three];
      const acc = f.locals(V128, 4);
      const rest = f.locals(V128, 4);
      const part = f.local(V128);
      const { code: summing, value: summed } = sums(acc, rest);
      return [
        to.set(out),
        loop(t, count, 1, [
          r.set(i32.const(0)),
          w.set(weights),
          end.set(plus(x, i32.const(bytes))),
          loop(r, rows, 4, [
            ...acc.map((one) => one.set(f32x4.const(0))),
            at.set(x),
            loop(at, end, 16, [
              part.set(v128.load(at)),
              ...acc.map((one, row) => one.set(f32x4.add(one, f32x4.mul(part, v128.load(w, row * bytes))))),
              w.set(plus(w, i32.const(16))),
            ]),
            summing,
            v128.store(to, 0, summed),
            to.set(plus(to, i32.const(16))),
            w.set(plus(w, i32.const(3 * bytes))),
          ]),
          x.set(end),
        ]),
      ];
    },
  };
}

function rotate({ headSize }: KernelSizes): Definition {
  const swapped = [4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11];
  const bytes = headSize * 4;
  return {
    params: [I32, I32, I32, I32, I32],
    body: (f) => {
      const [x, cos, sin, heads, count] = params(f, 5);
      const [t, h, at] = f.locals(I32, 3) as Three;
      const v = f.local(V128);
      return [
        loop(t, count, 1, [
          h.set(i32.const(0)),
          loop(h, heads, 1, [
            at.set(i32.const(0)),
            loop(at, i32.const(bytes), 16, [
              v.set(v128.load(plus(x, at))),
              v128.store(
                plus(x, at),
                0,
                f32x4.add(
                  f32x4.mul(v, v128.load(plus(cos, at))),
                  f32x4.mul(v128.shuffle(v, v, swapped), v128.load(plus(sin, at))),
                ),
              ),
            ]),
            x.set(plus(x, i32.const(bytes))),
          ]),
          cos.set(plus(cos, i32.const(bytes))),
          sin.set(plus(sin, i32.const(bytes))),
        ]),
      ];
    },
  };
}

/**
 * Writes e to the power of x into `out`: 2 to a whole power, times a polynomial for the rest, which is at most half of
 * ln 2. Relative error below 2e-7.
 */
function exponential(out: Variable, x: Value, power: Variable, y: Variable): Code {
  const factors = [1.9875691e-4, 1.3981999e-3, 8.3334519e-3, 4.1665796e-2, 0.16666665, 0.5];
  const horner = factors
    .slice(1)
    .reduce<Value>(
      (sum, factor) => f32x4.add(f32x4.mul(sum, y), f32x4.const(factor)),
      f32x4.const(factors[0] ?? 0),
    );
  return [
    ...y.set(f32x4.min(f32x4.max(x, f32x4.const(-87)), f32x4.const(88))),
    ...power.set(f32x4.nearest(f32x4.mul(y, f32x4.const(Math.LOG2E)))),
    // ln 2 in two parts, the first of which is exact in few bits.
    ...y.set(f32x4.sub(y, f32x4.mul(power, f32x4.const(0.693359375)))),
    ...y.set(f32x4.add(y, f32x4.mul(power, f32x4.const(2.1219444e-4)))),
    ...out.set(f32x4.add(f32x4.add(f32x4.mul(f32x4.mul(y, y), horner), y), f32x4.const(1))),
    ...out.set(
      f32x4.mul(out, i32x4.shl(i32x4.add(i32x4.truncate(power), i32x4.splat(i32.const(127))), i32.const(23))),
    ),
  ];
}

/** Writes rows of keys or values to their heads' own lists, at a place. */
function spread({ keyHeads, headSize, places }: KernelSizes): Definition {
  const bytes = headSize * 4;
  return {
    params: [I32, I32, I32, I32],
    body: (f) => {
      const [cache, x, place, count] = params(f, 4);
      const [t, h, at, to] = f.locals(I32, 4) as [Variable, Variable, Variable, Variable];
      return [
        cache.set(plus(cache, i32.mul(place, i32.const(bytes)))),
        loop(t, count, 1, [
          h.set(i32.const(0)),
          to.set(cache),
          loop(h, i32.const(keyHeads), 1, [
            at.set(i32.const(0)),
            loop(at, i32.const(bytes), 16, [v128.store(plus(to, at), 0, v128.load(plus(x, at)))]),
            x.set(plus(x, i32.const(bytes))),
            to.set(plus(to, i32.const(places * bytes))),
          ]),
          cache.set(plus(cache, i32.const(bytes))),
        ]),
      ];
    },
  };
}

function attend({ heads, keyHeads, headSize, places: room }: KernelSizes): Definition {
  const parts = headSize / 4;
  const row = headSize * 4;
  const width = heads * row;
  const shared = heads / keyHeads;
  return {
    params: [I32, I32, I32, I32, I32, I32, I32],
    body: (f) => {
      const [out, queries, keys, values, scores, from, count] = params(f, 7);
      const [t, h, j, k, v, s, end, base, places] = f.locals(I32, 9) as Nine;
      const [query, to] = f.locals(I32, 2) as Two;
      const q = f.locals(V128, parts);
      const acc = f.locals(V128, 4);
      const rest = f.locals(V128, 4);
      const [most, total, power, y] = f.locals(V128, 4) as [Variable, Variable, Variable, Variable];
      const [largest, share] = f.locals(F32, 2) as Two;
      const { code: summing, value: summed } = sums(acc, rest);
      const one = acc[0] as Variable;
      const mixed = q;
      const scoring = loop(j, places, 4, [
        ...acc.map((sum4, key) => [
          ...sum4.set(f32x4.mul(q[0] as Variable, v128.load(k, key * row))),
          ...q
            .slice(1)
            .flatMap((part, at) =>
              sum4.set(f32x4.add(sum4, f32x4.mul(part, v128.load(k, key * row + 16 * (at + 1))))),
            ),
        ]),
        summing,
        v128.store(s, 0, f32x4.mul(summed, f32x4.const(1 / Math.sqrt(headSize)))),
        k.set(plus(k, i32.const(4 * row))),
        s.set(plus(s, i32.const(16))),
      ]);
      // What lies behind the last place was computed along: it counts for nothing.
      const masking = [
        s.set(plus(scores, words(places))),
        end.set(plus(scores, i32.and(i32.add(words(places), i32.const(15)), i32.const(-16)))),
        loop(s, end, 4, [f32.store(s, 0, f32.const(-1e30))]),
      ];
      const softmax = [
        most.set(v128.load(scores)),
        s.set(scores),
        loop(s, end, 16, [most.set(f32x4.max(most, v128.load(s)))]),
        largest.set(
          f32.max(
            f32.max(f32x4.lane(most, 0), f32x4.lane(most, 1)),
            f32.max(f32x4.lane(most, 2), f32x4.lane(most, 3)),
          ),
        ),
        most.set(f32x4.splat(largest)),
        total.set(f32x4.const(0)),
        s.set(scores),
        loop(s, end, 16, [
          exponential(one, f32x4.sub(v128.load(s), most), power, y),
          v128.store(s, 0, one),
          total.set(f32x4.add(total, one)),
        ]),
        share.set(f32.div(f32.const(1), sum(total))),
      ];
      const mixing = [
        ...mixed.map((part) => part.set(f32x4.const(0))),
        s.set(scores),
        end.set(plus(scores, words(places))),
        loop(s, end, 4, [
          one.set(v128.splat32(s)),
          ...mixed.map((part, at) => part.set(f32x4.add(part, f32x4.mul(one, v128.load(v, 16 * at))))),
          v.set(plus(v, i32.const(row))),
        ]),
        one.set(f32x4.splat(share)),
        ...mixed.map((part, at) => v128.store(to, 16 * at, f32x4.mul(part, one))),
      ];
      // Head by head: the keys of one stay near while all rows of queries read them.
      return [
        loop(h, i32.const(heads), 1, [
          base.set(i32.mul(divided(h, shared), i32.const(room * row))),
          t.set(i32.const(0)),
          query.set(plus(queries, i32.mul(h, i32.const(row)))),
          to.set(plus(out, i32.mul(h, i32.const(row)))),
          loop(t, count, 1, [
            places.set(i32.add(i32.add(from, t), i32.const(1))),
            ...q.map((part, at) => part.set(v128.load(query, 16 * at))),
            j.set(i32.const(0)),
            k.set(plus(keys, base)),
            v.set(plus(values, base)),
            s.set(scores),
            scoring,
            ...masking,
            ...softmax,
            ...mixing,
            query.set(plus(query, i32.const(width))),
            to.set(plus(to, i32.const(width))),
          ]),
        ]),
      ];
    },
  };
}

/** i32.div_s by a constant. */
function divided(value: Variable, by: number): Code {
  return [...i32.add(value, i32.const(0)), ...i32.const(by), 0x6d];
}

const activate: Definition = {
  params: [I32, I32, I32],
  body: (f) => {
    const [gate, up, length] = params(f, 3);
    const [at, bytes] = f.locals(I32, 2) as Two;
    const [v, e, power, y] = f.locals(V128, 4) as [Variable, Variable, Variable, Variable];
    return [
      bytes.set(words(length)),
      loop(at, bytes, 16, [
        v.set(v128.load(plus(gate, at))),
        exponential(e, f32x4.sub(f32x4.const(0), v), power, y),
        v128.store(
          plus(gate, at),
          0,
          f32x4.mul(f32x4.div(v, f32x4.add(e, f32x4.const(1))), v128.load(plus(up, at))),
        ),
      ]),
    ];
  },
};

const add: Definition = {
  params: [I32, I32, I32],
  body: (f) => {
    const [x, other, length] = params(f, 3);
    const [at, bytes] = f.locals(I32, 2) as Two;
    return [
      bytes.set(words(length)),
      loop(at, bytes, 16, [
        v128.store(plus(x, at), 0, f32x4.add(v128.load(plus(x, at)), v128.load(plus(other, at)))),
      ]),
    ];
  },
};

type Two = [Variable, Variable];
type Three = [...Two, Variable];
type Seven = [...Three, ...Three, Variable];
type Nine = [...Seven, ...Two];

/** Gives the parameters, the first eight typed as present. */
function params(f: FunctionCode, count: number): [...Seven, Variable] {
  return Array.from({ length: count }, (_, at) => f.param(at)) as [...Seven, Variable];
}
