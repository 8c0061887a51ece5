// Fresh ids as clients expect them: a prefix and 24 letters and digits.

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Asked for in advance: a few bytes cost as much as many. */
const bytes = new Uint8Array(2048);
let used = bytes.length;

export function newId(prefix: string): string {
  let id = prefix;
  while (id.length < prefix.length + 24) {
    const byte = nextByte();
    // 248 is the largest multiple of 62 in a byte: what lies above would favour some letters.
    if (byte < 248) id += alphabet.charAt(byte % 62);
  }
  return id;
}

function nextByte(): number {
  if (used === bytes.length) {
    crypto.getRandomValues(bytes);
    used = 0;
  }
  return bytes[used++] as number;
}
