// Collects the rules of one grammar: their names, the limit on their number, and what could not be expressed.

import { UsageError } from '../model/errors.js';
import { type Node, type Rules, ref, type Without } from './node.js';
import { expandWithout } from './without-rules.js';

/** A difference between the grammar and the schema: what it cannot express, or restricts more than the schema. */
export interface Limit {
  /** Where: a tool's name, then the path in its schema. */
  path: string;
  /** The keyword of the schema; empty if the limit is about none. */
  keyword: string;
  message: string;
}

const MAX_RULES = 8_000;
const MAX_LIMITS = 50;

export class RuleBook {
  readonly #rules = new Map<string, Node>();
  readonly #byKey = new Map<string, string>();
  readonly #taken = new Map<string, number>();
  readonly #limits = new Map<string, Limit>();
  readonly #plainNames = new Map<string, string>();
  /** The current path: a tool's name, then the path in its schema. */
  path: string[] = [];

  /** `expands`: writes "without these strings" out as rules, for engines that cannot express it. */
  constructor(readonly expands: boolean) {}

  without(node: Without): Node {
    return this.expands ? expandWithout(node, this) : node;
  }

  /** Gives the rule for a key; makes it on first use. `make` gets its name, for recursive rules. */
  named(key: string, hint: string, make: (name: string) => Node): Node {
    const known = this.#byKey.get(key);
    if (known) return ref(known);
    const name = this.reserve(hint);
    this.#byKey.set(key, name);
    this.define(name, make(name));
    return ref(name);
  }

  /** Gives the rule for a key that has one. */
  known(key: string): Node | undefined {
    const name = this.#byKey.get(key);
    return name === undefined ? undefined : ref(name);
  }

  /** Makes another rule for the key at its next use. */
  forget(key: string): void {
    this.#byKey.delete(key);
  }

  get limitCount(): number {
    return this.#limits.size;
  }

  /** Reserves a unique rule name of letters, digits and dashes. */
  reserve(hint: string): string {
    const plain = this.#plainNames.get(hint) ?? this.#plainName(hint);
    for (;;) {
      const count = (this.#taken.get(plain) ?? 0) + 1;
      this.#taken.set(plain, count);
      const name = count === 1 ? plain : `${plain}-${count}`;
      if (count === 1 || !this.#taken.has(name)) {
        if (count > 1) this.#taken.set(name, 1);
        return name;
      }
    }
  }

  #plainName(hint: string): string {
    const plain = plainName(hint);
    this.#plainNames.set(hint, plain);
    return plain;
  }

  define(name: string, node: Node): void {
    if (this.#rules.size >= MAX_RULES) {
      throw new UsageError(
        'grammar-too-large',
        `the grammar of these tools has more than ${MAX_RULES} rules; give fewer tools, or simpler schemas`,
        this.path.join('.'),
      );
    }
    this.#rules.set(name, node);
  }

  /** Makes a rule of its own for a node. */
  rule(hint: string, node: Node): Node {
    const name = this.reserve(hint);
    this.define(name, node);
    return ref(name);
  }

  limit(keyword: string, message: string): void {
    const limit = { path: this.path.join('.'), keyword, message };
    if (this.#limits.size < MAX_LIMITS) this.#limits.set(JSON.stringify(limit), limit);
  }

  /** Runs `make` with one more step on the path. */
  at<T>(step: string, make: () => T): T {
    this.path.push(step);
    try {
      return make();
    } finally {
      this.path.pop();
    }
  }

  get limits(): Limit[] {
    return [...this.#limits.values()];
  }

  rules(root: string): Rules {
    return { rules: this.#rules, root };
  }
}

function plainName(hint: string): string {
  const plain = hint
    .slice(0, 40)
    .replaceAll(/[^a-zA-Z0-9]+/g, '-')
    .toLowerCase()
    .replaceAll(/^-|-$/g, '');
  return /^[a-z]/.test(plain) ? plain : `r-${plain}`.replace(/-$/, '');
}
