import type { Transcript, Writing } from './form.js';
export function writeAnthropic(_: Transcript): Writing {
  throw new Error('soon');
}
