// Reading for the views: text in, TextReading out. `createReader` reads in a worker; `ReadingBuilder` collects
// the events of a parser that a view runs itself.

export type { ReadOutcome, ShuffleResult } from './jobs.js';
export { type CharacterKind, kinds, kindWords } from './kinds.js';
export { createReader, prepareReader } from './reader.js';
export { type Segments, segment, segmentIndexAt } from './segments.js';
export { joined, ReadingBuilder, type TextReading } from './text-reading.js';
export { type ReadTools, readTools } from './tools.js';
