// @dragoman/verify: tests the tool calling of an endpoint. Runs wherever there is a fetch.

export { type Check, type CheckId, checkIds, type Finding } from './check.js';
export { checks } from './checks/index.js';
export { type Compared, type CompareEvent, compareEndpoint, type Way } from './compare.js';
export { type Exchange, shownUrl, splitAddress } from './endpoint.js';
export type { Latency, Spread } from './latency.js';
export { badgeOf } from './output/badge.js';
export { escapeHtml } from './output/escape.js';
export { differs, htmlReport } from './output/html-report.js';
export { reportPage } from './output/page.js';
export {
  answerLines,
  comparedFaults,
  comparedRows,
  mendedWords,
  retriedWords,
  scoreLines,
  timeLines,
  unjudgedWords,
  verdictOf,
  wayWords,
} from './output/words.js';
export type { Probe } from './probe.js';
export type { Reading, ReadingRole } from './reading.js';
export {
  type CheckResult,
  type CheckStatus,
  type Example,
  isRight,
  type ReadAnswer,
  type VerifyReport,
  worstFirst,
} from './report.js';
export type { Rate, Scores } from './scores.js';
export { drawSuite, SUITE_SIZES, type SuiteName } from './suite/draw-suite.js';
export { readSuite } from './suite/read-suite.js';
export { SuiteError } from './suite/suite-error.js';
export type { Tokens } from './token-count.js';
export { EndpointError, type ExchangeStore, type VerifyEvent, verifyByWire } from './verification.js';
export { type EndpointOptions, type VerifyOptions, verifyEndpoint } from './verify.js';
