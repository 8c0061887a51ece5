// Turns a value with its places into a configuration, or into a list of everything that is wrong with it.
//
//   value ──variables──> value ──shape──> shape ──settle──> GatewayConfig

import { setMember } from '@dragoman/core/internal';
import type { GatewayConfig } from './config.js';
import { type Environment, expand } from './environment.js';
import { Findings } from './findings.js';
import type { ConfigResult, Path } from './problem.js';
import { settle } from './settle.js';
import { type ConfigShape, configShape } from './shape.js';
import { shapeFaults } from './shape-problems.js';
import type { PlacedFault, Source } from './source.js';

/** `refused`: parts that were refused while the text was read. */
export function checkSource(
  source: Source,
  env: Environment,
  refused: readonly PlacedFault[] = [],
): ConfigResult<GatewayConfig> {
  const filler = new Filler(env);
  const value = filler.fill(source.value, []);
  const findings = new Findings(source, (path) => filler.names.get(JSON.stringify(path)) ?? []);
  for (const { path, fault } of [...refused, ...filler.faults]) findings.add(path, fault);
  const shape = shapeOf(value, findings, filler);
  const config = shape && settle(shape, env, findings);
  if (config && findings.problems.length === 0) return { ok: true, config, notes: findings.notes };
  return { ok: false, problems: findings.problems };
}

/** Removes invalid parts from the value, which is a copy, so that the rest is checked, too. */
function shapeOf(value: unknown, findings: Findings, filler: Filler): ConfigShape | undefined {
  for (const { path } of filler.faults) takeOut(value, path);
  const first = configShape.safeParse(value);
  if (first.success) return first.data;
  const namesAt = (path: Path) => filler.names.get(JSON.stringify(path)) ?? [];
  for (const { path, fault } of shapeFaults(first.error.issues, value, namesAt)) {
    findings.add(path, fault);
    if (findings.isFull) return undefined;
    takeOut(value, path);
  }
  return configShape.safeParse(value).data;
}

/**
 * Removes a part. Entries in the lists of upstreams, models and keys become empty ones, so that the others keep their
 * places.
 */
function takeOut(root: unknown, path: Path): void {
  const last = path.at(-1);
  if (last === undefined) return;
  let parent = root;
  for (const part of path.slice(0, -1)) {
    if (typeof parent !== 'object' || parent === null) return;
    parent = (parent as Record<string | number, unknown>)[part];
  }
  if (typeof parent !== 'object' || parent === null) return;
  if (!Array.isArray(parent)) delete (parent as Record<string, unknown>)[String(last)];
  else if (path.length === 2) parent[Number(last)] = {};
  else takeOut(root, path.slice(0, -1));
}

/** Fills in the variables of every text. */
class Filler {
  readonly names = new Map<string, readonly string[]>();
  readonly faults: { path: Path; fault: { message: string; hint: string } }[] = [];

  constructor(private readonly env: Environment) {}

  fill(value: unknown, path: Path): unknown {
    if (typeof value === 'string') return this.#text(value, path);
    if (Array.isArray(value)) return value.map((item, at) => this.fill(item, [...path, at]));
    if (typeof value !== 'object' || value === null) return value;
    const copy: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(value))
      setMember(copy, key, this.fill(member, [...path, key]));
    return copy;
  }

  #text(value: string, path: Path): string {
    if (!value.includes('${')) return value;
    const { text, names, faults } = expand(value, this.env);
    if (names.length > 0) this.names.set(JSON.stringify(path), names);
    const [fault] = faults;
    if (fault) this.faults.push({ path, fault: variableFault(fault.name) });
    return text;
  }
}

function variableFault(name: string | undefined): { message: string; hint: string } {
  if (name === undefined) {
    const hint = 'Write $' + '$' + '{ for a $ and a brace that are meant as they are.';
    return { message: 'expected $' + '{NAME} or $' + '{NAME:-default}', hint };
  }
  const hint = `Set it, or write \${${name}:-default}.`;
  return { message: `the variable ${name} is not set`, hint };
}
