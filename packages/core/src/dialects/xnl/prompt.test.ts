import { parseExpressionAt } from 'acorn';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineMarkers, neutralise } from '../../engine/markers.js';
import { Writer } from '../../engine/writer.js';
import type { JsonObject, Tool, ToolCall } from '../../model/index.js';
import { readJavaScriptCall } from '../../text/javascript-call.js';
import { fromXnlSegments } from './names.js';
import { quoteText, xnlRender } from './prompt.js';

const marks = ['!quote_start', '!quote_end', '!unquote_start', '!unquote_end', '</#'];
const markers = defineMarkers(marks);

const piece = fc.constantFrom(
  ...marks,
  ...['</#>', '</#r1>', '</#r12>', '</#m1>', '#r2', '<tool_call id="x" lang="javascript" #>', '</tool_resp>'],
  ...['!\\quote_end', '\n', '"', '\\', '\u2028', '__proto__'],
);
const hostile = fc.array(fc.oneof(piece, fc.string())).map((pieces) => pieces.join(''));

interface Element {
  tag: string;
  id: string;
  text: string;
}

/** The elements of a block, read as the protocol says: from the outside in, each up to its own closer. */
function elements(text: string): Element[] {
  const found: Element[] = [];
  let rest = take(text, '!unquote_start\n');
  while (rest !== '!unquote_end') {
    const head = /^<(tool_call|tool_resp) id=("(?:[^"\\]|\\.)*")( lang="javascript")? (#\w*)>\n/.exec(rest);
    if (!head) throw new Error(`no element: ${rest}`);
    const closer = `</${head[4]}>`;
    const end = rest.indexOf(closer);
    const content = rest.slice(head[0].length, end);
    expect(content.endsWith('\n')).toBe(true);
    found.push({ tag: head[1] ?? '', id: JSON.parse(head[2] ?? ''), text: content.slice(0, -1) });
    rest = take(rest.slice(end + closer.length), '\n');
  }
  return found;
}

function take(text: string, start: string): string {
  expect(text.startsWith(start)).toBe(true);
  return text.slice(start.length);
}

function call(name: string, input: JsonObject, more: Partial<ToolCall> = {}): ToolCall {
  return { type: 'tool-call', id: 'abcd', name, input, ...more };
}

function calls(list: readonly ToolCall[], out = new Writer(markers), afterText = false): string {
  xnlRender.calls(out, list, { tools: [], afterText });
  return out.text;
}

function results(outputs: readonly string[], out = new Writer(markers)): string {
  const list = outputs.map((output, at) => ({ type: 'tool-result' as const, callId: `${at}`, output }));
  xnlRender.results(out, list, { calls: [] });
  return out.text;
}

