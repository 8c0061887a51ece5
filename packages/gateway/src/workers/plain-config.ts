// A configuration as plain data, for the way to a worker. A worker gets what the primary process has checked: it reads
// no file, so one that starts after a faulty edit has the configuration of all others.

import { all, type DialectDeclaration, defineDialect, UsageError } from '@dragoman/core';
import type { GatewayConfig } from '../config/config.js';
import { declarationOf } from '../config/dialect-file.js';

export interface PlainConfig extends Omit<GatewayConfig, 'dialects'> {
  /** The declarations of dialects that are not of the library. */
  declarations: readonly DialectDeclaration[];
}

/** Throws a UsageError if a dialect is a program, which cannot be sent. */
export function toPlainConfig({ dialects = all, ...config }: GatewayConfig): PlainConfig {
  const own = dialects.dialects.filter((dialect) => !all.dialects.includes(dialect));
  const declarations = own.map((dialect) => {
    const declaration = declarationOf(dialect);
    if (declaration) return declaration;
    const message = `the dialect ${dialect.name} was made by a program, which workers cannot be sent; put its declaration into a file, or serve with one process`;
    throw new UsageError('bad-options', message);
  });
  return { ...config, declarations };
}

export function fromPlainConfig({ declarations, ...config }: PlainConfig): GatewayConfig {
  if (declarations.length === 0) return config;
  const dialects = declarations.reduce((registry, one) => registry.with(defineDialect(one)), all);
  return { ...config, dialects };
}

/**
 * Gives a worker its share of what the configuration allows all workers together: requests at once, and connections to
 * each upstream. A share is at least one.
 */
export function shareOf(config: GatewayConfig, worker: number, workers: number): GatewayConfig {
  const part = (total: number) =>
    Math.max(1, Math.floor(total / workers) + (worker <= total % workers ? 1 : 0));
  const upstreams = [...config.upstreams].map(
    ([name, upstream]) => [name, { ...upstream, connections: part(upstream.connections) }] as const,
  );
  return {
    ...config,
    limits: { ...config.limits, requests: part(config.limits.requests) },
    upstreams: new Map(upstreams),
  };
}
