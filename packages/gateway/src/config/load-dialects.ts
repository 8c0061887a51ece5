// The dialects that a configuration brings: from here on known by their names.

import { dirname, resolve } from 'node:path';
import { UsageError } from '@dragoman/core';
import { loadDialectFile } from './dialect-file.js';
import type { Findings } from './findings.js';
import type { Path } from './problem.js';

/** Files are looked for beside the configuration. */
export function loadDialects(files: string | readonly string[] | undefined, findings: Findings): void {
  const isOne = typeof files === 'string';
  for (const [at, file] of (isOne ? [files] : (files ?? [])).entries())
    load(file, isOne ? ['dialects'] : ['dialects', at], findings);
}

function load(file: string, path: Path, findings: Findings): void {
  try {
    loadDialectFile(resolve(dirname(findings.source.file), file));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    findings.add(path, { message: error.message });
  }
}
