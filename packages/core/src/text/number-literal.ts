// Reads numbers of JavaScript and Python as JSON, with their digits as written:
//
//     1.0 → 1.0    .5 → 0.5    1_000 → 1000    0x10 → 16    12345678901234567890 and 1e400 as they are
//
// No number is converted to a float, which would lose digits. The caller reads the sign.

import { continuesIdentifier } from './identifiers.js';
import type { LiteralScanner } from './literal-scanner.js';

export interface NumberLiteral {
  json: string;
  kind: 'integer' | 'bigint' | 'float';
}

export interface NumberRules {
  /** `00`, `01.5` and `0x_1` are numbers, as in Python. In JavaScript `010` may mean 8. */
  looseZeros: boolean;
  /** What replaces the point of `5.` in the JSON. */
  emptyFraction: '' | '.0';
  /** `5n` is an integer. */
  bigints: boolean;
}

const decimal = '0123456789';
const radixes = new Map([
  ['0x', '0123456789abcdefABCDEF'],
  ['0o', '01234567'],
  ['0b', '01'],
]);
/** Converting to decimal is the one step that is not linear, so it is bounded. A float reaches 1,024 binary digits. */
const maxRadixDigits = 1024;

/** Whether a number without a sign starts here. */
export function startsNumber(scanner: LiteralScanner): boolean {
  const { source, at } = scanner;
  return isDigit(source, at) || (source.charAt(at) === '.' && isDigit(source, at + 1));
}

/** Reads a number that begins with a digit, or with a point and a digit. */
export function readNumber(scanner: LiteralScanner, rules: NumberRules): NumberLiteral | undefined {
  const start = scanner.at;
  const prefix = scanner.source.slice(start, start + 2).toLowerCase();
  const digits = radixes.get(prefix);
  const number = digits ? readRadix(scanner, digits, prefix, rules) : readDecimal(scanner, rules);
  if (!number) return undefined;
  if (rules.bigints && number.kind === 'integer' && scanner.take('n')) number.kind = 'bigint';
  if (!continuesIdentifier(scanner)) return number;
  return scanner.fail('unreadable-call', `found ${scanner.found()} inside a number`);
}

function readRadix(
  scanner: LiteralScanner,
  digits: string,
  prefix: string,
  rules: NumberRules,
): NumberLiteral | undefined {
  const start = scanner.at;
  scanner.at += 2;
  if (rules.looseZeros && isDigit(scanner.source, scanner.at + 1, digits)) scanner.take('_');
  const text = readDigits(scanner, digits);
  if (text === '') return scanner.fail('unreadable-call', `\`${prefix}\` needs digits behind it`, start);
  if (text.length > maxRadixDigits) {
    return scanner.fail('unreadable-call', `a number with \`${prefix}\` has more than 1,024 digits`, start);
  }
  return { json: BigInt(prefix + text).toString(), kind: 'integer' };
}

function readDecimal(scanner: LiteralScanner, rules: NumberRules): NumberLiteral | undefined {
  const start = scanner.at;
  const whole = readDigits(scanner);
  const fraction = scanner.take('.') ? readDigits(scanner) : undefined;
  const exponent = readExponent(scanner);
  if (exponent === undefined) return undefined;
  const kind = fraction === undefined && exponent === '' ? 'integer' : 'float';
  if (hasBadZeros(whole, kind, rules)) {
    return scanner.fail('unreadable-call', 'a number may not start with 0; write 8 or 10 for 010', start);
  }
  const point = fraction ? `.${fraction}` : fraction === '' ? rules.emptyFraction : '';
  return { json: (whole.replace(/^0+(?=[0-9])/, '') || '0') + point + exponent, kind };
}

function hasBadZeros(whole: string, kind: NumberLiteral['kind'], rules: NumberRules): boolean {
  if (whole.length < 2 || !whole.startsWith('0')) return false;
  return !rules.looseZeros || (kind === 'integer' && /[1-9]/.test(whole));
}

/** Reads `e`, sign and digits; '' if there is no exponent. */
function readExponent(scanner: LiteralScanner): string | undefined {
  if (!scanner.isOneOf('eE')) return '';
  const mark = scanner.next();
  const sign = scanner.isOneOf('+-') ? scanner.next() : '';
  const digits = readDigits(scanner);
  if (digits === '') return scanner.fail('unreadable-call', 'an exponent needs digits');
  return mark + sign + digits;
}

/** Reads digits and drops their separators. A `_` is a separator only between two digits. */
function readDigits(scanner: LiteralScanner, digits = decimal): string {
  const { source, at: start } = scanner;
  let text = '';
  let from = start;
  while (isDigit(source, scanner.at, digits)) {
    scanner.at += 1;
    if (source.charAt(scanner.at) !== '_' || !isDigit(source, scanner.at + 1, digits)) continue;
    text += source.slice(from, scanner.at);
    scanner.at += 1;
    from = scanner.at;
  }
  return text + source.slice(from, scanner.at);
}

function isDigit(source: string, at: number, digits = decimal): boolean {
  const char = source.charAt(at);
  return char !== '' && digits.includes(char);
}

/** Prints a float as Python does: 1.0, 1e+16 and 1e-05, not 1, 10000000000000000 and 0.00001. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [mantissa = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 16) return Number.isInteger(value) ? `${value}.0` : `${value}`;
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${`${Math.abs(exponent)}`.padStart(2, '0')}`;
}
