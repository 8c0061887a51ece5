// @dragoman/core: everything a user imports. Bundlers for browsers get browser.ts: the engine and the project's own
// dialects; the rest is one import away there.

export {
  type Detection,
  type DialectDeclaration,
  defineDialect,
  describeReading,
  detect,
  dialects,
  type Evidence,
  type FoundMarker,
  fromResponseTemplate,
  type RankedReading,
  type Ranking,
  type RankOptions,
  rankInSteps,
  rankReadings,
  recognises,
  rememberDialects,
} from './dialects/index.js';
export * from './entries/core.js';
export * from './entries/grammar.js';
