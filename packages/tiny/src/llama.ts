// The forward pass of a model of the llama architecture, over weights that lie in one memory beside what was computed
// for earlier places (keys and values) and the values of the step at hand.

import { fromHalf, GgufError, type GgufFile, type GgufTensor, toFloats } from './gguf.js';
import type { Kernel, KernelSizes } from './kernel.js';
import { createPlainKernel } from './plain-kernel.js';
import { createWasmKernel } from './wasm/wasm-kernel.js';

export interface LlamaSizes extends KernelSizes {
  layers: number;
  /** Values of a place. */
  width: number;
  feedForward: number;
  context: number;
  vocabulary: number;
  ropeBase: number;
}

export interface LlamaOptions {
  /** How many sequences have a place for their keys and values. */
  slots: number;
  /** Places of a sequence. Default and most: those of the file. */
  context?: number;
  /** Default: WebAssembly where it can be used. */
  kernel?: Kernel['name'];
}

/** Places that are computed at once at most. */
const PORTION = 32;

/** A matrix: quantised weights with their factors, or floats. */
interface Matrix {
  size: number;
  /** A multiple of four: the last ones may be empty. */
  rows: number;
  weights: number;
  /** Absent: the weights are floats. */
  scales?: number;
}

interface Layer {
  attentionNorm: number;
  query: Matrix;
  key: Matrix;
  value: Matrix;
  output: Matrix;
  feedNorm: number;
  gate: Matrix;
  up: Matrix;
  down: Matrix;
}

function readSizes({ metadata, tensors }: GgufFile): LlamaSizes {
  const architecture = metadata.get('general.architecture');
  if (architecture !== 'llama')
    throw new GgufError(`the architecture ${String(architecture)} is not known here, only llama`);
  const size = (name: string, otherwise?: number) => {
    const value = Number(metadata.get(`llama.${name}`) ?? otherwise);
    if (!(value > 0)) throw new GgufError(`llama.${name} is missing`);
    return value;
  };
  const width = size('embedding_length');
  const heads = size('attention.head_count');
  const headSize = size('attention.key_length', width / heads);
  const keyHeads = size('attention.head_count_kv', heads);
  const vocabulary = tensors.get('token_embd.weight')?.shape[1] ?? 0;
  const sizes = {
    layers: size('block_count'),
    width,
    feedForward: size('feed_forward_length'),
    context: size('context_length'),
    vocabulary,
    heads,
    keyHeads,
    headSize,
    // Attention reads four keys at once, so up to three behind the last place.
    places: size('context_length') + 3,
    epsilon: size('attention.layer_norm_rms_epsilon', 1e-5),
    ropeBase: size('rope.freq_base', 10000),
  };
  const isWhole = headSize % 4 === 0 && width % 8 === 0 && sizes.feedForward % 8 === 0;
  if (!isWhole || heads % keyHeads !== 0 || size('rope.dimension_count', headSize) !== headSize)
    throw new GgufError('the sizes of this model are not known here');
  return sizes;
}

export class Llama {
  readonly sizes: LlamaSizes;
  readonly kernel: Kernel;
  readonly #memory: Uint8Array;
  readonly #floats: Float32Array;
  readonly #layers: Layer[];
  readonly #embedding: Matrix;
  readonly #output: Matrix;
  readonly #outputNorm: number;
  /** Bytes of the keys, or the values, of one layer of one slot. */
  readonly #cacheSize: number;
  readonly #cache: number;
  readonly #cos: number;
  readonly #sin: number;
  readonly #at: Record<'x' | 'h' | 'q' | 'y' | 'gate' | 'up' | 'wide' | 'factors' | 'scores', number>;
  readonly #logits: number;

