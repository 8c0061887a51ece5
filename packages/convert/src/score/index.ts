// Scoring: recorded outputs of models, read again. Pure, as the forms are: no files, no clock.

export { type ScoreCheck, type ScoreError, scoreChecks } from './check-calls.js';
export type { Judged, Verdict } from './judge-output.js';
export { layoutNames, layouts } from './layouts/index.js';
export type { Layout, Paths } from './layouts/layout.js';
export { createScoreLine, type JoinedRows, joinRows, readJoin, type ScoreSettings } from './score-line.js';
export type { ScoreData, ScoreExample, VerdictCounts } from './tally.js';
