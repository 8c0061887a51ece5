// The names of the rules that are reachable from the root, in breadth-first order.

import type { Node, Rules } from './node.js';

export function reachable({ rules, root }: Rules): Set<string> {
  const found = new Set([root]);
  for (const name of found) for (const used of namesIn(rules.get(name) as Node)) found.add(used);
  return found;
}

export function namesIn(node: Node): string[] {
  const names: string[] = [];
  const stack: Node[] = [node];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at.type === 'ref') names.push(at.name);
    else if (at.type === 'all' || at.type === 'any') stack.push(...[...at.of].reverse());
    else if (at.type === 'many') stack.push(at.of);
    else if (at.type === 'without' && at.escape) stack.push(at.escape);
  }
  return names;
}
