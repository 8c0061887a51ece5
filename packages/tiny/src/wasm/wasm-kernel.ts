// Starts the kernel in WebAssembly.

import type { Kernel, KernelSizes } from '../kernel.js';
import { kernelBytes } from './kernel-code.js';

const PAGE = 65536;

/** What of the global WebAssembly is used: its types are not among those of the language. */
interface WasmApi {
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer };
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object, imports: object) => { exports: object };
}

type Exports = Record<string, (...values: number[]) => void>;

/** Gives the kernel and its memory; undefined where there is no WebAssembly, no SIMD, or a policy forbids it. */
export function createWasmKernel(
  size: number,
  sizes: KernelSizes,
  rowSizes: readonly number[],
): { kernel: Kernel; memory: ArrayBuffer } | undefined {
  const { WebAssembly: wasm } = globalThis as { WebAssembly?: WasmApi };
  if (!wasm) return undefined;
  try {
    const module = new wasm.Module(kernelBytes(sizes, rowSizes));
    const memory = new wasm.Memory({ initial: Math.ceil(size / PAGE) });
    const { exports } = new wasm.Instance(module, { env: { memory } });
    return { kernel: kernelOf(exports as Exports, rowSizes), memory: memory.buffer };
  } catch {
    return undefined;
  }
}

function kernelOf(exports: Exports, rowSizes: readonly number[]): Kernel {
  const bySize = (name: string) => new Map(rowSizes.map((size) => [size, exports[`${name}_${size}`]]));
  const [q8, floats] = [bySize('multiplyQ8'), bySize('multiplyF32')];
  return {
    ...(exports as unknown as Kernel),
    name: 'wasm',
    multiplyQ8: (out, weights, scales, x, factors, size, rows, count) =>
      q8.get(size)?.(out, weights, scales, x, factors, rows, count),
    multiplyF32: (out, weights, x, size, rows, count) => floats.get(size)?.(out, weights, x, rows, count),
  };
}
