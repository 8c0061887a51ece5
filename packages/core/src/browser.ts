// @dragoman/core as bundlers for browsers get it: the engine and the project's own dialects. The rest of the field is one
// import away ('@dragoman/core/dialects'); grammars and dialects as data are not for pages.

export * from './core.js';
export { ownDialects as dialects } from './dialects/registry.js';
