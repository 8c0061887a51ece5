// What a grammar is made of before it is written for an engine: texts, characters, and how they follow each other.
// `calls` of a dialect are lowered to these (lower.ts); gbnf.ts and lark.ts print them.

export type Node =
  | { type: 'text'; text: string }
  | { type: 'chars'; ranges: CharRanges }
  | { type: 'all'; of: readonly Node[] }
  | { type: 'any'; of: readonly Node[] }
  | { type: 'many'; of: Node; from: number; to?: number }
  | { type: 'ref'; name: string }
  /** Units that, joined, hold none of `strings`: characters of `ranges`, or `escape`. */
  | Without;

export interface Without {
  type: 'without';
  strings: readonly string[];
  ranges: CharRanges;
  /** Another way to write a character, which no string can run through. */
  escape?: Node;
  from: number;
  to?: number;
}

/** Code points, from and to, in order and apart. */
export type CharRanges = readonly (readonly [from: number, to: number])[];

export interface Rules {
  /** The first is where it starts. */
  rules: ReadonlyMap<string, Node>;
  root: string;
}

export const EMPTY: Node = { type: 'text', text: '' };
/** Nothing at all matches. */
export const NEVER: Node = { type: 'any', of: [] };

export const literal = (text: string): Node => ({ type: 'text', text });
export const chars = (ranges: CharRanges): Node => ({ type: 'chars', ranges });
export const ref = (name: string): Node => ({ type: 'ref', name });

/** One behind the other; neighbouring texts become one. */
export function sequence(...of: readonly Node[]): Node {
  const flat: Node[] = [];
  for (const node of of) {
    if (node.type === 'all') for (const part of node.of) addTo(flat, part);
    else addTo(flat, node);
  }
  if (flat.some(isNever)) return NEVER;
  return flat.length === 1 ? (flat[0] as Node) : flat.length === 0 ? EMPTY : { type: 'all', of: flat };
}

function addTo(flat: Node[], node: Node): void {
  if (node.type !== 'text') flat.push(node);
  else if (node.text !== '') {
    const last = flat.at(-1);
    if (last?.type === 'text') flat[flat.length - 1] = literal(last.text + node.text);
    else flat.push(node);
  }
}

/** One of them; those that match nothing are left out, and the same text twice is once. */
export function choice(...of: readonly Node[]): Node {
  const texts = new Set<string>();
  const flat: Node[] = [];
  const add = (node: Node) => {
    if (node.type === 'text' ? texts.has(node.text) : isNever(node)) return;
    if (node.type === 'text') texts.add(node.text);
    flat.push(node);
  };
  for (const node of of) {
    if (node.type === 'any') node.of.forEach(add);
    else add(node);
  }
  return flat.length === 1 ? (flat[0] as Node) : { type: 'any', of: flat };
}

export function repeat(of: Node, from: number, to?: number): Node {
  if (to === 0) return EMPTY;
  if (from === 1 && to === 1) return of;
  if (isNever(of)) return from === 0 ? EMPTY : NEVER;
  return { type: 'many', of, from, ...(to !== undefined && { to }) };
}

export const optional = (of: Node): Node => repeat(of, 0, 1);

export function isNever(node: Node): boolean {
  return (node.type === 'any' && node.of.length === 0) || (node.type === 'chars' && node.ranges.length === 0);
}