  constructor(file: GgufFile, { slots, context, kernel }: LlamaOptions) {
    const sizes = readSizes(file);
    sizes.context = Math.min(context ?? sizes.context, sizes.context);
    sizes.places = sizes.context + 3;
    this.sizes = sizes;
    const { width, feedForward, heads, keyHeads, headSize, layers } = sizes;
    const plan = new Plan(file);
    const keyWidth = keyHeads * headSize;
    this.#layers = Array.from({ length: layers }, (_, at) => layerOf(plan, `blk.${at}.`, sizes));
    this.#embedding = plan.matrix('token_embd.weight', width, sizes.vocabulary);
    this.#output = file.tensors.has('output.weight')
      ? plan.matrix('output.weight', width, sizes.vocabulary)
      : this.#embedding;
    this.#outputNorm = plan.vector('output_norm.weight', width);
    this.#cacheSize = sizes.places * keyWidth * 4;
    this.#cache = plan.room(slots * layers * 2 * this.#cacheSize);
    this.#cos = plan.room(sizes.context * headSize * 4);
    this.#sin = plan.room(sizes.context * headSize * 4);
    const rows = (size: number) => plan.room(PORTION * size * 4);
    this.#at = {
      x: rows(width),
      h: rows(Math.max(width, heads * headSize)),
      q: rows(heads * headSize),
      y: rows(heads * headSize),
      gate: rows(feedForward),
      up: rows(feedForward),
      wide: rows(Math.max(feedForward, width, heads * headSize)),
      factors: rows(1),
      scores: plan.room((sizes.context + 4) * 4),
    };
    this.#logits = plan.room(this.#output.rows * 4);
    const made = kernel === 'plain' ? undefined : createWasmKernel(plan.size, sizes, plan.rowSizes);
    if (kernel === 'wasm' && !made) throw new Error('WebAssembly with SIMD cannot be used here');
    const buffer = made?.memory ?? new ArrayBuffer(plan.size);
    this.kernel = made?.kernel ?? createPlainKernel(buffer, sizes);
    this.#memory = new Uint8Array(buffer);
    this.#floats = new Float32Array(buffer);
    plan.write(buffer);
    this.#writeAngles();
  }

  /**
   * Computes the places from `at` on, whose tokens these are, in a slot that holds those before. Gives the logits behind
   * the last one if they are wanted. At most `portion` places at once.
   */
  read(slot: number, at: number, tokens: readonly number[], wantsLogits: boolean): Float32Array | undefined {
    const count = tokens.length;
    if (count === 0 || count > PORTION || at + count > this.sizes.context)
      throw new RangeError('no such places');
    const { x, h } = this.#at;
    const { width } = this.sizes;
    for (const [row, token] of tokens.entries()) this.#embed(token, x + row * width * 4);
    for (const [number, layer] of this.#layers.entries()) {
      this.#attention(layer, this.#cacheAt(slot, number), at, count);
      this.#feedForward(layer, count);
    }
    if (!wantsLogits) return undefined;
    this.kernel.norm(h, x + (count - 1) * width * 4, this.#outputNorm, width, 1);
    this.#multiply(this.#logits, this.#output, h, 1);
    return this.#floats.slice(this.#logits / 4, this.#logits / 4 + this.sizes.vocabulary);
  }

  get portion(): number {
    return PORTION;
  }

  /** Copies the first places of a slot to another. */
  copy(from: number, to: number, places: number): void {
    const { headSize, keyHeads, layers } = this.sizes;
    const list = this.sizes.places * headSize * 4;
    for (let layer = 0; layer < layers; layer++) {
      const [source, target] = [this.#cacheAt(from, layer).keys, this.#cacheAt(to, layer).keys];
      // The lists of all heads, of the keys and then of the values.
      for (let at = 0; at < 2 * keyHeads * list; at += list)
        this.#memory.copyWithin(target + at, source + at, source + at + places * headSize * 4);
    }
  }

  #attention(layer: Layer, cache: { keys: number; values: number }, at: number, count: number): void {
    const { kernel } = this;
    const { x, h, q, y, scores } = this.#at;
    const { width, heads, keyHeads, headSize } = this.sizes;
    const angle = at * headSize * 4;
    kernel.norm(h, x, layer.attentionNorm, width, count);
    this.#multiply(q, layer.query, h, count);
    this.#multiply(y, layer.key, h, count, true);
    kernel.rotate(y, this.#cos + angle, this.#sin + angle, keyHeads, count);
    kernel.spread(cache.keys, y, at, count);
    this.#multiply(y, layer.value, h, count, true);
    kernel.spread(cache.values, y, at, count);
    kernel.rotate(q, this.#cos + angle, this.#sin + angle, heads, count);
    kernel.attend(y, q, cache.keys, cache.values, scores, at, count);
    this.#multiply(h, layer.output, y, count);
    kernel.add(x, h, width * count);
  }

  #feedForward(layer: Layer, count: number): void {
    const { kernel } = this;
    const { x, h, gate, up } = this.#at;
    const { width, feedForward } = this.sizes;
    kernel.norm(h, x, layer.feedNorm, width, count);
    this.#multiply(gate, layer.gate, h, count);
    this.#multiply(up, layer.up, h, count, true);
    kernel.activate(gate, up, feedForward * count);
    this.#multiply(h, layer.down, gate, count);
    kernel.add(x, h, width * count);
  }

  /** `again`: x is the same as in the call before. */
  #multiply(out: number, matrix: Matrix, x: number, count: number, again = false): void {
    const { size, rows, weights, scales } = matrix;
    if (scales === undefined) {
      this.kernel.multiplyF32(out, weights, x, size, rows, count);
      return;
    }
    const { wide, factors } = this.#at;
    if (!again) this.kernel.quantise(wide, factors, x, size, count);
    this.kernel.multiplyQ8(out, weights, scales, wide, factors, size, rows, count);
  }

  #embed(token: number, to: number): void {
    const { weights, scales, size } = this.#embedding;
    const floats = this.#floats;
    if (token < 0 || token >= this.sizes.vocabulary) throw new RangeError(`there is no token ${token}`);
    if (scales === undefined) {
      floats.copyWithin(to / 4, weights / 4 + token * size, weights / 4 + (token + 1) * size);
      return;
    }
    for (let at = 0; at < size; at++) {
      const value = ((this.#memory[weights + token * size + at] ?? 0) << 24) >> 24;
      floats[to / 4 + at] = value * (floats[scales / 4 + (token * size + at - (at % 32)) / 32] ?? 0);
    }
  }

  #cacheAt(slot: number, layer: number): { keys: number; values: number } {
    const keys = this.#cache + (slot * this.sizes.layers + layer) * 2 * this.#cacheSize;
    return { keys, values: keys + this.#cacheSize };
  }

  #writeAngles(): void {
    const { context, headSize, ropeBase } = this.sizes;
    for (let place = 0; place < context; place++)
      for (let at = 0; at < headSize; at += 2) {
        const angle = place * ropeBase ** (-at / headSize);
        const index = place * headSize + at;
        this.#floats.fill(Math.cos(angle), this.#cos / 4 + index, this.#cos / 4 + index + 2);
        this.#floats[this.#sin / 4 + index] = -Math.sin(angle);
        this.#floats[this.#sin / 4 + index + 1] = Math.sin(angle);
      }
  }
}

