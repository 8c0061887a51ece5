// Arguments of call expressions, whole and character by character.

import { describe, expect, test } from 'vitest';
import { type ArgumentRules, ArgumentStream } from './argument-stream.js';

const LIMITS = { maxDepth: 20, maxMembers: 1000 };
const python: ArgumentRules = { style: 'python', ...LIMITS, names: ['city', 'days'] };
const braces: ArgumentRules = { style: 'braces', quote: '<|"|>', firsts: '<', ...LIMITS };

interface Read {
  json: string;
  rest: string;
  repairs: string[];
  failure: string | undefined;
}

function read(pieces: readonly string[], rules: ArgumentRules): Read {
  const stream = new ArgumentStream(rules);
  let json = '';
  let window = '';
  for (const [at, piece] of pieces.entries()) {
    window += piece;
    const end = stream.read(window, 0, at === pieces.length - 1);
    json += stream.take();
    window = window.slice(end);
  }
  const repairs = stream.repairs.map(({ code, at }) => `${code}@${at}`);
  return { json, rest: window, repairs, failure: stream.failure?.code };
}

/** Reads the text whole and in single characters, which must agree. */
function readBoth(text: string, rules: ArgumentRules): Read {
  const whole = read([text], rules);
  const cut = read(
    [...Array(text.length).keys()].map((at) => text.charAt(at)),
    rules,
  );
  if (whole.failure === undefined) expect(cut).toEqual(whole);
  else expect(cut.failure).toBe(whole.failure);
  return whole;
}

describe('python', () => {
  test.each([
    ['()', '{}'],
    ['(city="NYC")', '{"city":"NYC"}'],
    ["(city='Martha\\'s', metric='\\\"cool\\\"')", '{"city":"Martha\'s","metric":"\\"cool\\""}'],
    ['( a = 1 , b = [ 1.0, True, None ] , )', '{"a":1,"b":[1.0,true,null]}'],
    ["(a={'x': {'y': ()}, 1: (1), None: (1,)})", '{"a":{"x":{"y":[]},"1":1,"null":[1]}}'],
    ['(a={}, b=[], c=-12345678901234567890)', '{"a":{},"b":[],"c":-12345678901234567890}'],
    ['(a="""x "quoted"\r\ny""", b=r"\\d")', '{"a":"x \\"quoted\\"\\ny","b":"\\\\d"}'],
    ['(a="one " \'two\')', '{"a":"one two"}'],
    ['(a="\\u4f60\\x41\\101\\q\\\n")', '{"a":"你AA\\\\q"}'],
    ['(**{"odd key": 1}, a=2)', '{"odd key":1,"a":2}'],
    ['(a="", b=\'\')', '{"a":"","b":""}'],
    ['(a="😀")', '{"a":"😀"}'],
  ])('%s', (text, json) => {
    expect(readBoth(`${text}]`, python)).toEqual({ json, rest: ']', repairs: [], failure: undefined });
  });

  test.each([
    ['({"city": "NYC"})', '{"city":"NYC"}', ['wrapped-arguments@1']],
    ['("NYC", 3)', '{"city":"NYC","days":3}', ['arguments-as-list@1', 'arguments-as-list@8']],
    ['(city: "NYC", "days"=2)', '{"city":"NYC","days":2}', ['other-spelling@5']],
    ["(a={'x', 'y'})", '{"a":["x","y"]}', ['python-literal@4']],
    ['(a=true, b=null)', '{"a":true,"b":null}', ['python-word@3', 'python-word@11']],
    ['(a={x: 1})', '{"a":{"x":1}}', ['unquoted-key@4']],
    [
      "(c='sed -n '360,450p' f.py')",
      '{"c":"sed -n \'360,450p\' f.py"}',
      ['unescaped-quote@11', 'unescaped-quote@20'],
    ],
    [
      "(c='python -c \"f(x='\\,'))\"')",
      '{"c":"python -c \\"f(x=\'\\\\,\'))\\""}',
      ['unescaped-quote@19', 'unescaped-quote@22'],
    ],
    ["(c='a\nb')", '{"c":"a\\nb"}', ['control-character@5']],
    ['(p="C:\\users")', '{"p":"C:\\\\users"}', ['bad-escape@6']],
    ['(a=[1, 2)', '{"a":[1,2]}', ['missing-bracket@8']],
    ['(city="x"\n days=2)', '{"city":"x","days":2}', ['missing-comma@11']],
    ['(a=1, # one\n b=2)', '{"a":1,"b":2}', ['comment@6']],
    ['(a="007", b=007)', '{"a":"007","b":"007"}', ['number-format@12']],
  ])('%s with repairs', (text, json, repairs) => {
    expect(readBoth(`${text}]`, python)).toEqual({ json, rest: ']', repairs, failure: undefined });
  });

  test.each([
    ['(x)', 'unsupported-code'],
    ['(x=y)', 'unsupported-code'],
    ['(x=f(1))', 'unsupported-code'],
    ['(x="a" + "b")', 'unsupported-code'],
    ['(x="a".join(y))', 'unsupported-code'],
    ['(x=1 + 2)', 'unsupported-code'],
    ['(x=f"a")', 'unsupported-code'],
    ['(x=)', 'unreadable-call'],
    [`(x=${'['.repeat(30)}`, 'too-deep'],
  ])('%s is refused', (text, code) => {
    expect(readBoth(text, python).failure).toBe(code);
  });
});

describe('braces', () => {
  test.each([
    ['{}', '{}'],
    ['{x:<|"|>a<|"|>,n:3,o:{k:true}}', '{"x":"a","n":3,"o":{"k":true}}'],
    ['{sql:<|"|>SELECT a,b:and{brace} ]<|"|>}', '{"sql":"SELECT a,b:and{brace} ]"}'],
    ['{<|"|>odd key<|"|>:[<|"|>a<|"|>,null,-1.5]}', '{"odd key":["a",null,-1.5]}'],
    ['{x:<|"|>say "hi" \\n <b<|"|>}', '{"x":"say \\"hi\\" \\\\n <b"}'],
  ])('%s', (text, json) => {
    expect(readBoth(`${text}<`, braces)).toEqual({ json, rest: '<', repairs: [], failure: undefined });
  });

  test.each([
    ['{x:Paris, France}', '{"x":"Paris"', 'unreadable-call'],
    ['{x:New York}', '{"x":"New York"}', undefined],
    ['{"x": "a\\nb"}', '{"x":"a\\nb"}', undefined],
  ])('%s, generously', (text, json, failure) => {
    expect(readBoth(`${text}<`, braces)).toMatchObject({ json, failure });
  });
});

test('a string passes character by character', () => {
  const stream = new ArgumentStream(python);
  stream.read('(text="Once upon', 0, false);
  expect(stream.take()).toBe('{"text":"Once upon');
});
