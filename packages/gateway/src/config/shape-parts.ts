// The kinds of values in a configuration. The message of every refusal is what was expected, as the end of "expected
// …"; that of an unknown member is the list of the known ones. shape-problems.ts makes sentences of them.
//
// Numbers and booleans may be text, too: variables always hold text.

import { z } from 'zod';

/** The longest time a timer can be set to, in milliseconds: some 24 days. */
const MAX_TIMER = 2 ** 31 - 1;

const TEN_YEARS = 10 * 365 * 86_400_000;

/** Makes the shape of a map. Every member is optional; beside its type stands its description. */
export function record<Members extends Record<string, readonly [z.ZodType, string?]>>(members: Members) {
  const known = Object.keys(members).join(', ');
  const shape = Object.entries(members).map(([name, [type, about]]) => {
    return [name, about === undefined ? type.optional() : type.optional().describe(about)];
  });
  type Shape = { [Name in keyof Members]: z.ZodOptional<Members[Name][0]> };
  return z.strictObject(Object.fromEntries(shape) as Shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? known : 'a map of members'),
  });
}

export function text(expected = 'text') {
  return z.string({ error: expected }).min(1, { error: `${expected} that is not empty` });
}

export function choice<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: `one of ${values.join(', ')}` });
}

export function flag() {
  const error = 'true or false';
  return z
    .union([z.boolean({ error }), z.enum(['true', 'false'], { error })], { error })
    .transform((value) => value === true || value === 'true');
}

export function whole(min: number, max: number) {
  return numberOr<never>([], min, max);
}

/** A whole number, or this word. */
export function wholeOr<const Word extends string>(word: Word, min: number, max: number) {
  return numberOr([word], min, max);
}

function numberOr<Word extends string>(words: readonly Word[], min: number, max: number) {
  const error = [`a whole number from ${min} to ${max}`, ...words].join(', or ');
  return z
    .union([z.int({ error }).min(min, { error }).max(max, { error }), z.string({ error })], { error })
    .transform((value, context): number | Word => {
      const word = words.find((one) => one === value);
      if (word !== undefined) return word;
      const number = typeof value === 'number' ? value : wholeNumber(value);
      return number !== undefined && number >= min && number <= max ? number : refuse(context, error);
    });
}

function wholeNumber(value: string): number | undefined {
  return /^[0-9]{1,16}$/.test(value) ? Number(value) : undefined;
}

/** A time, in milliseconds. */
export function duration({ min = 0, max = MAX_TIMER }: { min?: number; max?: number } = {}) {
  const most = max >= TEN_YEARS ? '' : `, at most ${Math.floor(max / 86_400_000)}d`;
  const least = min > 0 ? `, at least ${min}ms` : '';
  const error = `milliseconds, or a time like 500ms, 30s, 2m, 1h${least}${most}`;
  return quantity(error, parseDuration, min, max);
}

/** A time of up to ten years, for purposes without a timer. */
export function longDuration() {
  return duration({ min: 1000, max: TEN_YEARS });
}

/** A size, in bytes. */
export function size(min: number, max: number) {
  return quantity(`a number of bytes from ${min} to ${max}, or a size like 64KB, 32MB`, parseSize, min, max);
}

function quantity(
  error: string,
  parse: (written: string | number) => number | undefined,
  min: number,
  max: number,
) {
  return z
    .union([z.number({ error }).min(min, { error }), z.string({ error })], { error })
    .transform((value, context) => {
      const amount = parse(value);
      return amount !== undefined && amount >= min && amount <= max ? amount : refuse(context, error);
    });
}

function refuse(context: z.core.$RefinementCtx, message: string): never {
  context.issues.push({ code: 'custom', message, input: context.value });
  return z.NEVER;
}

/** One value, or a list of them. */
export function oneOrMore<Item extends z.ZodType<unknown, unknown>>(item: Item, expected: string) {
  return z.union([item, z.array(item, { error: expected })], { error: expected });
}

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
