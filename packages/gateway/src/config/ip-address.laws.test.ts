import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ipVersion } from './ip-address.js';

const part = fc.oneof(
  fc.nat(300).map(String),
  fc.nat(0x1ffff).map((number) => number.toString(16)),
  fc.constantFrom('', '0', '00', '01', 'ffff', 'FFFF', 'g', '1.2.3.4', '255.255.255.255', '256.1.1.1', ' 1'),
);
/** Groups with one and two colons between them, and the ends that addresses have. */
const mix = fc
  .tuple(
    fc.constantFrom('', ':', '::'),
    fc.array(fc.tuple(part, fc.constantFrom(':', ':', ':', '::', '.', ':::')), { maxLength: 9 }),
    fc.constantFrom('', ':', '::', '0', '1.2.3.4', '%eth0', '%', '%a b', '%1%2', '\n'),
  )
  .map(([start, middle, end]) => start + middle.flat().join('') + end);

const right = fc.oneof(fc.ipV4(), fc.ipV6());
/** An address with one character more, fewer, or another. */
const almost = fc
  .tuple(right, fc.nat(45), fc.constantFrom('', ':', '.', '0', 'f', 'g', '%'))
  .map(([text, at, put]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + put + text.slice(place + (at % 2));
  });

it('agrees with node:net about what is an address, and of which version', () => {
  const counts = { 0: 0, 4: 0, 6: 0 };
  fc.assert(
    fc.property(fc.oneof(right, almost, mix, fc.string()), (text) => {
      const expected = isIP(text) as 0 | 4 | 6;
      counts[expected]++;
      expect(ipVersion(text), JSON.stringify(text)).toBe(expected);
    }),
    { seed: 11, numRuns: 50_000 },
  );
  // Enough of each, or the law would say little.
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(5000);
});
