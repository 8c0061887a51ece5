// Whether the rules of a grammar accept a text. Follows all derivations at once, character by character, as samplers
// do.
// A derivation (`Way`) is a stack of the nodes still to be written; equal stacks are merged. Linear in the text for
// grammars that do not branch without end.

import { includes } from '../grammar/char-ranges.js';
import type { Node, Rules } from '../grammar/node.js';

interface Stack {
  node: Node;
  /** How many characters of a text node are written. */
  at: number;
  below: Stack | undefined;
  /** The stacks built on top of this one, by node and by how much of the node is written. */
  above: Map<Node, Stack[]>;
}

/** Gives true, or how many characters the grammar accepted. */
export function acceptText({ rules, root }: Rules, text: string): true | number {
  const acceptor = new Acceptor(rules);
  let ways = acceptor.start(root);
  let at = 0;
  for (const char of text) {
    ways = acceptor.step(ways, char.codePointAt(0) as number);
    if (ways.length === 0) return at;
    at += char.length;
  }
  return ways.some((way) => way === undefined) ? true : at;
}

type Way = Stack | undefined;

class Acceptor {
  readonly #bottom = new Map<Node, Stack[]>();
  readonly #counted = new Map<Node, Map<string, Node>>();

  constructor(readonly rules: ReadonlyMap<string, Node>) {}

  start(root: string): Way[] {
    return this.#settle([this.#push({ type: 'ref', name: root }, 0, undefined)]);
  }

  step(ways: readonly Way[], code: number): Way[] {
    const next: Way[] = [];
    for (const way of ways) {
      if (!way) continue;
      const { node, at, below } = way;
      if (node.type === 'chars' && includes(node.ranges, code)) next.push(below);
      if (node.type !== 'text' || node.text.codePointAt(at) !== code) continue;
      const end = at + (code > 0xffff ? 2 : 1);
      next.push(end === node.text.length ? below : this.#push(node, end, below));
    }
    return this.#settle(next);
  }

  /** Expands each stack until its top is a character or a text; undefined is a derivation that is complete. */
  #settle(ways: readonly Way[]): Way[] {
    const done = new Set<Way>();
    const seen = new Set<Way>(ways);
    for (const way of seen) {
      if (!way || way.node.type === 'chars' || (way.node.type === 'text' && way.node.text !== ''))
        done.add(way);
      else for (const next of this.#open(way)) seen.add(next);
    }
    return [...done];
  }

  #open({ node, below }: Stack): Way[] {
    if (node.type === 'ref') return [this.#push(this.rules.get(node.name) as Node, 0, below)];
    if (node.type === 'any') return node.of.map((way) => this.#push(way, 0, below));
    if (node.type === 'all')
      return [node.of.reduceRight<Way>((rest, part) => this.#push(part, 0, rest), below)];
    if (node.type === 'many') return this.#many(node, below);
    if (node.type === 'text') return [below];
    throw new Error(`${node.type} is not written out`);
  }

  #many(node: Extract<Node, { type: 'many' }>, below: Way): Way[] {
    const { of, from, to } = node;
    const rest = to === 1 ? below : this.#push(this.#fewer(node), 0, below);
    const once = to === 0 ? [] : [this.#push(of, 0, rest)];
    return from === 0 ? [below, ...once] : once;
  }

  #fewer(node: Extract<Node, { type: 'many' }>): Node {
    const { of, from, to } = node;
    if (from === 0 && to === undefined) return node;
    const known = this.#counted.get(of) ?? new Map<string, Node>();
    this.#counted.set(of, known);
    const least = Math.max(0, from - 1);
    const key = `${least} ${to}`;
    const made = known.get(key) ?? { type: 'many', of, from: least, ...(to !== undefined && { to: to - 1 }) };
    known.set(key, made);
    return made;
  }

  #push(node: Node, at: number, below: Way): Stack {
    const above = below?.above ?? this.#bottom;
    let places = above.get(node);
    if (!places) {
      places = [];
      above.set(node, places);
    }
    places[at] ??= { node, at, below, above: new Map() };
    return places[at];
  }
}
