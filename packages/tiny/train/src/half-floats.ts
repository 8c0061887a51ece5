// Numbers of 16 bits.

export function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const word = new Float32Array(1);
const wordBits = new Uint32Array(word.buffer);

export function toHalf(value: number): number {
  word[0] = value;
  const bits = wordBits[0] as number;
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 255) - 112;
  const fraction = bits & 0x7fffff;
  if (exponent >= 31) return sign | 0x7c00;
  if (exponent > 0) return sign | ((exponent << 10) + ((fraction + 0x1000) >>> 13));
  if (exponent < -10) return sign;
  const shift = 14 - exponent;
  return sign | (((fraction | 0x800000) + (1 << (shift - 1))) >>> shift);
}
