// @dragoman/core as bundlers for browsers get it: the engine and the project's own dialects. All of the field, detection
// and dialects as data are in '@dragoman/core/dialects', grammars in '@dragoman/core/grammar'.

export { firstDialects as dialects } from './dialects/registry.js';
export * from './entries/core.js';
