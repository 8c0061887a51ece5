// JSON values that clients send again and again: an agent repeats its tools in every request. A value is kept by its
// content and given in the place of every equal one, so that what was made of it is found by its identity.

const constants = new WeakSet<object>();

/** Whether the value never changes, so that what is made of it may be kept. */
export function isConstant(value: unknown): boolean {
  return typeof value === 'object' && value !== null && constants.has(value);
}

/** Freezes the value with everything it holds, and returns it. The caller must own it alone. */
export function makeConstant<V extends object>(value: V): V {
  freezeDeep(value);
  constants.add(value);
  return value;
}

/** Takes the value for a constant without freezing what it holds, which costs more than it is worth in large values. */
export function markConstant<V extends object>(value: V): V {
  constants.add(Object.freeze(value));
  return value;
}

/** Gives a function that computes once for each constant, and every time for any other value. */
export function onceConstant<V, R>(make: (value: V) => R): (value: V) => R {
  const made = new WeakMap<object, R>();
  return (value) => {
    if (!isConstant(value)) return make(value);
    const known = made.get(value as object);
    if (known !== undefined) return known;
    const result = make(value);
    made.set(value as object, result);
    return result;
  };
}

/** The most characters of one value: a longer one is hardly sent twice, and would drive out many others. */
const LONGEST = 1024 * 1024;

/** How many characters are kept by default: the sessions of some forty agents, in about 40 MB of memory. */
const MOST = 8 * 1024 * 1024;

/** Keeps the values that were used last, up to so many characters of JSON in all. */
export class RepeatedValues {
  readonly #byText = new Map<string, object>();
  #characters = 0;
  hits = 0;
  misses = 0;

  constructor(readonly most = MOST) {}

  /** How many values are kept, and their characters. */
  get size(): { values: number; characters: number } {
    return { values: this.#byText.size, characters: this.#characters };
  }

  /**
   * Gives the equal value that is kept, or keeps this one. It must be JSON, and nobody may change it afterwards;
   * `copies`: a copy is kept, since others hold the value.
   */
  keep<V extends object>(value: V, copies = false): V {
    const text = textOf(value);
    if (text === undefined || text.length > Math.min(LONGEST, this.most)) return value;
    const known = this.#byText.get(text) as V | undefined;
    if (known) {
      this.hits++;
      // A Map gives its oldest entry first: this one becomes the newest.
      this.#byText.delete(text);
      this.#byText.set(text, known);
      return known;
    }
    this.misses++;
    const kept = markConstant(copies ? (JSON.parse(text) as V) : value);
    this.#byText.set(text, kept);
    this.#characters += text.length;
    for (const oldest of this.#byText.keys()) {
      if (this.#characters <= this.most) break;
      this.#byText.delete(oldest);
      this.#characters -= oldest.length;
    }
    return kept;
  }
}

/** Undefined for a value so deep that JSON.stringify runs out of stack. */
function textOf(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Recursion is safe for a value that JSON.stringify could write, which needs more of the stack. */
function freezeDeep(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  // Bytes cannot be frozen.
  if (ArrayBuffer.isView(value)) return;
  // Object.freeze cannot freeze the members of a Map, so a value that holds a Map is never kept.
  Object.freeze(value);
  for (const member of Object.values(value)) freezeDeep(member);
}
