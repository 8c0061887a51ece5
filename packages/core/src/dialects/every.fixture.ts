// Which dialects a test is run over. All of them where a dialect itself is held to something: the laws, the corpus,
// the wild, the grammars. Their representatives where what is held is what stands around a dialect (streams, clients,
// agents, healing, memory, time) and a run costs more than the reading of a text: two dialects of one family differ in
// their spelling, and the laws have tried that.

import type { Dialect } from '../engine/dialect.js';
import { dialects, findDialect } from './index.js';
import { ownDialects } from './own-dialects.js';
import { backOf } from './read-backs.js';

/** One of each family of declarations, and each that is written out. */
const OF_THE_FIELD = [
  // JSON in markers, with frames and ids; a name and its JSON; tagged arguments; call expressions.
  'command-a',
  'kimi-k2',
  'minimax-m2',
  'lfm2',
  // JSON without any marker, which no opener announces.
  'bare-json',
  // Written out.
  'react',
  'tool-tags',
  'harmony',
  'functionary-v3.2',
  'kimi-k3',
  'muse',
  'inkling',
];

/** The project's own, and one of each kind of the field's. */
export const representatives: readonly Dialect[] = [...ownDialects, ...OF_THE_FIELD.map(findDialect)];

/** Whether the project began with it: these are tried with the full effort. */
export function isOwn(dialect: Dialect): boolean {
  return ownDialects.includes(dialect);
}

/** Those whose whole prompts are read back into a conversation: of some vendors' nobody could tell who speaks. */
export const readPromptsOf: readonly Dialect[] = dialects.filter(
  (dialect) => dialect.render.prompt && backOf(dialect)?.turns,
);

export { dialects };
