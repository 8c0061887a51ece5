// Which dialects a test is run over. All of them where a dialect itself is held to something: the laws, the corpus,
// the wild, the grammars. Their representatives where what is held is what stands around a dialect (streams, clients,
// agents, healing, memory, time) and a run costs more than the reading of a text: two dialects of one family differ in
// their spelling, and the laws have tried that.

import type { Dialect } from '../engine/dialect.js';
import { dialects, findDialect } from './all.js';

/** One of each family of declarations, and each that is written out. */
const ONE_OF_EACH = [
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

/** These read or write by code of their own, or are taught to models that know no dialect: tried with the full effort. */
export const fullyTried: readonly Dialect[] = [
  'alkaid',
  'xnl',
  'glm-4.5',
  'glm-4.7',
  'deepseek-v3.1',
  'deepseek-v3.2',
  'deepseek-v4',
  'deepseek-v4.1',
  'hermes',
  'qwen3-coder',
].map(findDialect);

/** Those, and one of each other kind. */
export const representatives: readonly Dialect[] = [...fullyTried, ...ONE_OF_EACH.map(findDialect)];

export function isFullyTried(dialect: Dialect): boolean {
  return fullyTried.includes(dialect);
}

/** Those whose whole prompts are read back into a conversation: of some vendors' nobody could tell who speaks. */
export const readPromptsOf: readonly Dialect[] = dialects.filter(
  (dialect) => dialect.render.prompt && dialect.render.back?.turns,
);

export { dialects };
