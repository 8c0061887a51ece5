// Draws one line on standard error a few times a second: how much is done, how fast, and how long it will take.

import { count, duration, megabytes } from './report-words.js';

const REDRAW_MS = 250;

export interface Progress {
  /** Adds the bytes of the input that an earlier run has converted. */
  skip(bytes: number): void;
  count(bytes: number, done: { rows: number; bad: number }): void;
  /** Removes the line. */
  end(): void;
}

interface Counts {
  /** Bytes of the input: of earlier runs, of this one, and the total; 0 if unknown. */
  skipped: number;
  done: number;
  total: number;
  rows: number;
  bad: number;
  seconds: number;
}

export function createProgress(stream: NodeJS.WriteStream, total: number): Progress {
  const start = performance.now();
  const counts = { skipped: 0, done: 0, total, rows: 0, bad: 0 };
  const draw = () => {
    const seconds = (performance.now() - start) / 1000;
    const text = progressText({ ...counts, seconds }).slice(0, Math.max((stream.columns ?? 80) - 1, 20));
    stream.write(`\r${text}\u001b[K`);
  };
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  return {
    skip(bytes) {
      counts.skipped += bytes;
    },
    count(bytes, { rows, bad }) {
      counts.done += bytes;
      counts.rows += rows;
      counts.bad += bad;
    },
    end() {
      clearInterval(timer);
      stream.write('\r\u001b[K');
    },
  };
}

export function progressText({ skipped, done, total, rows, bad, seconds }: Counts): string {
  const read = skipped + done;
  const speed = seconds > 0 ? done / seconds : 0;
  const parts = [
    total > 0 ? `${String(Math.floor((read / total) * 100)).padStart(3)} %` : '',
    total > 0 ? `${megabytes(read)} of ${megabytes(total)} MB` : `${megabytes(read)} MB`,
    `${count(seconds > 0 ? rows / seconds : 0)} rows/s`,
    `${megabytes(speed)} MB/s`,
    total > 0 && speed > 0 ? `${duration((total - read) / speed)} left` : '',
    bad > 0 ? `${count(bad)} bad` : '',
  ];
  return parts.filter((part) => part !== '').join('  ');
}
