// Names of dialects, and whether they suit what they are used with.

import { type Dialect, findDialect, knownDialects } from '@dragoman/core';
import { dialectOfModel } from '@dragoman/core/bridge';
import type { UpstreamConfig } from './config.js';
import type { Findings } from './findings.js';
import { nearest } from './nearest.js';
import type { Path } from './problem.js';

export function checkDialect(name: string | undefined, path: Path, findings: Findings, auto = true): void {
  if (name === undefined || (auto && name === 'auto') || dialectOf(name)) return;
  const dialects = knownDialects();
  const names = [...(auto ? ['auto'] : []), ...dialects.map((dialect) => dialect.name)];
  const meant = nearest(name, [...names, ...dialects.flatMap(({ aliases }) => aliases)]);
  const hint = `${meant === undefined ? '' : `Did you mean ${meant}? `}There are ${names.join(', ')}.`;
  findings.add(path, { message: `no dialect is called ${findings.quote(path, name)}`, hint });
}

/** An endpoint that is sent a prompt needs a dialect that can write one. What any model speaks shows later. */
export function checkPromptForm(
  name: string,
  { kind }: UpstreamConfig,
  model: string,
  path: Path,
  findings: Findings,
): void {
  const isOpen = name === 'auto' ? model === '*' : !dialectOf(name);
  if (kind !== 'completion' || isOpen) return;
  const dialect = name === 'auto' ? dialectOfModel(model) : dialectOf(name);
  if (dialect?.render.prompt) return;
  const able = knownDialects()
    .filter(({ render }) => render.prompt)
    .map((one) => one.name);
  const message = dialect
    ? `${dialect.name} has no prompt of its own, which an upstream of kind completion needs`
    : 'expected a dialect, because the name of the model tells none';
  findings.add(path, { message, hint: `There are ${able.join(', ')}.` });
}

function dialectOf(name: string): Dialect | undefined {
  try {
    return findDialect(name);
  } catch {
    return undefined;
  }
}
