// The laws as functions, so that any dialect can be tested with them.

export { acceptText } from './accept-text.js';
export { createDrawer } from './draw-text.js';
export { noForgery } from './forgery.js';
export { grammarAccepts, grammarReads } from './grammar-laws.js';
export {
  type ChunkingEffort,
  chunking,
  coalesce,
  eventsOf,
  fingerprint,
  type LawReport,
  monotone,
  noLeak,
  nothingLost,
  promptText,
  pure,
  randomCuts,
  roundTrip,
  type Sample,
  total,
  truncation,
} from './laws.js';
export { ingredients, markerMix } from './marker-mix.js';
export { createRandom, type Random } from './random.js';
export { type RandomTurn, randomTurn, spellTurn } from './turns.js';