describe('calls', () => {
  it('are lines of JavaScript in one block', () => {
    const bash = call('SysBuiltIn.bash', { command: 'ls -al', timeoutMs: 2000 });
    const weather = call('get-weather', {}, { id: 'bcde' });
    const text = calls([bash, weather], new Writer(markers), true);
    expect(text).toBe(`
!unquote_start
<tool_call id="abcd" lang="javascript" #>
SysBuiltIn.bash({
  command: "ls -al",
  timeoutMs: 2000
})
</#>
<tool_call id="bcde" lang="javascript" #>
Tools["get-weather"]({})
</#>
!unquote_end`);
    expect(calls([bash, weather])).toBe(text.slice(1));
  });

  it('keep digits, key order and every key', () => {
    const raw = '{"b":1.0,"2":12345678901234567890,"__proto__":{"a b":-0},"class":1e400}';
    const [element] = elements(calls([call('f', {}, { raw })]));
    const read = readJavaScriptCall(element?.text ?? '');
    expect(read.ok && read.args).toEqual([raw]);
  });

  it('mean the same when read, whatever they hold, and show no marker', () => {
    const value = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        hostile,
        fc.jsonValue({ maxDepth: 0 }),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(hostile, tie('value'), { maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(hostile, hostile, fc.dictionary(hostile, value, { maxKeys: 3 }), (name, id, input) => {
        const text = calls([call(name, input as JsonObject, { id })]);
        const found = elements(text);
        expect(found).toMatchObject([{ tag: 'tool_call', id }]);
        const code = found[0]?.text ?? '';
        expect(parseExpressionAt(code, 0, { ecmaVersion: 2018 }).end).toBe(code.length);
        const read = readJavaScriptCall(code);
        expect(
          read.ok && [fromXnlSegments(read.segments), ...read.args.map((arg) => JSON.parse(arg))],
        ).toEqual([name, JSON.parse(JSON.stringify(input))]);
        for (const mark of marks) expect(code).not.toContain(mark);
      }),
    );
  });

  it('take another marker where nothing is escaped and the closer stands in them', () => {
    const text = calls([call('f', { text: '</#> </#m1>' })], new Writer(markers, 'exact'));
    expect(text).toContain('lang="javascript" #m2>\n');
    expect(elements(text)).toHaveLength(1);
  });
});

describe('results', () => {
  it('stand verbatim, one element each', () => {
    expect(results(['true', ''])).toBe(
      '!unquote_start\n<tool_resp id="0" #>\ntrue\n</#>\n<tool_resp id="1" #>\n\n</#>\n!unquote_end',
    );
  });

  it('take a marker that does not occur in them', () => {
    expect(results(['</#> #r1 #r25'])).toContain('<tool_resp id="0" #r3>\n</#> #r1 #r25\n</#r3>');
  });

  it.each(['escape', 'reject', 'exact'] as const)(
    'count as one frame each whatever they hold (%s)',
    (safety) => {
      fc.assert(
        fc.property(hostile, hostile, (one, other) => {
          const found = elements(results([one, other], new Writer(markers, safety)));
          expect(found).toEqual([
            { tag: 'tool_resp', id: '0', text: one },
            { tag: 'tool_resp', id: '1', text: other },
          ]);
        }),
      );
    },
  );
});

describe('other text', () => {
  const placed = (text: string, safety?: 'escape' | 'reject' | 'exact') => {
    const out = new Writer(markers, safety);
    xnlRender.text?.(out, text, 'messages[0].content');
    return out.text;
  };

  it('is as it was where it shows no marker', () => {
    expect(placed('a </#> <tool_call #> b')).toBe('a </#> <tool_call #> b');
  });

  it('is quoted where it shows one', () => {
    expect(placed('!unquote_start')).toBe('!quote_start\n!unquote_start\n!quote_end');
    expect(placed('a !quote_end b')).toBe('!quote_start\na !\\quote_end b\n!quote_end');
    expect(() => placed('!quote_end', 'reject')).toThrow(/^messages\[0\]\.content: /);
    expect(placed('!quote_end', 'exact')).toBe('!quote_end');
  });

  it('cannot leave its quote marks, and comes back', () => {
    const quoted = defineMarkers(['!quote_end']);
    fc.assert(
      fc.property(hostile, (text) => {
        const whole = placed(text);
        expect(whole).toBe(quoteText(text));
        if (whole === text) return;
        const inner = take(whole, '!quote_start\n');
        expect(inner.indexOf('!quote_end')).toBe(inner.length - '!quote_end'.length);
        expect(inner.slice(0, -'\n!quote_end'.length)).toBe(neutralise(text, quoted));
      }),
    );
  });
});

describe.each(['en', 'zh'] as const)('the taught prompt in %s', (language) => {
  const tools: Tool[] = [{ name: 'get_weather', description: 'Weather' }];
  const instructions = (short: boolean, list = tools) => {
    const out = new Writer(markers);
    xnlRender.instructions(out, list, { language, short });
    return out.text;
  };

  it('shows calls that can be read', () => {
    const found = [...instructions(false).matchAll(/lang="javascript" #>\n(.*?)\n(?:<\/#>|!unquote_end)/gs)];
    expect(found.length).toBe(9);
    for (const [, code = ''] of found)
      expect(readJavaScriptCall(code)).toMatchObject({ ok: true, repairs: [] });
  });

  it('ends with the definitions', () => {
    expect(instructions(false)).toMatch(/\ndeclare namespace Tools \{\n {2}\/\*\* Weather \*\/\n.*\n\}$/);
  });

  it('has a short form under 800 characters without the tools', () => {
    expect(instructions(true, []).length).toBeLessThan(800);
  });
});
