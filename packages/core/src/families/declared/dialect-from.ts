// Makes a dialect from data that a user wrote, after checking it.

import type { Dialect } from '../../engine/dialect.js';
import { checkDeclaration } from './check-declaration.js';
import { defineDialect } from './define-dialect.js';

/** Throws a UsageError that names the member where the declaration is invalid. */
export function dialectFrom(declaration: unknown): Dialect {
  return defineDialect(checkDeclaration(declaration));
}
