// @dragoman/core: everything a user imports. Bundlers for browsers get browser.ts: the engine and the project's own
// dialects; the rest is one import away there.

export {
  type Detection,
  type DialectDeclaration,
  defineDialect,
  detect,
  dialects,
  type Evidence,
  fromResponseTemplate,
  rememberDialects,
} from './dialects/index.js';
export * from './entries/core.js';
export * from './entries/grammar.js';
