// Takes results in order and writes them.

import type { ReportData } from '../forms/report.js';

/** The progress of a job. The line numbers of later rows continue from it. */
export interface Standing {
  /** How many blocks are written. */
  blocks: number;
  /** The source of the last block, and how many of its lines are written. */
  source: number;
  lines: number;
  report: ReportData;
}

export const NOTHING_YET: Standing = {
  blocks: 0,
  source: 0,
  lines: 0,
  report: { rows: 0, badRows: 0, calls: 0, repairs: {}, issues: {}, losses: {} },
};

export interface Sink {
  /** `bad`: JSON lines, each with its line break. */
  write(output: Uint8Array, bad: string): Promise<void>;
  /**
   * Records the progress, from time to time and when the run is stopped, so that a later run can resume here. It covers
   * what was written before the call, though more may be written before it is done. One at a time.
   */
  checkpoint(standing: Standing): Promise<void>;
  /** Completes the output. Gives the final progress: a table may reject rows at the end. */
  finish(standing: Standing): Promise<Standing>;
  /** Closes the files as they are. Always called at the end. */
  close(): Promise<void>;
}
