// Loads the dialects that a configuration brings, in files beside it, so that the rest of it can name them.

import { type Registry, UsageError } from '@dragoman/core';
import type { Findings } from './findings.js';
import type { Path } from './problem.js';

/** Gives the source's registry, with the dialects of the files added. */
export function loadDialects(files: string | readonly string[] | undefined, findings: Findings): Registry {
  const isOne = typeof files === 'string';
  let registry = findings.source.dialects;
  for (const [at, file] of (isOne ? [files] : (files ?? [])).entries())
    registry = load(file, isOne ? ['dialects'] : ['dialects', at], registry, findings);
  return registry;
}

function load(file: string, path: Path, registry: Registry, findings: Findings): Registry {
  const { loadDialect } = findings.source;
  if (!loadDialect) {
    const hint = 'Give parseConfig { dialects: all.with(defineDialect({ … })) }, both of @dragoman/core.';
    findings.add(path, { message: 'files cannot be read here', hint });
    return registry;
  }
  try {
    return registry.with(loadDialect(file, registry));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    findings.add(path, { message: error.message });
    return registry;
  }
}
