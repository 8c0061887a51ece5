import type { Reading, Row } from './form.js';
export function readAnthropic(_row: Row): Reading {
  throw new Error('soon');
}
