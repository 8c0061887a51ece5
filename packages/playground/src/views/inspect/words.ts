// Formats durations, ages and ends.

import { words } from '../../words/words.js';

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
  const { age } = words().inspect;
  if (seconds < 1) return age.now;
  if (seconds < 60) return age.seconds(seconds);
  if (seconds < 3600) return age.minutes(Math.floor(seconds / 60));
  if (seconds < 86_400) return age.hours(Math.floor(seconds / 3600));
  return age.days(Math.floor(seconds / 86_400));
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
  const said = words().inspect.prefix;
  const share = said.stays(percent, of);
  // It ends where the other had its answer: nothing differs.
  if (was === undefined || !is) return share;
  return share + said.differs(JSON.stringify(was), JSON.stringify(is));
}

/** Gives what a complete exchange came to: calls, text alone, or only a count of tokens, for which no model is asked. */
export function resultWords({ api, calls }: { api: string; calls: number }): string {
  const { inspect } = words();
  if (isCount({ api })) return inspect.counted;
  return calls > 0 ? inspect.calls(calls) : inspect.textOnly;
}

/** Whether the client only asked how many tokens its request has. */
export function isCount({ api }: { api: string }): boolean {
  return api === 'count-tokens';
}

export function statusWords(exchange: {
  open: boolean;
  status?: number;
  left?: boolean;
  error?: { code: string };
}): string {
  if (exchange.open) return words().inspect.open;
  if (exchange.left) return words().inspect.gone;
  return exchange.error
    ? `${exchange.status ?? ''} ${exchange.error.code}`.trim()
    : String(exchange.status ?? '–');
}
