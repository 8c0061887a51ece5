// Where results go, in order.

import type { ReportData } from '../forms/report.js';

/** How far a job came. The line numbers of what follows begin with it. */
export interface Standing {
  /** Blocks that are written. */
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
   * From time to time, and when the run is stopped: a later run may go on from here. Speaks of what was written when
   * it was called, though more may be written before it is done. One at a time.
   */
  checkpoint(standing: Standing): Promise<void>;
  /** All is written. Gives the last standing: a table may refuse rows when all are there. */
  finish(standing: Standing): Promise<Standing>;
  /** Leaves everything as it is. Called at the end in any case. */
  close(): Promise<void>;
}
