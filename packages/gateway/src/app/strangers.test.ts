import { describe, expect, it } from 'vitest';
import { configFromFlags } from '../config/index.js';
import { Strangers } from './strangers.js';

const found = configFromFlags({}, {});
if (!found.ok) throw new Error('the flags are wrong');
const limits = { ...found.config.limits, wrongKeysPerMinute: 2 };

describe('requests without a known key', () => {
  it('are limited by address and minute', () => {
    let now = 0;
    const strangers = new Strangers(() => now);
    const count = (address: string) => strangers.count('wrongKeysPerMinute', address, limits);
    count('10.0.0.1');
    count('10.0.0.1');
    expect(() => count('10.0.0.1')).toThrow('2 requests with a wrong key or none a minute');
    count('10.0.0.2');
    now = 60_000;
    count('10.0.0.1');
  });

  it('count one network of IPv6 as one address', () => {
    const strangers = new Strangers();
    for (const end of ['1', '2']) strangers.count('wrongKeysPerMinute', `2001:db8:1:2::${end}`, limits);
    expect(() => strangers.count('wrongKeysPerMinute', '2001:db8:1:2::3', limits)).toThrow();
  });

  it.each([
    ['2001:db8::1', '2001:db8:0:0:5:6:7:8', '2001:0DB8::9:8:7:6'],
    ['2001:db8:0:1::', '2001:db8:0:1:ffff::', '2001:db8::1:0:0:0:5'],
    ['::1', '::2:0:0:3', '0:0:0:0:9::'],
    ['fe80::1%eth0', 'fe80::2', 'fe80:0:0:0:1:2:3:4'],
  ])('count %s, %s and %s as one network', (...addresses) => {
    const strangers = new Strangers();
    const [first = '', second = '', third = ''] = addresses;
    for (const address of [first, second]) strangers.count('wrongKeysPerMinute', address, limits);
    expect(() => strangers.count('wrongKeysPerMinute', third, limits)).toThrow();
    strangers.count('wrongKeysPerMinute', '2001:db8:0:2::1', limits);
  });

  it('take bounded memory', () => {
    const strangers = new Strangers();
    for (let n = 0; n < 20_000; n++)
      strangers.count('wrongKeysPerMinute', `10.0.${n >> 8}.${n & 255}`, limits);
    expect(strangers.size).toBe(10_000);
  });
});
