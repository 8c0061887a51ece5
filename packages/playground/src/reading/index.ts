// How the views read: text in, what is known of it out. `createReader` reads in a worker; `Gather` gathers the events
// of a parser that a view runs itself.

export type { ReadResult, ShuffleResult } from './jobs.js';
export { type Kind, kinds, kindWords } from './kinds.js';
export { createReader, prepareReader } from './reader.js';
export { type Segments, segment, segmentIndexAt } from './segments.js';
export { Gather, type TextReading } from './text-reading.js';
export { readTools, type ToolsText } from './tools.js';
