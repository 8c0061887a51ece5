// Which JSON numbers fit into Parquet's types without losing a digit.

const MOST = 2n ** 63n - 1n;
/** The length of the longest 64-bit integer, with its sign. */
const LONGEST = 20;

export function isInt64(text: string): boolean {
  // Integers have no '-0'.
  if (text.length > LONGEST || text === '-0' || !/^-?[0-9]+$/.test(text)) return false;
  const value = BigInt(text);
  return value <= MOST && value >= -MOST - 1n;
}

/** Whether the nearest double is written with the same digits. */
export function isDouble(text: string): boolean {
  const value = Number(text);
  return Number.isFinite(value) && significant(text) === significant(String(value));
}

/** Gives digits and power of ten, the same for all spellings of a value: `1.50e3` and `1500` are `15e2`. */
function significant(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = trimZeros(whole + fraction);
  if (digits === '') return '0';
  const zeros = whole.length + fraction.length - endOf(whole + fraction);
  return `${digits}e${Number(exponent) - fraction.length + zeros}`;
}

function endOf(digits: string): number {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  return end;
}

function trimZeros(digits: string): string {
  let start = 0;
  const end = endOf(digits);
  while (start < end && digits[start] === '0') start++;
  return digits.slice(start, end);
}
