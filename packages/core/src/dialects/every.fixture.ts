// Which dialects a test runs over. All of them, if the test is about dialects: the laws, the corpus, the wild outputs,
// the grammars. The representatives, if it is about what is around a dialect (streams, clients, agents, healing,
// memory, time) and a run costs more than parsing a text: two dialects of one family differ only in spelling, which the
// laws have tested.

import type { Dialect } from '../engine/dialect.js';
import { dialects, findDialect } from './all.js';

/** One dialect of each declared family, and each that has code of its own. */
const ONE_OF_EACH = [
  // JSON in markers, with frames and ids; a name and its JSON; tagged arguments; call expressions.
  'command-a',
  'kimi-k2',
  'minimax-m2',
  'lfm2',
  // JSON without any marker, which no opener announces.
  'bare-json',
  // Dialects with code of their own.
  'react',
  'tool-tags',
  'harmony',
  'functionary-v3.2',
  'kimi-k3',
  'muse',
  'inkling',
];

/** Dialects that read or write by their own code, or are taught to untrained models: tested with the full effort. */
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

/** The fully tested ones, and one of each other kind. */
export const representatives: readonly Dialect[] = [...fullyTried, ...ONE_OF_EACH.map(findDialect)];

export function isFullyTried(dialect: Dialect): boolean {
  return fullyTried.includes(dialect);
}

/** Dialects whose whole prompts can be read back. In some vendors' prompts no token shows the role of a turn. */
export const readPromptsOf: readonly Dialect[] = dialects.filter(
  (dialect) => dialect.render.prompt && dialect.render.back?.turns,
);

export { dialects };
