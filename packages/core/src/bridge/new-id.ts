// Fresh ids as clients expect them: a prefix and 24 letters and digits.

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function newId(prefix: string): string {
  let id = prefix;
  while (id.length < prefix.length + 24) {
    for (const byte of crypto.getRandomValues(new Uint8Array(32))) {
      // 248 is the largest multiple of 62 in a byte: what lies above would favour some letters.
      if (byte < 248 && id.length < prefix.length + 24) id += alphabet.charAt(byte % 62);
    }
  }
  return id;
}
