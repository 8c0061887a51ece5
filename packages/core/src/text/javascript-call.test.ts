// biome-ignore-all lint/suspicious/noTemplateCurlyInString: models write ${} inside strings, and so do these tests

import { describe, expect, it } from 'vitest';
import { type CallExpression, readJavaScriptCall } from './javascript-call.js';
import type { LiteralError } from './literal-scanner.js';

function read(source: string): CallExpression {
  const result = readJavaScriptCall(source);
  if (!result.ok) throw new Error(`${result.message} (${result.line}:${result.column})`);
  return result;
}

function refuse(source: string): LiteralError {
  const result = readJavaScriptCall(source);
  if (result.ok) throw new Error(`was read as ${result.path}(${result.args})`);
  return result;
}

/** The JSON text of a single argument. */
const argument = (source: string) => read(`f(${source})`).args.join(' | ');
const parsed = (source: string) => JSON.parse(argument(source));
const codes = (source: string) => read(source).repairs.map(({ code }) => code);

describe('a call', () => {
  it('has a path, and its arguments as JSON text', () => {
    const source = 'SysBuiltIn.bash({ command: "ls -al", timeoutMs: 2000 })';
    const call = read(source);
    expect(call).toMatchObject({
      path: 'SysBuiltIn.bash',
      segments: ['SysBuiltIn', 'bash'],
      args: ['{"command":"ls -al","timeoutMs":2000}'],
      repairs: [],
      duplicates: [],
    });
    expect(source.slice(...call.nameRange)).toBe('SysBuiltIn.bash');
    expect(source.slice(...call.argsRange)).toBe('{ command: "ls -al", timeoutMs: 2000 }');
  });

  it.each([
    ['f()', 'f', []],
    ['  await f(1) ;; // done', 'f', ['1']],
    ['await/**/f(1,)', 'f', ['1']],
    ['/* a */ $a . _b /* b */\n.c1 ( "x" , 2 )', '$a._b.c1', ['"x"', '2']],
    ['工具.天气({城市: "北京"})', '工具.天气', ['{"城市":"北京"}']],
    ['Tools["get-weather"]({})', 'Tools.get-weather', ['{}']],
    ["Tools [ 'a' ] [`b`].c()", 'Tools.a.b.c', []],
    ['a.delete.new.await()', 'a.delete.new.await', []],
    ['constructor.prototype.__proto__({})', 'constructor.prototype.__proto__', ['{}']],
    ['\ufefff(({a: [(1)]}))', 'f', ['{"a":[1]}']],
  ])('is read in any layout: %j', (source, path, args) => {
    expect(read(source)).toMatchObject({ path, args, repairs: [] });
  });

  it.each([
    ['', 1, 1, 'found the end; only one call'],
    ['f', 1, 2, 'found the end where `(` is due'],
    ['f(', 1, 3, 'found the end where a value is due'],
    ['f({a: 1}', 1, 9, '`,` or `)` is due'],
    ['f(1)\ng(2)', 2, 1, 'found `g` behind the call'],
    ['f(1), g(2)', 1, 5, 'behind the call'],
    ['f(1).then(g)', 1, 5, 'found `.` behind the call'],
    ['f.constructor("return 1")()', 1, 26, 'behind the call'],
    ['f(1)`x`', 1, 5, 'behind the call'],
    ['f?.(1)', 1, 2, 'found `?` where `(` is due'],
    ['a?.b(1)', 1, 2, 'found `?` where `(` is due'],
    ['a[0](1)', 1, 3, 'only a string'],
    ['a[b](1)', 1, 3, 'only a string'],
    ['a.#b(1)', 1, 3, 'where a name is due'],
    ['a-b(1)', 1, 2, 'found `-`'],
    ['const x = f(1)', 1, 1, 'found `const`'],
    ['\n  return f(1)', 2, 3, 'found `return`'],
    ['new Foo(1)', 1, 1, 'found `new`'],
    ['typeof({})', 1, 1, 'found `typeof`'],
    ['await ({})', 1, 7, 'found `(`'],
    ['await await f()', 1, 7, 'found `await`'],
    ['() => f(1)', 1, 1, 'found `(`'],
    ['"".constructor("x")', 1, 1, 'found `"`'],
    ['f(1) /* a', 1, 6, 'comment that opens here is never closed'],
    ['f(/* a', 1, 3, 'comment that opens here is never closed'],
    ['\\u0066(1)', 1, 1, 'found `\\`'],
  ])('is not %j: the error is at %i:%i and says %j', (source, line, column, message) => {
    expect(refuse(source)).toMatchObject({ line, column, message: expect.stringContaining(message) });
  });
});

