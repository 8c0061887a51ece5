// The nodes of a grammar, independent of the engine: texts, character classes, sequences, choices and repetitions.
// lower.ts makes them from a dialect's rules; gbnf.ts and lark.ts print them.

export type Node =
  | { type: 'text'; text: string }
  | { type: 'chars'; ranges: CharRanges }
  | { type: 'all'; of: readonly Node[] }
  | { type: 'any'; of: readonly Node[] }
  | { type: 'many'; of: Node; from: number; to?: number }
  | { type: 'ref'; name: string }
  /** A text without any of `strings`, made of characters in `ranges` or of `escape`. */
  | Without;

export interface Without {
  type: 'without';
  strings: readonly string[];
  ranges: CharRanges;
  /** An escape sequence as another way to write a character. No forbidden string spans one. */
  escape?: Node;
  from: number;
  to?: number;
}

/** Ranges of code points, sorted and disjoint. */
export type CharRanges = readonly (readonly [from: number, to: number])[];

export interface Rules {
  rules: ReadonlyMap<string, Node>;
  root: string;
}

export const EMPTY: Node = { type: 'text', text: '' };
/** Matches nothing, not even the empty text. */
export const NEVER: Node = { type: 'any', of: [] };

export const literal = (text: string): Node => ({ type: 'text', text });
export const chars = (ranges: CharRanges): Node => ({ type: 'chars', ranges });
export const ref = (name: string): Node => ({ type: 'ref', name });

/** Makes a sequence; neighbouring texts become one. */
export function sequence(...of: readonly Node[]): Node {
  const flat: Node[] = [];
  for (const node of of) {
    if (isNever(node)) return NEVER;
    if (node.type === 'all') for (const part of node.of) addTo(flat, part);
    else addTo(flat, node);
  }
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

/** Makes a choice, without alternatives that match nothing and without repeated texts. */
export function choice(...of: readonly Node[]): Node {
  if (of.length === 1 && of[0]?.type !== 'any') return isNever(of[0] as Node) ? NEVER : (of[0] as Node);
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
