// The marks on the track of the player: where calls begin, and where something is wrong.

import type { TextReading } from '../../reading/index.js';
import type { TrackMark } from './player.jsx';

/** More would not be told apart. */
const MOST = 60;

export function trackMarks(reading: TextReading | undefined): TrackMark[] {
  if (!reading) return [];
  const calls = reading.calls.map(({ nameRange: [at] }): TrackMark => ({ at, kind: 'call-name' }));
  const issues = reading.notes.filter(({ type }) => type === 'issue');
  const faults = issues.map(({ range: [at] }): TrackMark => ({ at, kind: 'at-fault' }));
  return calls.length + faults.length > MOST ? faults.slice(0, MOST) : [...calls, ...faults];
}
