import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJavaScriptCall } from '../../text/javascript-call.js';
import { fromXnlSegments, toXnlPath, toXnlSegments } from './names.js';

const anyName = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        'Tools',
        'a',
        'b',
        '.',
        '-',
        ':',
        'delete',
        '__proto__',
        '"',
        '\\',
        ']',
        '[',
        '\u2028',
        '',
      ),
    )
    .map((pieces) => pieces.join('')),
);

describe('a tool name in xnl', () => {
  it.each([
    ['get_weather', 'Tools.get_weather'],
    ['SysBuiltIn.bash', 'SysBuiltIn.bash'],
    ['a.b.c', 'a.b.c'],
    ['get-weather', 'Tools["get-weather"]'],
    ['a:b', 'Tools["a:b"]'],
    ['a.b-c', 'Tools["a.b-c"]'],
    ['Tools.x', 'Tools["Tools.x"]'],
    ['Tools', 'Tools.Tools'],
    ['delete', 'Tools.delete'],
    ['delete.x', 'Tools["delete.x"]'],
    ['constructor', 'Tools.constructor'],
    ['', 'Tools[""]'],
    ['获取天气', 'Tools["获取天气"]'],
  ])('%s is spelled %s', (name, path) => {
    expect(toXnlPath(name)).toBe(path);
  });

  it('comes back from its segments', () => {
    fc.assert(fc.property(anyName, (name) => fromXnlSegments(toXnlSegments(name)) === name));
  });

  it('shares its path with no other', () => {
    fc.assert(
      fc.property(anyName, anyName, (one, other) => {
        fc.pre(one !== other);
        expect(toXnlSegments(one)).not.toEqual(toXnlSegments(other));
        expect(toXnlPath(one)).not.toBe(toXnlPath(other));
      }),
    );
  });

  it('comes back from the code that calls it', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const read = readJavaScriptCall(`${toXnlPath(name)}({})`);
        expect(read.ok && fromXnlSegments(read.segments)).toBe(name);
      }),
    );
  });

  it('is found without its namespace, and with one too many', () => {
    expect(fromXnlSegments(['get_weather'])).toBe('get_weather');
    expect(fromXnlSegments(['Tools', 'SysBuiltIn', 'bash'])).toBe('SysBuiltIn.bash');
    expect(fromXnlSegments([])).toBe('');
  });
});
