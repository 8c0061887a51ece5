// Reading for the views: text in, TextReading out. `createReader` reads in a worker; `ReadingBuilder` collects
// the events of a parser that a view runs itself.

export type { RankedDialect, RankOutcome } from './guess.js';
export type { ReadOutcome, ShuffleResult } from './jobs.js';
export { type CharacterKind, kinds } from './kinds.js';
export { createReader, type PageReader } from './reader.js';
export { type Segments, segment } from './segments.js';
export { joined, ReadingBuilder, type TextNote, type TextReading } from './text-reading.js';
export { type ReadTools, readTools } from './tools.js';
