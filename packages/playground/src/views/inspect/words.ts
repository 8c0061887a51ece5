// Formats durations and ages.

/** Milliseconds. */
export function durationWords(ms: number | undefined): string {
  if (ms === undefined) return '–';
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
}

/** Gives how long ago. Clocks differ a little, so a time in the future counts as now. */
export function ageWords(time: string, now: number): string {
  const seconds = Math.floor((now - Date.parse(time)) / 1000);
  if (Number.isNaN(seconds)) return '–';
  if (seconds < 1) return 'now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

/** Gives how much of what was sent the upstream had read before, and what differs behind that. */
export function prefixWords(prefix: {
  of: string;
  known: number;
  stable: number;
  was?: string;
  is?: string;
}): string {
  const { of, known, stable, was, is } = prefix;
  const percent = known === 0 ? 100 : Math.floor((100 * stable) / known);
  const share = `${percent} % of exchange ${of} stay`;
  if (was === undefined || is === undefined) return share;
  return `${share}; then it was ${JSON.stringify(was)}, and is ${JSON.stringify(is)}`;
}

export function statusWords(exchange: {
  open: boolean;
  status?: number;
  left?: boolean;
  error?: { code: string };
}): string {
  if (exchange.open) return 'open';
  if (exchange.left) return 'client left';
  return exchange.error
    ? `${exchange.status ?? ''} ${exchange.error.code}`.trim()
    : String(exchange.status ?? '–');
}
