// How the views read: text in, what is known of it out. `createReader` reads in a worker; `Gather` gathers the events
// of a parser that a view runs itself.

export { jsonOffset, textRange } from './argument-map.js';
export type { Guess } from './guess.js';
export type { ReadInput, ReadResult, ShuffleResult } from './jobs.js';
export { type JsonNode, jsonTree, pathTo } from './json-tree.js';
export { type Kind, kinds, kindWords } from './kinds.js';
export { createReader, type Reader } from './reader.js';
export { Gather, type Note, type ReadCall, type Reading } from './reading.js';
export { type Segment, type Segments, segment, segmentIndexAt } from './segments.js';
export { readTools, type ToolsProblem, type ToolsText } from './tools.js';
