// The kernel in plain TypeScript: for places without WebAssembly, such as a page whose policy forbids it, and as the
// text of what the other one computes.

import type { Kernel, KernelSizes } from './kernel.js';

export function createPlainKernel(memory: ArrayBuffer, sizes: KernelSizes): Kernel {
  const { heads, keyHeads, headSize, places: room, epsilon } = sizes;
  const f = new Float32Array(memory);
  const bytes = new Int8Array(memory);
  const shorts = new Int16Array(memory);
  const get = (at: number) => f[at] as number;

  return {
    name: 'plain',

    norm(out, x, weight, size, count) {
      for (let t = 0; t < count; t++) {
        const [from, to, by] = [x / 4 + t * size, out / 4 + t * size, weight / 4];
        let squares = 0;
        for (let i = 0; i < size; i++) squares += get(from + i) ** 2;
        const factor = 1 / Math.sqrt(squares / size + epsilon);
        for (let i = 0; i < size; i++) f[to + i] = get(from + i) * factor * get(by + i);
      }
    },

    quantise(out, factors, x, size, count) {
      for (let t = 0; t < count; t++) {
        const [from, to] = [x / 4 + t * size, out / 2 + t * size];
        let largest = 1e-30;
        for (let i = 0; i < size; i++) largest = Math.max(largest, Math.abs(get(from + i)));
        f[factors / 4 + t] = largest / 32767;
        const inverse = 32767 / largest;
        for (let i = 0; i < size; i++) shorts[to + i] = Math.round(get(from + i) * inverse);
      }
    },

    multiplyQ8(out, weights, scales, x, factors, size, rows, count) {
      for (let t = 0; t < count; t++) {
        const from = x / 2 + t * size;
        const factor = get(factors / 4 + t);
        for (let r = 0; r < rows; r++) {
          const row = weights + r * size;
          let sum = 0;
          for (let block = 0; block < size; block += 32) {
            let dot = 0;
            for (let i = block; i < block + 32; i++)
              dot += (bytes[row + i] as number) * (shorts[from + i] as number);
            sum += dot * get(scales / 4 + (r * size + block) / 32);
          }
          f[out / 4 + t * rows + r] = sum * factor;
        }
      }
    },

    multiplyF32(out, weights, x, size, rows, count) {
      for (let t = 0; t < count; t++)
        for (let r = 0; r < rows; r++) {
          const [from, row] = [x / 4 + t * size, weights / 4 + r * size];
          let sum = 0;
          for (let i = 0; i < size; i++) sum += get(row + i) * get(from + i);
          f[out / 4 + t * rows + r] = sum;
        }
    },

    rotate(x, cos, sin, count, rows) {
      for (let t = 0; t < rows; t++)
        for (let h = 0; h < count; h++)
          for (let i = 0; i < headSize; i += 2) {
            const at = x / 4 + (t * count + h) * headSize + i;
            const place = t * headSize + i;
            const [a, b] = [get(at), get(at + 1)];
            f[at] = a * get(cos / 4 + place) + b * get(sin / 4 + place);
            f[at + 1] = b * get(cos / 4 + place + 1) + a * get(sin / 4 + place + 1);
          }
    },

    spread(cache, x, place, count) {
      for (let t = 0; t < count; t++)
        for (let h = 0; h < keyHeads; h++) {
          const from = x / 4 + (t * keyHeads + h) * headSize;
          f.copyWithin(cache / 4 + (h * room + place + t) * headSize, from, from + headSize);
        }
    },

    attend(out, queries, keys, values, scores, from, count) {
      const s = scores / 4;
      for (let t = 0; t < count; t++)
        for (let h = 0; h < heads; h++) {
          const places = from + t + 1;
          const q = queries / 4 + (t * heads + h) * headSize;
          const o = out / 4 + (t * heads + h) * headSize;
          const base = Math.floor(h / (heads / keyHeads)) * room * headSize;
          let largest = Number.NEGATIVE_INFINITY;
          for (let j = 0; j < places; j++) {
            const k = keys / 4 + base + j * headSize;
            let dot = 0;
            for (let i = 0; i < headSize; i++) dot += get(q + i) * get(k + i);
            f[s + j] = dot / Math.sqrt(headSize);
            largest = Math.max(largest, get(s + j));
          }
          let total = 0;
          for (let j = 0; j < places; j++) {
            f[s + j] = Math.exp(get(s + j) - largest);
            total += get(s + j);
          }
          f.fill(0, o, o + headSize);
          for (let j = 0; j < places; j++) {
            const share = get(s + j) / total;
            const v = values / 4 + base + j * headSize;
            for (let i = 0; i < headSize; i++) f[o + i] = get(o + i) + share * get(v + i);
          }
        }
    },

    activate(gate, up, length) {
      for (let i = 0; i < length; i++) {
        const value = get(gate / 4 + i);
        f[gate / 4 + i] = (value / (1 + Math.exp(-value))) * get(up / 4 + i);
      }
    },

    add(x, y, length) {
      for (let i = 0; i < length; i++) f[x / 4 + i] = get(x / 4 + i) + get(y / 4 + i);
    },
  };
}
