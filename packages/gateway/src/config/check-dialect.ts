// Checks that the dialects of a configuration exist, and fit their upstreams.

import type { Registry } from '@dragoman/core';
import { dialectOfModel } from '@dragoman/core/bridge';
import { isTiny, TINY_PREFIX, tinyDialect } from '../app/tiny-models.js';
import type { UpstreamConfig } from './config.js';
import type { Findings } from './findings.js';
import { nearest } from './nearest.js';
import type { Path } from './problem.js';

export function checkDialect(
  name: string | undefined,
  path: Path,
  registry: Registry,
  findings: Findings,
  auto = true,
): void {
  if (name === undefined || (auto && name === 'auto') || registry.has(name)) return;
  const { dialects } = registry;
  const names = [...(auto ? ['auto'] : []), ...dialects.map((dialect) => dialect.name)];
  const meant = nearest(name, [...names, ...dialects.flatMap(({ aliases }) => aliases)]);
  const hint = `${meant === undefined ? '' : `Did you mean ${meant}? `}There are ${names.join(', ')}.`;
  findings.add(path, { message: `no dialect is called ${findings.quote(path, name)}`, hint });
}

/** Checks the dialect in the name of a tiny model, `tiny/<dialect>`: with an unknown one it would speak hermes. */
export function checkTinyName(
  model: string,
  { kind }: UpstreamConfig,
  path: Path,
  registry: Registry,
  findings: Findings,
): void {
  if (kind !== 'tiny' || !isTiny(model) || tinyDialect(model, registry)) return;
  const meant = nearest(
    model.slice(TINY_PREFIX.length),
    registry.dialects.map(({ name }) => name),
  );
  const guess = meant === undefined ? '' : `Did you mean ${TINY_PREFIX}${meant}? `;
  const hint = `${guess}It is tiny, or ${TINY_PREFIX} and the name of a dialect.`;
  findings.add(path, { message: `no tiny model is called ${findings.quote(path, model)}`, hint });
}

/**
 * Checks that an upstream that takes a prompt has a dialect that can write one. If the dialect depends on the model's
 * name and any name is allowed, this shows only with a request.
 */
export function checkPromptForm(
  name: string,
  { kind }: UpstreamConfig,
  model: string,
  path: Path,
  registry: Registry,
  findings: Findings,
): void {
  const isOpen = name === 'auto' ? model === '*' : !registry.has(name);
  if (kind !== 'completion' || isOpen) return;
  const dialect = name === 'auto' ? dialectOfModel(model, registry) : registry.find(name);
  if (dialect?.render.prompt) return;
  const able = registry.dialects.filter(({ render }) => render.prompt).map((one) => one.name);
  const message = dialect
    ? `${dialect.name} has no prompt of its own, which an upstream of kind completion needs`
    : 'expected a dialect, because the name of the model tells none';
  findings.add(path, { message, hint: `There are ${able.join(', ')}.` });
}
