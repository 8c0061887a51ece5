// Parses times and sizes: `30s`, `2m`, `32MB`; plain numbers are milliseconds and bytes.

const times: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** KB is 1,024 bytes here, as in most configurations; KiB means the same. */
const sizes: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 1],
  ...['k', 'kb', 'kib'].map((unit) => [unit, 1024] as const),
  ...['m', 'mb', 'mib'].map((unit) => [unit, 1024 ** 2] as const),
  ...['g', 'gb', 'gib'].map((unit) => [unit, 1024 ** 3] as const),
]);

/** Gives milliseconds; undefined if it is no time. */
export function parseDuration(written: string | number): number | undefined {
  return parseQuantity(written, times);
}

/** Gives bytes; undefined if it is no size. */
export function parseSize(written: string | number): number | undefined {
  return parseQuantity(written, sizes);
}

function parseQuantity(written: string | number, units: ReadonlyMap<string, number>): number | undefined {
  const [, digits, unit] = /^([0-9]{1,16}(?:\.[0-9]{1,6})?) ?([a-z]{0,3})$/.exec(spelled(written)) ?? [];
  const factor = units.get(unit ?? '');
  if (digits === undefined || factor === undefined) return undefined;
  const amount = Number(digits) * factor;
  return Number.isSafeInteger(amount) ? amount : undefined;
}

function spelled(written: string | number): string {
  return String(written).trim().toLowerCase();
}
