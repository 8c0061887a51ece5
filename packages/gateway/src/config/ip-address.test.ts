import { isIP } from 'node:net';
import { expect, it } from 'vitest';
import { ipVersion } from './ip-address.js';

it.each([
  '::',
  '::1',
  '1::',
  '1:2:3:4:5:6:7::',
  '::2:3:4:5:6:7:8',
  '::ffff:1.2.3.4',
  '1:2:3:4:5:6:1.2.3.4',
  'fe80::1%eth0',
])('%s is one', (text) => {
  expect(ipVersion(text)).toBe(6);
  expect(isIP(text)).toBe(6);
});

it.each([
  '',
  ':',
  ':::',
  '1::2::3',
  '1:2:3:4:5:6:7:8::',
  '1.2.3.4::',
  '::1.2.3.4:5',
  '1.2.3',
  '01.2.3.4',
  '[::1]',
  '::1%',
])('%j is none', (text) => {
  expect(ipVersion(text)).toBe(0);
  expect(isIP(text)).toBe(0);
});

it('looks at no long text', () => {
  expect(ipVersion('1:'.repeat(1e6))).toBe(0);
});
