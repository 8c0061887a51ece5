// The graph of the schemas in one document, with references as edges. It may have cycles, and is walked without
// recursion.

import type { Schema } from '@cfworker/json-schema';

export interface SchemaEdge {
  from: Schema;
  to: Schema;
  /** Both schemas apply to the same value; otherwise `to` applies to a part of it. */
  inPlace: boolean;
}

/** Gives the longest chain of nested schemas that apply to one value; infinity if there is a cycle. */
export function longestChain(edges: readonly SchemaEdge[]): number {
  const inPlace = edges.filter((edge) => edge.inPlace);
  const after = neighbours(inPlace, 'from', 'to');
  const waiting = new Map<Schema, number>();
  const depth = new Map<Schema, number>();
  for (const { to } of inPlace) waiting.set(to, (waiting.get(to) ?? 0) + 1);
  const ready = [...after.keys()].filter((node) => !waiting.has(node));
  for (const node of ready) {
    for (const to of after.get(node) ?? []) {
      depth.set(to, Math.max(depth.get(to) ?? 0, (depth.get(node) ?? 0) + 1));
      const left = (waiting.get(to) ?? 0) - 1;
      waiting.set(to, left);
      if (left === 0) ready.push(to);
    }
  }
  for (const left of waiting.values()) if (left > 0) return Number.POSITIVE_INFINITY;
  return Math.max(0, ...depth.values());
}

/** Gives these nodes and all from which one of them can be reached. */
export function reaching(nodes: ReadonlySet<Schema>, edges: readonly SchemaEdge[]): Set<Schema> {
  const before = neighbours(edges, 'to', 'from');
  const found = new Set(nodes);
  for (const node of found) for (const from of before.get(node) ?? []) found.add(from);
  return found;
}

function neighbours(
  edges: readonly SchemaEdge[],
  near: 'from' | 'to',
  far: 'from' | 'to',
): Map<Schema, Schema[]> {
  const map = new Map<Schema, Schema[]>();
  for (const edge of edges) {
    const list = map.get(edge[near]);
    if (list) list.push(edge[far]);
    else map.set(edge[near], [edge[far]]);
  }
  return map;
}
