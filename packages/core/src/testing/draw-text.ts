// Draws random texts from the rules of a grammar, the same for the same seed: what a model constrained by the grammar
// might write, including odd characters and half markers.

import type { CharRanges, Node, Rules } from '../grammar/node.js';
import type { Random } from './random.js';

/**
 * How many characters a text may reach before the drawer takes the shortest way to its end. Most texts are short, so
 * that many can be tried; a few are long, to reach what only happens deep inside.
 */
const ROOMS = [20, 40, 60, 60, 80, 120, 250, 600];
/** The probability that a repetition continues. */
const AGAIN = 0.75;

/** Which rules to watch, and a callback that gets the text each of them wrote, in the order of the text. */
export interface Watch {
  rules: { has(rule: string): boolean };
  note(rule: string, text: string): void;
}

/** Marks the end of the text of a watched rule. */
interface End {
  type: 'end';
  rule: string;
  from: number;
}

export function createDrawer({ rules, root }: Rules, random: Random, watch?: Watch): () => string {
  const shortest = shortestOf(rules);
  const drawChar = createCharDrawer(random);
  const cheapest = (ways: readonly Node[]) =>
    ways.reduce((best, way) => (lengthOf(way, shortest) < lengthOf(best, shortest) ? way : best));
  return () => {
    const room = random.pick(ROOMS);
    let out = '';
    const stack: (Node | End)[] = [{ type: 'ref', name: root }];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      const hurry = out.length > room;
      if (node.type === 'text') out += node.text;
      else if (node.type === 'chars') out += drawChar(node.ranges);
      else if (node.type === 'end') watch?.note(node.rule, out.slice(node.from));
      else if (node.type === 'ref') {
        if (watch?.rules.has(node.name)) stack.push({ type: 'end', rule: node.name, from: out.length });
        stack.push(rules.get(node.name) as Node);
      } else if (node.type === 'all') for (let n = node.of.length; n > 0; ) stack.push(node.of[--n] as Node);
      else if (node.type === 'any') stack.push(hurry ? cheapest(node.of) : random.pick(node.of));
      else if (node.type === 'many') {
        const count = hurry ? node.from : drawCount(node.from, node.to, random);
        for (let n = 0; n < count; n++) stack.push(node.of);
      } else throw new Error(`${node.type} is not written out`);
    }
    return out;
  };
}

function drawCount(from: number, to: number | undefined, random: Random): number {
  let count = from;
  while (count < (to ?? from + 12) && random.chance(AGAIN)) count++;
  return count;
}

/** Draws mostly common characters, and now and then any character. */
function createCharDrawer(random: Random): (ranges: CharRanges) => string {
  const usualOf = new Map<CharRanges, CharRanges>();
  return (ranges) => {
    const usual = usualOf.get(ranges) ?? ranges.filter(([from]) => from < 0x7f);
    usualOf.set(ranges, usual);
    const [from, to] = random.pick(usual.length > 0 && random.chance(0.9) ? usual : ranges);
    const end = random.chance(0.9) ? Math.min(to, Math.max(from, 0x7e)) : to;
    const code = from + random.int(end - from + 1);
    return code >= 0xd800 && code <= 0xdfff ? '?' : String.fromCodePoint(code);
  };
}

/** Gives the least number of characters each rule can write, iterated until nothing changes. */
function shortestOf(rules: ReadonlyMap<string, Node>): Map<string, number> {
  const shortest = new Map<string, number>();
  for (let changed = true; changed; ) {
    changed = false;
    for (const [name, node] of rules) {
      const length = lengthOf(node, shortest);
      if (length >= (shortest.get(name) ?? Number.POSITIVE_INFINITY)) continue;
      shortest.set(name, length);
      changed = true;
    }
  }
  return shortest;
}

/** Gives the least length of a node. A step costs a little, too, so that the way out is short in rules as well. */
function lengthOf(node: Node, shortest: ReadonlyMap<string, number>): number {
  switch (node.type) {
    case 'text':
      return node.text.length;
    case 'chars':
      return 1;
    case 'ref':
      return (shortest.get(node.name) ?? Number.POSITIVE_INFINITY) + 0.001;
    case 'all':
      return node.of.reduce((sum, part) => sum + lengthOf(part, shortest), 0);
    case 'any':
      return Math.min(...node.of.map((way) => lengthOf(way, shortest)));
    case 'many':
      return node.from === 0 ? 0 : node.from * lengthOf(node.of, shortest);
    default:
      return Number.POSITIVE_INFINITY;
  }
}
