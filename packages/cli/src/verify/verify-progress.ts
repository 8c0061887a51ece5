// One line on standard error while a verification runs: how far it is, and what fails so far.

import type { CheckId, VerifyEvent } from '@dragoman/verify';
import { duration } from '../commands/report-words.js';
import { cutTo } from '../visible-text.js';

const REDRAW_MS = 100;

export interface VerifyProgress {
  read(event: VerifyEvent, way?: string): void;
  /** Removes the line. */
  end(): void;
}

export function createVerifyProgress(stream: NodeJS.WriteStream): VerifyProgress {
  const failing = new Set<CheckId>();
  const state = { done: 0, planned: 0, way: '', start: performance.now() };
  const draw = () => {
    const seconds = (performance.now() - state.start) / 1000;
    const text = progressLine({ ...state, failing: [...failing], seconds });
    stream.write(`\r${cutTo(text, Math.max((stream.columns ?? 80) - 1, 20))}\u001b[K`);
  };
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  return {
    read(event, way = '') {
      if (event.type === 'start') {
        failing.clear();
        Object.assign(state, { done: 0, planned: event.planned, way, start: performance.now() });
      } else if (event.type === 'answer') {
        state.done = event.done;
        for (const { check, finding } of event.findings) if (!finding.ok) failing.add(check);
      }
    },
    end() {
      clearInterval(timer);
      stream.write('\r\u001b[K');
    },
  };
}

interface ProgressState {
  done: number;
  planned: number;
  way: string;
  seconds: number;
  failing: readonly string[];
}

export function progressLine({ done, planned, way, seconds, failing }: ProgressState): string {
  if (planned === 0) return 'reaching the endpoint …';
  const left = done > 0 && seconds > 1 ? `${duration((seconds / done) * (planned - done))} left` : '';
  const faults = failing.length === 0 ? 'nothing fails' : `fails: ${failing.join(', ')}`;
  return [way, `${done} of ${planned}`, left, faults].filter((part) => part !== '').join('  ');
}
