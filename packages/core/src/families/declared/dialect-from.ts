// A dialect from data that a user wrote: checked, then made.

import type { Dialect } from '../../engine/dialect.js';
import { checkDeclaration } from './check-declaration.js';
import { defineDialect } from './define-dialect.js';

/** Throws a UsageError that names the field where the declaration is none. */
export function dialectFrom(declaration: unknown): Dialect {
  return defineDialect(checkDeclaration(declaration));
}
