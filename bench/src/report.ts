// The output of the bench: progress on stderr, tables and results of the limits on stdout.

export interface LimitResult {
  promise: string;
  value: string;
  limit: string;
  kept: boolean;
}

/** Checks a number against its limit. The result is printed at the end, and decides the exit code. */
export type CheckLimit = (
  promise: string,
  value: number,
  limit: number,
  show: (value: number) => string,
  where?: string,
) => void;

/** Gives the entry with the highest value. */
export function worst<T>(list: readonly T[], rank: (one: T) => number): T {
  return list.reduce((a, b) => (rank(b) > rank(a) ? b : a));
}

export function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}

export function heading(title: string): void {
  process.stdout.write(`\n${title}\n\n`);
}

export function note(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

/** Prints columns of the width they need; the first aligned left, the others right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join('  ');
  for (const row of [head, widths.map((width) => '-'.repeat(width)), ...rows])
    process.stdout.write(`  ${line(row).trimEnd()}\n`);
}

export function verdicts(list: readonly LimitResult[]): void {
  heading('Promises');
  table(
    ['promise', 'measured', 'limit', ''],
    list.map(({ promise, value, limit, kept }) => [promise, value, limit, kept ? 'pass' : 'FAIL']),
  );
}

export const times = (ratio: number) => `${ratio.toFixed(ratio < 10 ? 2 : 1)}×`;
export const ns = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ns`;
export const ms = (value: number) => `${value.toFixed(value < 1 ? 3 : 1)} ms`;
export const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
export const mb = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(2)} MB`;
