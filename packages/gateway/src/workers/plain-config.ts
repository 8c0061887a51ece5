// A configuration as plain data, for the way to a worker. A worker gets what the primary process has checked: it reads
// no file, so one that starts after a faulty edit has the configuration of all others.

import { all, type DialectDeclaration, type Registry, UsageError } from '@dragoman/core';
import type { GatewayConfig } from '../config/config.js';
import { declarationOf, declaredDialect } from '../config/dialect-file.js';

export interface PlainConfig extends Omit<GatewayConfig, 'dialects'> {
  /** The declarations of dialects that are not of the library. */
  declarations: readonly DialectDeclaration[];
}

/** Throws a UsageError if a dialect is a program, which cannot be sent. */
export function toPlainConfig({ dialects = all, ...config }: GatewayConfig): PlainConfig {
  return { ...config, declarations: declarationsOf(dialects) };
}

export function fromPlainConfig({ declarations, ...config }: PlainConfig): GatewayConfig {
  return declarations.length === 0 ? config : { ...config, dialects: registryOf(declarations) };
}

/** Gives the declarations of dialects that are not of the library. Throws as `toPlainConfig` does. */
export function declarationsOf({ dialects }: Registry): DialectDeclaration[] {
  const own = dialects.filter((dialect) => !all.dialects.includes(dialect));
  return own.map((dialect) => {
    const declaration = declarationOf(dialect);
    if (declaration) return declaration;
    const message = `the dialect ${dialect.name} was made by a program, which workers cannot be sent; put its declaration into a file, or serve with one process`;
    throw new UsageError('bad-options', message);
  });
}

export function registryOf(declarations: readonly DialectDeclaration[]): Registry {
  return declarations.reduce<Registry>((registry, one) => registry.with(declaredDialect(one)), all);
}

/** Gives the part of a worker, by its number from 1, in a whole that all workers share. It is at least one. */
export function partOf(whole: number, worker: number, workers: number): number {
  return Math.max(1, Math.floor(whole / workers) + (worker <= whole % workers ? 1 : 0));
}

/** Gives the configuration of a worker: its part of the connections to an upstream that may have only so many. */
export function configOfWorker(config: GatewayConfig, worker: number, workers: number): GatewayConfig {
  const upstreams = [...config.upstreams].map(([name, upstream]) => {
    const { connections } = upstream;
    // As many as there may be requests are no bound, and must not become one where requests are unevenly spread.
    const isBound = connections < config.limits.requests;
    return [
      name,
      isBound ? { ...upstream, connections: partOf(connections, worker, workers) } : upstream,
    ] as const;
  });
  return { ...config, upstreams: new Map(upstreams) };
}
