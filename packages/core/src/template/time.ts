// `strftime_now` in UTC and in English, so that the same Date gives the same text on every machine.

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const DAY = 86_400_000;

/** Formats a date with the directives of glibc; `%-d` drops the padding. Unknown directives are kept as text. */
export function strftime(date: Date, format: string): string {
  return format.replace(/%(-?)([a-zA-Z%])/g, (whole, flag: string, letter: string) => {
    const text = directive(date, letter);
    if (text === undefined) return whole;
    return flag ? text.replace(/^[0 ]+(?=\d)/, '') : text;
  });
}

function directive(date: Date, letter: string): string | undefined {
  switch (letter) {
    case 'Y':
      return `${date.getUTCFullYear()}`;
    case 'y':
      return pad(date.getUTCFullYear() % 100);
    case 'm':
      return pad(date.getUTCMonth() + 1);
    case 'B':
      return MONTHS[date.getUTCMonth()];
    case 'b':
    case 'h':
      return MONTHS[date.getUTCMonth()]?.slice(0, 3);
    case 'd':
      return pad(date.getUTCDate());
    case 'e':
      return pad(date.getUTCDate(), 2, ' ');
    case 'A':
      return DAYS[date.getUTCDay()];
    case 'a':
      return DAYS[date.getUTCDay()]?.slice(0, 3);
    case 'u':
      return `${date.getUTCDay() || 7}`;
    case 'w':
      return `${date.getUTCDay()}`;
    case 'j':
      return pad(dayOfYear(date) + 1, 3);
    case 'H':
      return pad(date.getUTCHours());
    case 'I':
      return pad(date.getUTCHours() % 12 || 12);
    case 'p':
      return date.getUTCHours() < 12 ? 'AM' : 'PM';
    case 'M':
      return pad(date.getUTCMinutes());
    case 'S':
      return pad(date.getUTCSeconds());
    case 'f':
      return pad(date.getUTCMilliseconds() * 1000, 6);
    case 'Z':
    case 'z':
      return '';
    case 'F':
      return strftime(date, '%Y-%m-%d');
    case 'D':
    case 'x':
      return strftime(date, '%m/%d/%y');
    case 'T':
    case 'X':
      return strftime(date, '%H:%M:%S');
    case 'R':
      return strftime(date, '%H:%M');
    case 'c':
      return strftime(date, '%a %b %e %H:%M:%S %Y');
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case '%':
      return '%';
    default:
      return undefined;
  }
}

function pad(value: number, width = 2, fill = '0'): string {
  return `${value}`.padStart(width, fill);
}

function dayOfYear(date: Date): number {
  const day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  return (day - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY;
}
