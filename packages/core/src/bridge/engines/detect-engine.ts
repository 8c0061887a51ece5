// Recognises the engine of an upstream by what it answers: first by the owner of its models, which is in a list that is
// read anyway, else by paths that only one engine has.

import { isObject } from '../../model/index.js';
import { type Engine, engines } from './engines.js';

/** `get` gives the JSON at a path from the root of the server; undefined if there is none. It never throws. */
export async function detectEngine(
  models: unknown,
  get: (path: string) => Promise<unknown>,
): Promise<Engine | undefined> {
  const owners = new Set(itemsOf(models).map(({ owned_by }) => owned_by));
  const owner = engines.find((engine) => engine.ownedBy !== undefined && owners.has(engine.ownedBy));
  if (owner) return owner;
  const probed = engines.map(async ({ probe }) => probe && isProof(await get(probe.path), probe.members));
  const proofs = await Promise.all(probed);
  return engines.find((_, at) => proofs[at]);
}

function isProof(value: unknown, members: readonly string[]): boolean {
  return [value, itemsOf(value)[0]].some(
    (shown) => isObject(shown) && members.every((name) => Object.hasOwn(shown, name)),
  );
}

function itemsOf(value: unknown): Record<string, unknown>[] {
  return isObject(value) && Array.isArray(value.data) ? value.data.filter(isObject) : [];
}
