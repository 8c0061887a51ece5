// The dialects that a configuration brings: from here on known by their names, so that the rest of it can name them. If
// it is refused, load-config.ts takes them back.

import { UsageError } from '@dragoman/core';
import type { Findings } from './findings.js';
import type { Path } from './problem.js';

/** Whoever reads a configuration from a disk can read what stands beside it; others cannot. */
export function loadDialects(files: string | readonly string[] | undefined, findings: Findings): void {
  const isOne = typeof files === 'string';
  for (const [at, file] of (isOne ? [files] : (files ?? [])).entries())
    load(file, isOne ? ['dialects'] : ['dialects', at], findings);
}

function load(file: string, path: Path, findings: Findings): void {
  const { loadDialect } = findings.source;
  if (!loadDialect) {
    const hint = 'Use addDialect(defineDialect({ … })) of @dragoman/core in the program.';
    findings.add(path, { message: 'files cannot be read here', hint });
    return;
  }
  try {
    loadDialect(file);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    findings.add(path, { message: error.message });
  }
}
