// Writes values of Parquet's physical types as JSON text, by their logical types.
//
//   INT64, UINT64, DECIMAL    numbers with all their digits
//   DOUBLE, FLOAT             numbers; NaN is null, infinite ones are the strings "Infinity" and "-Infinity"
//   TIMESTAMP, DATE, TIME     ISO 8601, with as many digits as the unit has where the fraction is not zero
//   BYTE_ARRAY                a string; {"base64": "…"} where the bytes are no UTF-8
//   JSON                      the value itself

import { isUtf8 } from 'node:buffer';
import type { SchemaElement } from 'hyparquet';

/** Gives JSON text; undefined for null. */
export type ToText = (value: never) => string | undefined;

/** The type that hyparquet is given for a leaf, and how its values become text. */
export interface Leaf {
  converted?: 'UTF8' | 'JSON';
  text: ToText;
}

const asIs: ToText = (text: string) => text;

export function leafOf(element: SchemaElement, holdsJson: boolean): Leaf {
  const meaning = element.logical_type?.type ?? element.converted_type ?? '';
  if (element.type === 'BYTE_ARRAY') {
    if (holdsJson || meaning === 'JSON') return { converted: 'JSON', text: asIs };
    if (meaning === 'DECIMAL') return { text: decimalText(element) };
    return meaning === 'BSON' ? { text: base64Text } : { converted: 'UTF8', text: asIs };
  }
  if (element.type === 'FIXED_LEN_BYTE_ARRAY') return { text: fixedText(element, meaning) };
  return { text: numericText(element, meaning) };
}

function fixedText(element: SchemaElement, meaning: string): ToText {
  if (meaning === 'DECIMAL') return decimalText(element);
  if (meaning === 'UUID') return uuidText;
  return meaning === 'FLOAT16' ? (bytes: Uint8Array) => doubleText(halfOf(bytes)) : base64Text;
}

function numericText(element: SchemaElement, meaning: string): ToText {
  if (element.type === 'BOOLEAN') return (value: unknown) => (value ? 'true' : 'false');
  if (element.type === 'DOUBLE' || element.type === 'FLOAT') return doubleText;
  if (element.type === 'INT96') return (nanos: bigint) => timestampText(nanos, 9, false);
  if (meaning === 'DECIMAL') return decimalText(element);
  if (meaning === 'DATE') return (days: number) => dateText(days);
  const digits = fractionDigits(element);
  if (meaning.startsWith('TIMESTAMP')) {
    const utc = isUtc(element);
    return (value: bigint) => timestampText(value, digits, utc);
  }
  if (meaning.startsWith('TIME')) return (value: bigint) => `"${clock(BigInt(value), digits)}"`;
  return isUnsigned(element) ? unsignedText : String;
}

function isUnsigned({ logical_type, converted_type }: SchemaElement): boolean {
  if (logical_type?.type === 'INTEGER') return !logical_type.isSigned;
  return converted_type?.startsWith('UINT_') === true;
}

function unsignedText(value: number | bigint): string {
  return String(typeof value === 'bigint' ? BigInt.asUintN(64, value) : value >>> 0);
}

function doubleText(value: number | undefined): string | undefined {
  if (value === undefined || Number.isNaN(value)) return undefined;
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Reads IEEE 754 binary16, little-endian. */
function halfOf(bytes: Uint8Array): number {
  const bits = ((bytes[1] ?? 0) << 8) | (bytes[0] ?? 0);
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (fraction + 1024) * 2 ** (exponent - 25);
}

// --- decimals -------------------------------------------------------------------------------------------------

function decimalText(element: SchemaElement): ToText {
  const { logical_type: logical } = element;
  const scale = (logical?.type === 'DECIMAL' ? logical.scale : element.scale) ?? 0;
  return (value: number | bigint | Uint8Array) => {
    const unscaled = value instanceof Uint8Array ? signedOf(value) : BigInt(value);
    const sign = unscaled < 0n ? '-' : '';
    const digits = String(unscaled < 0n ? -unscaled : unscaled);
    // No published file has a negative scale, but the format allows it.
    if (scale <= 0) return sign + digits + (unscaled === 0n ? '' : '0'.repeat(-scale));
    const padded = digits.padStart(scale + 1, '0');
    return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
  };
}

/** Reads two's complement, the highest byte first. */
function signedOf(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}

// --- moments --------------------------------------------------------------------------------------------------

const SECONDS_A_DAY = 86_400n;
/** The last day that a Date can hold, of either sign. */
const LAST_DAY = 100_000_000n;

function fractionDigits({ logical_type: logical, converted_type: converted }: SchemaElement): number {
  if (logical?.type === 'TIMESTAMP' || logical?.type === 'TIME') {
    return { MILLIS: 3, MICROS: 6, NANOS: 9 }[logical.unit];
  }
  return converted?.endsWith('MICROS') ? 6 : 3;
}

function isUtc({ logical_type: logical }: SchemaElement): boolean {
  return logical?.type === 'TIMESTAMP' ? logical.isAdjustedToUTC : true;
}

/** Writes a timestamp. One that no Date can hold stays a number. */
function timestampText(value: bigint, digits: number, utc: boolean): string {
  const unitsADay = SECONDS_A_DAY * 10n ** BigInt(digits);
  const past = ((value % unitsADay) + unitsADay) % unitsADay;
  const days = (value - past) / unitsADay;
  if (days > LAST_DAY || days < -LAST_DAY) return String(value);
  return `"${dayName(Number(days))}T${clock(past, digits)}${utc ? 'Z' : ''}"`;
}

function dateText(days: number): string {
  return Math.abs(days) > LAST_DAY ? String(days) : `"${dayName(days)}"`;
}

function dayName(days: number): string {
  return new Date(days * 86_400_000).toISOString().split('T')[0] ?? '';
}

function clock(value: bigint, digits: number): string {
  const unit = 10n ** BigInt(digits);
  const seconds = Number(value / unit);
  const two = (part: number) => String(Math.trunc(part)).padStart(2, '0');
  const fraction = value % unit;
  const tail = fraction === 0n ? '' : `.${String(fraction).padStart(digits, '0')}`;
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}${tail}`;
}

// --- bytes ----------------------------------------------------------------------------------------------------

const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function base64Text(bytes: Uint8Array): string {
  return `{"base64":"${bufferOf(bytes).toString('base64')}"}`;
}

/** Writes UTF-8 as a string, with its byte order mark if it has one; other bytes as base64. */
export function bytesText(bytes: Uint8Array): string {
  return isUtf8(bytes) ? JSON.stringify(bufferOf(bytes).toString('utf8')) : base64Text(bytes);
}

/** Writes the JSON value that the text holds, on one line; a string if it is invalid. */
export function jsonText(bytes: Uint8Array): string {
  const text = isUtf8(bytes) ? bufferOf(bytes).toString('utf8') : '';
  try {
    JSON.parse(text);
  } catch {
    return bytesText(bytes);
  }
  // Line breaks between values become spaces: valid JSON has them nowhere else.
  return text.includes('\n') || text.includes('\r') ? text.replaceAll(/[\r\n]/g, ' ') : text;
}

function uuidText(bytes: Uint8Array): string {
  const hex = bufferOf(bytes).toString('hex');
  const cuts = [0, 8, 12, 16, 20, 32];
  return `"${cuts
    .slice(1)
    .map((end, n) => hex.slice(cuts[n], end))
    .join('-')}"`;
}
