// The arithmetic of a forward pass. Addresses are bytes in one memory; all that is read and written lies in it.
//
// Weights of q8_0 stay as they are, eight bits a value and one factor for 32 of them. What they are multiplied by is
// made 16 bits wide, with one factor for a whole row, so a dot product is exact in integers up to the factors.

export interface Kernel {
  readonly name: 'wasm' | 'plain';
  /** out[t] = x[t] / rms(x[t]) · weight, for `count` rows of `size` values. */
  norm(out: number, x: number, weight: number, size: number, count: number): void;
  /** Makes rows of x 16 bits wide, and writes the factor of each. */
  quantise(out: number, factors: number, x: number, size: number, count: number): void;
  /** out[t][r] = weights[r] · x[t] for quantised weights and x. `rows` is a multiple of four. */
  multiplyQ8(
    out: number,
    weights: number,
    scales: number,
    x: number,
    factors: number,
    size: number,
    rows: number,
    count: number,
  ): void;
  /** The same for weights and x of 32-bit floats. */
  multiplyF32(out: number, weights: number, x: number, size: number, rows: number, count: number): void;
  /** Turns pairs of values by the angles of their places: x · cos + swapped(x) · sin, for each head of a row. */
  rotate(x: number, cos: number, sin: number, heads: number, count: number): void;
  /** Writes rows of keys or values to a cache, where each head has a list of its own, from a place on. */
  spread(cache: number, x: number, place: number, count: number): void;
  /** Attends from `count` rows of queries at place `at` to all keys and values up to each. */
  attend(
    out: number,
    queries: number,
    keys: number,
    values: number,
    scores: number,
    at: number,
    count: number,
  ): void;
  /** gate = silu(gate) · up */
  activate(gate: number, up: number, length: number): void;
  /** x = x + y */
  add(x: number, y: number, length: number): void;
}

/** The sizes that a kernel is made for. */
export interface KernelSizes {
  heads: number;
  /** Heads of keys and values, each shared by the same number of heads. */
  keyHeads: number;
  /** Values of a head: a multiple of four. */
  headSize: number;
  /** Room for the places of a head in a cache. */
  places: number;
  epsilon: number;
}
