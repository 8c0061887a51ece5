// @dragoman/gateway/tiny: the tiny model beside the demo, for programs that serve it as the gateway does.

export { isTiny, type TinyOptions, tinyDialect, tinyModels, tinyOptions } from './app/tiny-models.js';
export { findTiny, loadTinyPackage } from './server/find-tiny.js';
