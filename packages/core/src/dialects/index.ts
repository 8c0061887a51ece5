// @dragoman/core/dialects: every dialect, each under its own name and all in one registry, and dialects as data.

export type { DialectDeclaration } from '../engine/declaration.js';
export type { Detection, Evidence } from '../engine/detect.js';
export { createRegistry, type Registry } from '../engine/registry.js';
export { dialectFrom as defineDialect } from '../families/declared/check-declaration.js';
export { fromResponseTemplate } from '../families/declared/response-template.js';
export { all, detect, dialects, findDialect } from './all.js';
export * from './each.js';
