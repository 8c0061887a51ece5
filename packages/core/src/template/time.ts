// `strftime_now` in UTC and in English, so that the same Date gives the same text on every machine.

const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

const DAY = 86_400_000;

/** Formats a date with the directives of glibc; `%-d` drops the padding. Unknown directives are kept as text. */
export function strftime(date: Date, format: string): string {
  return format.replace(/%(-?)([a-zA-Z%])/g, (whole, flag: string, letter: string) => {
    const text = DIRECTIVES[letter]?.(date);
    if (text === undefined) return whole;
    return flag ? text.replace(/^[0 ]+(?=\d)/, '') : text;
  });
}

const DIRECTIVES: Record<string, (date: Date) => string | undefined> = {
  Y: (date) => `${date.getUTCFullYear()}`,
  y: (date) => pad(date.getUTCFullYear() % 100),
  m: (date) => pad(date.getUTCMonth() + 1),
  B: (date) => MONTHS[date.getUTCMonth()],
  b: (date) => MONTHS[date.getUTCMonth()]?.slice(0, 3),
  h: (date) => MONTHS[date.getUTCMonth()]?.slice(0, 3),
  d: (date) => pad(date.getUTCDate()),
  e: (date) => pad(date.getUTCDate(), 2, ' '),
  A: (date) => DAYS[date.getUTCDay()],
  a: (date) => DAYS[date.getUTCDay()]?.slice(0, 3),
  u: (date) => `${date.getUTCDay() || 7}`,
  w: (date) => `${date.getUTCDay()}`,
  j: (date) => pad(dayOfYear(date) + 1, 3),
  H: (date) => pad(date.getUTCHours()),
  I: (date) => pad(date.getUTCHours() % 12 || 12),
  p: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  M: (date) => pad(date.getUTCMinutes()),
  S: (date) => pad(date.getUTCSeconds()),
  f: (date) => pad(date.getUTCMilliseconds() * 1000, 6),
  Z: () => '',
  z: () => '',
  F: (date) => strftime(date, '%Y-%m-%d'),
  D: (date) => strftime(date, '%m/%d/%y'),
  x: (date) => strftime(date, '%m/%d/%y'),
  T: (date) => strftime(date, '%H:%M:%S'),
  X: (date) => strftime(date, '%H:%M:%S'),
  R: (date) => strftime(date, '%H:%M'),
  c: (date) => strftime(date, '%a %b %e %H:%M:%S %Y'),
  n: () => '\n',
  t: () => '\t',
  '%': () => '%',
};

function pad(value: number, width = 2, fill = '0'): string {
  return `${value}`.padStart(width, fill);
}

function dayOfYear(date: Date): number {
  const day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  return (day - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY;
}