describe('an argument', () => {
  it('keeps the digits of its author', () => {
    const digits = '[1.0,-0,1e400,12345678901234567890,0.10,1E+05]';
    expect(argument(digits)).toBe(digits);
    expect(argument('[.5, 5., 5.e3, +1, - 2, 1_000.5_0, 123n, -0n, 0xFF, 0o17, 0b101, -0x1_0n]')).toBe(
      '[0.5,5,5e3,1,-2,1000.50,123,0,255,15,5,-16]',
    );
    expect(argument('0xFFFFFFFFFFFFFFFFFF')).toBe('4722366482869645213695');
  });

  it('has strings with every escape of the language', () => {
    expect(parsed(String.raw`'\n\t\b\f\v\r\0\'\"\\\/\d'`)).toBe('\n\t\b\f\v\r\0\'"\\/d');
    expect(parsed(String.raw`"\x41\u00e9\u{1F600}\u{00000041}\ud83d\ude00"`)).toBe('Aé😀A😀');
    expect(parsed('"a\\\nb\\\r\nc\\\u2028d"')).toBe('abcd');
    expect(parsed('`a\r\nb\rc\n$ \\${x} \\` $`')).toBe('a\nb\nc\n$ ${x} ` $');
    expect(parsed('"a\u2028\tb"')).toBe('a\u2028\tb');
  });

  it('joins strings, the one sum that needs no running', () => {
    expect(readJavaScriptCall('f("a" + "b")').ok).toBe(false);
  });

  it('has keys in every spelling', () => {
    expect(argument('{a: 1, "b c": 2, \'d\': 3, 4: 5, ["e"]: 6, get: 7, if: 8, $_: 9}')).toBe(
      '{"a":1,"b c":2,"d":3,"4":5,"e":6,"get":7,"if":8,"$_":9}',
    );
    expect(argument('{1.0: 1, .5: 2, 0x10: 3, 1e3: 4, 12345678901234567890: 5}')).toBe(
      '{"1":1,"0.5":2,"16":3,"1000":4,"12345678901234567890":5}',
    );
  });

  it('may hold a key twice: both are kept, and the second is shown', () => {
    expect(read('f({a: 1, b: {a: 2}, "a": 3})')).toMatchObject({
      args: ['{"a":1,"b":{"a":2},"a":3}'],
      duplicates: [{ key: 'a', at: 20 }],
    });
  });

  it('takes `__proto__` for a key like any other (M5)', () => {
    const value = parsed('{__proto__: {polluted: true}, constructor: {prototype: 1}}');
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('a repair', () => {
  it('is a comma that a line break stands for', () => {
    expect(read('f({\n  path: "a.txt"\n  content: "x"\n})')).toMatchObject({
      args: ['{"path":"a.txt","content":"x"}'],
      repairs: [{ code: 'missing-comma', at: 22 }],
    });
    expect(codes('f({a: 1 // one\n"b": [1\n2 /*\n*/ {}\n"x"\ntrue]})')).toEqual(
      Array(5).fill('missing-comma'),
    );
  });

  it('is a word of Python', () => {
    expect(read('f([True, False, None])')).toMatchObject({ args: ['[true,false,null]'] });
    expect(codes('f([True, False, None])')).toEqual(['python-word', 'python-word', 'python-word']);
  });

  it('is a line break inside quotes, listed once a string', () => {
    expect(read('f("a\n\'b\n", "\r\n")')).toMatchObject({
      args: ['"a\\n\'b\\n"', '"\\r\\n"'],
      repairs: [
        { code: 'control-character', at: 4 },
        { code: 'control-character', at: 12 },
      ],
    });
  });

  it('is an octal escape', () => {
    expect(parsed(String.raw`"\033[0m\08\9\777"`)).toBe('\x1b[0m\0' + '89?7');
    expect(codes(String.raw`f("\033\0")`)).toEqual(['bad-escape']);
  });

  it('is never a comma that JavaScript does not miss', () => {
    for (const rest of ['-2', '+2', '[0]', '(2)', '`a`', '/a/g', '.5', '* 2', '? 1 : 2']) {
      expect(refuse(`f([1\n${rest}])`)).toMatchObject({ line: 2, column: 1 });
    }
    expect(refuse('f({a: 1 b: 2})')).toMatchObject({ line: 1, column: 9 });
  });
});

describe('code that would have to be run (M8)', () => {
  it.each([
    ['f({\n  key: process.env.X\n})', 2, 8, '`process` is no literal'],
    ['f({ a: `x ${y}` })', 1, 11, 'a template with ${} would have to be run'],
    ['f({ a: tag`x` })', 1, 8, '`tag` is no literal'],
    ['f({\n  get a() { return 1 }\n})', 2, 3, 'getter'],
    ['f({ set a(x) {} })', 1, 5, 'getter, setter'],
    ['f({ a() {} })', 1, 5, 'a method'],
    ['f({ async a() {} })', 1, 5, 'method'],
    ['f({ *a() {} })', 1, 5, 'a method'],
    ['f({ ...rest })', 1, 5, 'spread'],
    ['f(...rest)', 1, 3, 'spread'],
    ['f([1, ...rest])', 1, 7, 'spread'],
    ['f({ [key]: 1 })', 1, 5, 'a computed key'],
    ['f({ ["a" + b]: 1 })', 1, 5, 'a computed key'],
    ['f({ key })', 1, 5, 'shorthand'],
    ['f({ a: 1, key, b: 2 })', 1, 11, 'shorthand'],
    ['f("".constructor("x"))', 1, 5, '`.` behind a value'],
    ['f([].constructor.constructor("x")())', 1, 5, '`.` behind a value'],
    ['f({ a: /x+/g })', 1, 8, 'a regex'],
    ['f(new Date())', 1, 3, '`new` is no literal'],
    ['f(() => 1)', 1, 4, 'found `)` where a value is due'],
    ['f(function () {})', 1, 3, '`function` is no literal'],
    ['f(g(1))', 1, 3, '`g` is no literal'],
    ['f(1 + 2)', 1, 5, '`+` behind a value'],
    ['f("a" + 1)', 1, 7, '`+` behind a value'],
    ['f("a" + b)', 1, 7, '`+` behind a value'],
    ['f("a" ? 1 : 2)', 1, 7, '`?` behind a value'],
    ['f(!0)', 1, 3, '`!` would have to be run'],
    ['f(-x)', 1, 3, '`-` before anything but a number'],
    ['f(--1)', 1, 3, '`-` before anything but a number'],
    ['f({ a: undefined })', 1, 8, '`undefined` has no JSON form'],
    ['f([NaN])', 1, 4, '`NaN` has no JSON form'],
    ['f(-Infinity)', 1, 3, '`-` before'],
    ['f([1,,2])', 1, 6, 'a hole'],
    ['f([,])', 1, 4, 'a hole'],
    ['f({ "a" })', 1, 9, '`:` is due'],
    ['f({ a = 1 })', 1, 7, '`:` is due'],
    ['f({ `a`: 1 })', 1, 5, 'a key is due'],
    ['f({,})', 1, 4, 'a key is due'],
    ['f(,)', 1, 3, 'a value is due'],
    ['f(010)', 1, 3, 'may not start with 0'],
    ['f(1__0)', 1, 4, 'inside a number'],
    ['f(5px)', 1, 4, 'inside a number'],
    ['f(1.5n)', 1, 6, 'inside a number'],
    ['f(0x)', 1, 3, '`0x` needs digits'],
    ['f(1e)', 1, 5, 'an exponent needs digits'],
    ['f("\\xZZ")', 1, 4, '2 hex digits'],
    ['f("C:\\users")', 1, 6, '4 hex digits'],
    ['f("\\u{110000}")', 1, 4, '10FFFF'],
    ['f("a)', 1, 3, 'string that opens here is never closed'],
    ['f("a\\', 1, 3, 'string that opens here is never closed'],
    ['f(\r\n  "a",\r  x)', 3, 3, '`x` is no literal'],
  ])('is refused: %j at %i:%i, saying %j', (source, line, column, message) => {
    expect(refuse(source)).toMatchObject({ line, column, message: expect.stringContaining(message) });
  });
});

describe('depth (M13)', () => {
  const nest = (depth: number, open = '[', close = ']') => `${open.repeat(depth)}1${close.repeat(depth)}`;

  it('is 128 levels at most, unless told, and 1,000 in any case', () => {
    expect(argument(nest(128))).toBe(nest(128));
    expect(refuse(`f(${nest(129)})`)).toMatchObject({ code: 'too-deep', at: 130 });
    expect(refuse(`f(${nest(100_000)})`)).toMatchObject({ code: 'too-deep', at: 130 });
    for (const maxDepth of [1e9, Number.POSITIVE_INFINITY]) {
      expect(readJavaScriptCall(`f(${nest(1000)})`, { maxDepth }).ok).toBe(true);
      expect(readJavaScriptCall(`f(${nest(1001)})`, { maxDepth }).ok).toBe(false);
    }
  });

  it('counts every bracket', () => {
    expect(readJavaScriptCall(`f(${nest(4, '{a:', '}')})`, { maxDepth: 4 }).ok).toBe(true);
    expect(readJavaScriptCall(`f(${nest(5, '{a:', '}')})`, { maxDepth: 4 }).ok).toBe(false);
    expect(readJavaScriptCall(`f(${nest(5, '(', ')')})`, { maxDepth: 4 }).ok).toBe(false);
    expect(readJavaScriptCall('f({})', { maxDepth: Number.NaN }).ok).toBe(false);
  });
});