function layerOf(
  plan: Plan,
  name: string,
  { width, feedForward, heads, keyHeads, headSize }: LlamaSizes,
): Layer {
  return {
    attentionNorm: plan.vector(`${name}attn_norm.weight`, width),
    query: plan.matrix(`${name}attn_q.weight`, width, heads * headSize),
    key: plan.matrix(`${name}attn_k.weight`, width, keyHeads * headSize),
    value: plan.matrix(`${name}attn_v.weight`, width, keyHeads * headSize),
    output: plan.matrix(`${name}attn_output.weight`, heads * headSize, width),
    feedNorm: plan.vector(`${name}ffn_norm.weight`, width),
    gate: plan.matrix(`${name}ffn_gate.weight`, width, feedForward),
    up: plan.matrix(`${name}ffn_up.weight`, width, feedForward),
    down: plan.matrix(`${name}ffn_down.weight`, feedForward, width),
  };
}

/** Says where everything lies in the memory, then writes the weights there. */
class Plan {
  size = 0;
  readonly #rowSizes = new Set<number>();
  readonly #writes: ((memory: ArrayBuffer) => void)[] = [];

  constructor(readonly file: GgufFile) {}

  get rowSizes(): number[] {
    return [...this.#rowSizes];
  }

  room(bytes: number): number {
    const at = this.size;
    this.size += Math.ceil(bytes / 64) * 64;
    return at;
  }

  vector(name: string, size: number): number {
    const tensor = this.#tensor(name, [size]);
    const at = this.room(size * 4);
    this.#writes.push((memory) => new Float32Array(memory, at, size).set(toFloats(tensor)));
    return at;
  }

  matrix(name: string, size: number, count: number): Matrix {
    const tensor = this.#tensor(name, [size, count]);
    const rows = Math.ceil(count / 4) * 4;
    this.#rowSizes.add(size);
    if (tensor.type !== 'q8_0') {
      const weights = this.room(rows * size * 4);
      this.#writes.push((memory) => new Float32Array(memory, weights, size * count).set(toFloats(tensor)));
      return { size, rows, weights };
    }
    const weights = this.room(rows * size);
    const scales = this.room((rows * size) / 8);
    this.#writes.push((memory) => writeQ8(tensor.data, memory, weights, scales));
    return { size, rows, weights, scales };
  }

  write(memory: ArrayBuffer): void {
    for (const write of this.#writes) write(memory);
  }

  #tensor(name: string, shape: readonly number[]): GgufTensor {
    const tensor = this.file.tensors.get(name);
    if (!tensor) throw new GgufError(`the tensor ${name} is missing`);
    if (tensor.shape.join() !== shape.join())
      throw new GgufError(
        `${name}: expected the shape ${shape.join(' × ')}, found ${tensor.shape.join(' × ')}`,
      );
    return tensor;
  }
}

/** Writes blocks of a 16-bit factor and 32 values as values and factors apart. */
function writeQ8(data: Uint8Array, memory: ArrayBuffer, weights: number, scales: number): void {
  const bytes = new Uint8Array(memory);
  const floats = new Float32Array(memory);
  const count = data.length / 34;
  for (let block = 0; block < count; block++) {
    const from = block * 34;
    floats[scales / 4 + block] = fromHalf((data[from] ?? 0) | ((data[from + 1] ?? 0) << 8));
    bytes.set(data.subarray(from + 2, from + 34), weights + block * 32);
  }
}
