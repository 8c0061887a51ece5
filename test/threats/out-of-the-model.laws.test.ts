// Threats out of a model's text. Each row of the table "Out of the model" is a test that begins with its id;
// time and memory (M13 to M17) have a file of their own.

import {
  collect,
  createParser,
  type Dialect,
  type ParsedAnswer,
  type ParserOptions,
  parse,
  renderMessages,
} from '@dragoman/core';
import { createRandom, fingerprint, randomCuts } from '@dragoman/core/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { prepareTools } from '../../packages/core/src/model/prepared-tools.js';
import { isFull } from '../effort.js';
import { corpusOf } from './corpus.js';
import { every, except, f, handOf, named, TOOLS, write } from './handwriting.js';

const codes = (found: readonly { code: string }[]) => found.map(({ code }) => code);

const KEPT = prepareTools(TOOLS);

/** Parses the text whole, by characters and by random pieces: all results must agree. */
function read(dialect: Dialect, text: string, given: ParserOptions = { tools: TOOLS }): ParsedAnswer {
  // Kept, so that the tools are not prepared again for every parser.
  const options = { ...given, tools: given.tools === TOOLS ? KEPT : given.tools };
  const eventsOf = (pieces: readonly string[]) => {
    const parser = createParser(dialect, options);
    return [...pieces.flatMap((piece) => parser.feed(piece)), ...parser.finish()];
  };
  const events = eventsOf([text]);
  const whole = fingerprint(events);
  const random = createRandom(text.length);
  const singles = Array.from({ length: text.length }, (_, at) => text.charAt(at));
  for (const pieces of [
    singles,
    randomCuts(random, text),
    randomCuts(random, text),
    randomCuts(random, text),
  ])
    if (fingerprint(eventsOf(pieces)) !== whole) expect.fail(`read otherwise: ${JSON.stringify(pieces)}`);
  return collect(events);
}

const inputsOf = ({ calls }: ParsedAnswer) => calls.map(({ name, input }) => [name, input]);
const oneCall = [['f', { s: 'x' }]];
const never = named('alkaid', 'xnl');
const dsml = named('deepseek-v3.2', 'deepseek-v4', 'deepseek-v4.1');
const ifUnclosed = except('alkaid', 'xnl');

describe('calls where none should be', () => {
  it.each(every)('M1 a call inside reasoning that closes is a thought in $name', (dialect) => {
    const thought = `I could do\n${write(dialect, f(['s', '"x"']))}\nbut not yet.`;
    for (const [text, thinking] of [
      [`<think>${thought}</think>Done.`, false],
      [`${thought}</think>Done.`, true],
    ] as const) {
      if (thinking && !dialect.traits.startsInReasoning) continue;
      const answer = read(dialect, text, { tools: TOOLS, thinking });
      expect(answer).toMatchObject({ calls: [], text: 'Done.', reasoning: thought });
    }
  });

  it.each(ifUnclosed)(
    'M1 a call inside reasoning that never closes is delivered as a repair in $name',
    (dialect) => {
      const text = `<think>So I do\n${write(dialect, f(['s', '"x"']))}`;
      const answer = read(dialect, text);
      expect(inputsOf(answer)).toEqual(oneCall);
      expect(answer.reasoning).toBe('So I do');
      expect(codes(answer.repairs)).toContain('call-in-reasoning');
      // Delivered at the end and not before: the reasoning might have closed.
      const early = createParser(dialect, { tools: TOOLS }).feed(text);
      expect(early.filter(({ type }) => type.startsWith('call'))).toEqual([]);
    },
  );

  it.each(every)(
    'M1 a call inside reasoning never counts where a policy, or the dialect, refuses it in $name',
    (dialect) => {
      const thought = `So I do\n${write(dialect, f(['s', '"x"']))}`;
      const policies = never.includes(dialect) ? {} : { callsInReasoning: 'never' as const };
      const unclosed = read(dialect, `<think>${thought}`, { tools: TOOLS, policies });
      expect(unclosed).toMatchObject({ calls: [], text: '', reasoning: thought });
      const closed = read(dialect, `<think>${thought}</think>Done.`, { tools: TOOLS, policies });
      expect(closed).toMatchObject({ calls: [], text: 'Done.', reasoning: thought });
    },
  );

  const mentions = (opener: string) => [
    `use \`${opener}\` like so:`,
    `The tag ${opener} opens a call.`,
    `${opener}? Yes.`,
    `a ${opener}${opener} b`,
  ];

  const words = (text: string) => text.split(/\s+/).filter(Boolean);

  it.each(except('xnl'))('M2 an opener that prose mentions swallows no call in $name', (dialect) => {
    const call = write(dialect, f(['s', '"x"']));
    for (const prose of handOf(dialect).openers.flatMap(mentions)) {
      const answer = read(dialect, `${prose}\n\n${call}`);
      expect(inputsOf(answer), prose).toEqual(oneCall);
      expect(answer.text, prose).toBe(prose);
    }
  });

  it.each(named('xnl'))('M2 an opener that prose mentions swallows no call in $name', (dialect) => {
    const call = write(dialect, f(['s', '"x"']));
    for (const prose of mentions('<tool_call id="x" lang="javascript" #>')) {
      const answer = read(dialect, `${prose}\n\n${call}`);
      expect([answer.text, inputsOf(answer)], prose).toEqual([prose, oneCall]);
    }
    // A block that prose opens is open: the document says that a second opener changes nothing.
    for (const prose of mentions('!unquote_start')) {
      const answer = read(dialect, `${prose}\n\n${call}`);
      expect(inputsOf(answer), prose).toEqual(oneCall);
      expect(words(answer.text), prose).toEqual(words(prose.replaceAll('!unquote_start', '')));
      expect(codes(answer.issues), prose).toContain('nested-block');
    }
  });

  it.each(except('deepseek-v3.1'))('M2 an opener that prose mentions is text in $name', (dialect) => {
    for (const prose of handOf(dialect).openers.flatMap((opener) => mentions(opener).slice(0, 3))) {
      const answer = read(dialect, prose);
      expect([answer.text, answer.calls], prose).toEqual([prose, []]);
    }
  });

  // Open: behind the opener of a single call anything is taken for a name that the end has cut, prose too.
  it.each(named('deepseek-v3.1'))('M2 an opener that prose mentions is text in $name', (dialect) => {
    const prose = 'The token `<｜tool▁call▁begin｜>`.\n\nAnd then prose.';
    expect(read(dialect, prose)).toMatchObject({ text: prose, calls: [] });
  });

  it.each(every)('M3 a fence around a call does not hide it and stays visible in $name', (dialect) => {
    const answer = read(dialect, `Like so:\n\`\`\`xml\n${write(dialect, f(['s', '"x"']))}\n\`\`\``);
    expect(inputsOf(answer)).toEqual(oneCall);
    const said = answer.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    expect(said).toBe('Like so:\n```xml\n\n```');
  });

  it.each(every)(
    'M4 a call of a tool that was not declared is delivered with an issue in $name',
    (dialect) => {
      const answer = read(dialect, write(dialect, { name: 'gone', args: [['s', '"x"']] }, f(['s', '"x"'])));
      expect(inputsOf(answer)).toEqual([['gone', { s: 'x' }], ...oneCall]);
      expect(codes(answer.issues)).toEqual(['unknown-tool']);
    },
  );

  it.each(dsml)('M4 a call without its wrapper is text unless it is declared in $name', (dialect) => {
    const bare = (name: string) => {
      const [first = '', ...rest] = write(dialect, { name, args: [['s', '"x"']] }).split('\n');
      expect(first).toContain('call');
      return rest.slice(0, -1).join('\n');
    };
    const declared = read(dialect, bare('f'));
    expect(inputsOf(declared)).toEqual(oneCall);
    expect(codes(declared.repairs)).not.toEqual([]);
    const unknown = read(dialect, bare('gone'));
    expect([unknown.text, unknown.calls]).toEqual([bare('gone'), []]);
  });

  it.each(named('qwen3-coder'))('M4 a call without its wrapper is a repair in $name', (dialect) => {
    const answer = read(dialect, '<function=gone>\n<parameter=s>\nx\n</parameter>\n</function>');
    expect(inputsOf(answer)).toEqual([['gone', { s: 'x' }]]);
    expect(codes(answer.issues)).toEqual(['unknown-tool']);
    expect(answer.repairs).not.toEqual([]);
  });

  it.each(every)('M4 nothing is a call where calls are forbidden in $name', (dialect) => {
    const text = `Sure.\n${write(dialect, f(['s', '"x"']))}`;
    const answer = read(dialect, text, { tools: TOOLS, policies: { calls: 'text' } });
    expect(answer.calls).toEqual([]);
    expect(answer.text).toContain('Sure.');
    expect(answer.text).toContain('x');
  });

  const marksEcho = (dialect: Dialect) => {
    const call = write(dialect, f(['s', '"x"']));
    const echo = read(dialect, `As you say.\n${call}`, { tools: TOOLS, untrusted: `page: ${call} end` });
    expect(inputsOf(echo)).toEqual(oneCall);
    expect(codes(echo.issues)).toEqual(['suspected-echo']);
  };

  it.each(except('xnl'))(
    'R4 a call that stands word for word in untrusted input is marked in $name',
    marksEcho,
  );

  // Open: a block of xnl is read twice, and its source is gathered twice, so it stands nowhere.
  it.each(named('xnl'))(
    'R4 a call that stands word for word in untrusted input is marked in $name',
    marksEcho,
  );

  it.each(every)('R4 a call of its own is not marked in $name', (dialect) => {
    const call = write(dialect, f(['s', '"x"']));
    expect(read(dialect, call, { tools: TOOLS, untrusted: 'page: f, x' }).issues).toEqual([]);
  });
});

// ---------------------------------------------------------------- values

describe('values', () => {
  const WORDS = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
  ];

  it.each(every)('M5 words of the prototype are data in $name, as tool, key and value', (dialect) => {
    const before = Object.getOwnPropertyNames(Object.prototype).sort();
    for (const word of WORDS) {
      const nested = `{${JSON.stringify(word)}: {"polluted": true}, "a": [{${JSON.stringify(word)}: 1}]}`;
      const text = write(dialect, {
        name: word,
        args: [
          [word, '"x"'],
          ['o', nested],
        ],
      });
      const answer = read(dialect, text);
      expect(answer.calls).toHaveLength(1);
      const { name, input, raw } = answer.calls[0] as ParsedAnswer['calls'][number];
      expect(name).toBe(word);
      expect(Object.keys(input)).toEqual([word, 'o']);
      expect(Object.getOwnPropertyDescriptor(input, word)?.value).toBe('x');
      expect(JSON.parse(JSON.stringify(input.o))).toEqual(JSON.parse(nested));
      expect(Object.getPrototypeOf(input) === Object.prototype || Object.getPrototypeOf(input) === null).toBe(
        true,
      );
      expect(JSON.parse(raw)).toEqual(input);
      expect(codes(answer.issues)).toEqual(['unknown-tool']);
    }
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(before);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.each(every)('M5 keys of the prototype have no type of their own in $name', (dialect) => {
    // Looked up in a prototype, `constructor` would be a function where a schema is due.
    const answer = read(
      dialect,
      write(dialect, f(['constructor', '12'], ['toString', '"x"'], ['__proto__', '{"a": 1}'])),
    );
    expect(JSON.parse(answer.calls[0]?.raw ?? '')).toEqual(
      JSON.parse('{"constructor": 12, "toString": "x", "__proto__": {"a": 1}}'),
    );
    expect(answer.issues).toEqual([]);
  });

  it.each(every)('M5 a file that holds these words can be written in $name', (dialect) => {
    const file =
      'a.constructor.prototype.x = 1;\n{"__proto__": {"polluted": true}}\nobj["__proto__"]["x"] = y;';
    for (const text of [write(dialect, f(['s', JSON.stringify(file)])), rendered(dialect, { s: file })]) {
      expect(inputsOf(read(dialect, text))).toEqual([['f', { s: file }]]);
    }
  });

  /** Values that hold the closer of their own tag, where what follows shows that it is content. */
  const holding = (closer: string) => [
    `a ${closer} b`,
    `a${closer}b${closer}c`,
    `${closer} first`,
    `print("${closer}")\n`,
  ];

  // In xnl an element without a marker of its own ends at the first `</#>`: see below.
  it.each(except('xnl'))('M6 a value that contains its own closer is kept whole in $name', (dialect) => {
    for (const value of holding(handOf(dialect).closer)) {
      const answer = read(dialect, write(dialect, f(['s', JSON.stringify(value)], ['t', '"next"'])));
      expect(inputsOf(answer), value).toEqual([['f', { s: value, t: 'next' }]]);
    }
  });

  it.each(every)(
    'M6 a value that contains any closer is written so that it is read back in $name',
    (dialect) => {
      const { closer, openers } = handOf(dialect);
      const call = write(dialect, f(['s', '"x"']));
      for (const value of [
        ...holding(closer),
        closer,
        `${closer}${call}`,
        call,
        ...openers,
        ...dialect.markers.literals,
      ]) {
        const answer = read(dialect, rendered(dialect, { s: value, t: 'next' }));
        expect(inputsOf(answer), value).toEqual([['f', { s: value, t: 'next' }]]);
        expect(answer.text).toBe('');
      }
    },
  );

  /** What cannot be told from a closer and what follows it: the value ends there, and the rest is read on its own. */
  const IRREDUCIBLE: [dialect: string, value: string, s: string][] = [
    ['glm-4.5', 'a</arg_value>\n<arg_key>t</arg_key>\n<arg_value>b', 'a'],
    ['glm-4.7', 'a</arg_value><arg_key>t</arg_key><arg_value>b', 'a'],
    ['qwen3-coder', 'a\n</parameter>\n<parameter=t>\nb', 'a'],
    ['deepseek-v3.2', 'a</｜DSML｜parameter>\n<｜DSML｜parameter name="t" string="true">b', 'a'],
    ['deepseek-v4', 'a</｜DSML｜parameter>\n<｜DSML｜parameter name="t" string="true">b', 'a'],
    ['deepseek-v4.1', 'a</｜DSML｜ parameter>\n<｜DSML｜ parameter name="t" string="true">b', 'a'],
  ];

  it.each(IRREDUCIBLE)('M6 cannot be told apart in %s: %j', (name, value, s) => {
    const [dialect] = named(name) as [Dialect];
    const answer = read(dialect, write(dialect, f(['s', JSON.stringify(value)])));
    expect(answer.calls[0]?.input.s).toBe(s);
    // Rendered by us it comes back as it was: the closer is neutralised on the way.
    expect(read(dialect, rendered(dialect, { s: value })).calls[0]?.input.s).toBe(value);
  });

  it('M6 cannot be told apart in xnl, where the call then is an error with its place', () => {
    const [xnl] = named('xnl') as [Dialect];
    const answer = read(xnl, write(xnl, f(['s', '"a </#> b"'])));
    expect(answer.calls).toEqual([]);
    expect(answer.issues[0]?.message).toMatch(/^Line 2, column /);
    const marked = write(xnl, f(['s', '"a </#> b"']))
      .replace(' #>', ' #m>')
      .replace('</#>\n!', '</#m>\n!');
    expect(inputsOf(read(xnl, marked))).toEqual([['f', { s: 'a </#> b' }]]);
  });

  const inBlock = (code: string) =>
    `!unquote_start\n<tool_call id="x" lang="javascript" #>\n${code}\n</#>\n!unquote_end`;

  /** Code that would have to be run. The place is that of the offending token, counted from 1 in the element's text. */
  const CODE: [code: string, line: number, column: number][] = [
    ['Tools.f({ s: process.env.X })', 2, 14],
    [`Tools.f({ s: \`a\${x}\` })`, 2, 16],
    ['Tools.f({ get s() { return 1 } })', 2, 11],
    ['Tools.f({ ...rest })', 2, 11],
    ['Tools.f({ [s]: 1 })', 2, 11],
    ['Tools.f(...["a"])', 2, 9],
    ['Tools.f({\n  s: /(a+)+$/\n})', 3, 6],
    ['Tools.f({ s: new Date() })', 2, 14],
    ['Tools.f({ s: (() => 1)() })', 2, 16],
    ['Tools.f({ s: 1 + 1 })', 2, 16],
    ['Tools.f({ s })', 2, 11],
    ['Tools.f({ s: "x".constructor("return this")() })', 2, 17],
    ['Tools.f({ s: "x" }); process.exit()', 2, 22],
    ['const x = Tools.f({})', 2, 1],
    ['Tools[f]({})', 2, 7],
    ['Tools.f.constructor("return this")()', 2, 35],
    ['Tools.f({})({})', 2, 12],
    ['Tools.f`x`', 2, 8],
    ['Tools?.f({})', 2, 6],
    ['import("fs")', 2, 1],
    ['(0, eval)("1")', 2, 1],
    ['function f() {}', 2, 1],
  ];

  it.each(CODE)(
    'M8 code that would have to be run is a call error with its place: %j',
    (code, line, column) => {
      const [xnl] = named('xnl') as [Dialect];
      const answer = read(xnl, inBlock(code));
      expect(answer.calls).toEqual([]);
      const [issue] = answer.issues;
      expect(['unsupported-code', 'unreadable-call']).toContain(issue?.code);
      expect(issue?.message).toMatch(new RegExp(`^Line ${line}, column ${column}:`));
    },
  );

  it('M8 a call error harms no neighbour', () => {
    const [xnl] = named('xnl') as [Dialect];
    const good = '<tool_call id="y" lang="javascript" #>\nTools.f({ s: "x" })\n</#>\n';
    const answer = read(
      xnl,
      inBlock('Tools.f({ s: process.env.X })').replace('!unquote_end', `${good}!unquote_end`),
    );
    expect(inputsOf(answer)).toEqual(oneCall);
    expect(answer.issues).toHaveLength(1);
  });

  it.each(every)('M11 of duplicate keys the last one wins, with an issue, in $name', (dialect) => {
    const twice = read(dialect, write(dialect, f(['s', '"first"'], ['t', '"between"'], ['s', '"x"'])));
    expect(inputsOf(twice)).toEqual([['f', { s: 'x', t: 'between' }]]);
    expect(codes(twice.issues)).toEqual(['duplicate-key']);
    expect(JSON.parse(twice.calls[0]?.raw ?? '')).toEqual({ s: 'x', t: 'between' });
  });

  it.each(every)('M11 a duplicate key deep inside has its issue, too, in $name', (dialect) => {
    const nested = read(dialect, write(dialect, f(['o', '{"a": 1, "a": 2}'])));
    expect(inputsOf(nested)).toEqual([['f', { o: { a: 2 } }]]);
    expect(codes(nested.issues)).toEqual(['duplicate-key']);
    const proto = read(dialect, write(dialect, f(['o', '{"__proto__": 1, "__proto__": 2}'])));
    expect(codes(proto.issues)).toEqual(['duplicate-key']);
  });

  it.each(every)('M11 a key spelled twice in two ways is a duplicate in $name', (dialect) => {
    const answer = read(dialect, write(dialect, f(['o', '{"a": 1, "\\u0061": 2}'])));
    expect(inputsOf(answer)).toEqual([['f', { o: { a: 2 } }]]);
    expect(codes(answer.issues)).toEqual(['duplicate-key']);
  });

  it('M11 a duplicate key in arguments that are a string, or wrapped in a parameter, has its issue', () => {
    const [hermes] = named('hermes') as [Dialect];
    const text = '<tool_call>{"name": "f", "arguments": "{\\"s\\": \\"a\\", \\"s\\": \\"x\\"}"}</tool_call>';
    expect(inputsOf(read(hermes, text))).toEqual(oneCall);
    expect(codes(read(hermes, text).issues)).toEqual(['duplicate-key']);
    const [v4] = named('deepseek-v4') as [Dialect];
    const wrapped = write(v4, f(['arguments', '{"s": "a", "s": "x"}']));
    expect(inputsOf(read(v4, wrapped))).toEqual(oneCall);
    expect(codes(read(v4, wrapped).issues)).toEqual(['duplicate-key']);
  });

  it.each(named('alkaid', 'xnl'))(
    'M11 of duplicate ids both calls are kept in $name, with an issue',
    (dialect) => {
      const call = (s: string) => write(dialect, { ...f(['s', `"${s}"`]), id: 'same' });
      const answer = read(dialect, `${call('first')}\n${call('x')}`);
      expect(inputsOf(answer)).toEqual([['f', { s: 'first' }], ...oneCall]);
      expect(answer.calls[0]?.id).toBe('same');
      expect(answer.calls[1]?.id).not.toBe('same');
      expect(codes(answer.issues)).toContain('duplicate-id');
    },
  );

  it.each(named('xnl'))('M11 of duplicate ids in one block the later call wins in $name', (dialect) => {
    const answer = read(
      dialect,
      write(dialect, { ...f(['s', '"first"']), id: 'same' }, { ...f(['s', '"x"']), id: 'same' }),
    );
    expect(inputsOf(answer)).toEqual(oneCall);
    expect(codes(answer.issues)).toEqual(['duplicate-id']);
  });

  const DIGITS = [
    '12345678901234567890',
    '1e400',
    '-0',
    '1.0',
    '0.1000',
    '1E+2',
    '123456789012345678901234567890.5',
  ];

  it.each(every)('M12 digits reach the client as the model wrote them in $name', (dialect) => {
    for (const digits of DIGITS) {
      const answer = read(
        dialect,
        write(dialect, f(['n', digits], ['a', `[${digits}]`], ['o', `{"d": ${digits}}`])),
      );
      const raw = answer.calls[0]?.raw.replaceAll(' ', '') ?? '';
      expect(raw).toBe(`{"n":${digits},"a":[${digits}],"o":{"d":${digits}}}`);
      expect(codes(answer.issues), digits).toEqual([]);
    }
  });

  it.each(every)('M18 a pattern of a client is never executed in $name', (dialect) => {
    const pattern = '^(a+)+$';
    const trap = { type: 'string', pattern, format: 'regex' };
    const tools = [
      {
        name: 'f',
        parameters: {
          type: 'object',
          properties: {
            s: trap,
            o: { type: 'object', patternProperties: { [pattern]: trap }, propertyNames: trap },
          },
          patternProperties: { [pattern]: trap },
          propertyNames: { pattern },
          allOf: [{ properties: { s: { pattern } } }],
          anyOf: [{ properties: { s: trap } }, { $ref: '#/$defs/t' }],
          $defs: { t: { properties: { s: trap } } },
        },
      },
    ];
    const value = `${'a'.repeat(60)}!`;
    const text = write(dialect, f(['s', JSON.stringify(value)], ['o', JSON.stringify({ [value]: value })]));
    const { result, built } = watchRegExp(() => {
      renderMessages(dialect, { tools, messages: [{ role: 'user', content: 'hi' }] });
      return parse(dialect, text, { tools });
    });
    expect(inputsOf(result)).toEqual([['f', { s: value, o: { [value]: value } }]]);
    expect(result.issues).toEqual([]);
    expect(built.filter((source) => source.includes('a+'))).toEqual([]);
  });

  it.each(every)('M22 ids outwards are unique and bounded in $name, whatever the model wrote', (dialect) => {
    const ids = [
      'call_1',
      'call_2',
      'call_2',
      '',
      ' ',
      'x'.repeat(1_000_000),
      'a\nb',
      '\u0000',
      '\ud83d',
      '__proto__',
      'ok',
      'call_1',
    ];
    const text = ids.map((id) => write(dialect, { ...f(['s', '"x"']), id })).join('\n');
    const answer = parse(dialect, text, { tools: TOOLS });
    const found = answer.calls.map(({ id }) => id);
    expect(new Set(found).size).toBe(found.length);
    for (const id of found) {
      expect(id.length).toBeLessThanOrEqual(128);
      expect(id).toMatch(/^[^\s\p{C}]+$/u);
    }
    // xnl wants an id, and an opener without end is no opener there: its call is text.
    expect(found.length).toBe(dialect.name === 'xnl' ? ids.length - 2 : ids.length);
    const messages = answer.issues.map(({ message }) => message.length);
    expect(Math.max(0, ...messages), 'no issue repeats a huge id').toBeLessThan(1000);
  });

  it.each(every)('M22 a newId of the caller that repeats itself does not hang $name', (dialect) => {
    let asked = 0;
    const newId = () => {
      if (++asked > 10_000) throw new Error('asked without end');
      return 'same';
    };
    const text = [1, 2].map(() => write(dialect, { ...f(['s', '"x"']), id: ' ' })).join('\n');
    const { calls } = parse(dialect, text, { tools: TOOLS, newId });
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });
});

/** The call as the dialect itself writes it. */
function rendered(dialect: Dialect, input: Record<string, unknown>): string {
  const call = { type: 'tool-call', id: 'a', name: 'f', input };
  const { messages } = renderMessages(dialect, {
    tools: TOOLS,
    messages: [{ role: 'assistant', parts: [call] }],
  });
  return messages.at(-1)?.content ?? '';
}

function watchRegExp<T>(run: () => T): { result: T; built: string[] } {
  const built: string[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, args, self) {
      built.push(String(args[0]));
      return Reflect.construct(target, args, self);
    },
    apply(target, self, args) {
      built.push(String(args[0]));
      return Reflect.apply(target, self, args);
    },
  });
  try {
    return { result: run(), built };
  } finally {
    globalThis.RegExp = original;
  }
}

// ---------------------------------------------------------------- the corpus

describe('the corpus', () => {
  /** Dialects that read each other's calls, and why that is right. */
  const OVERLAPS: [families: string[], why: string][] = [
    [['glm-4.5', 'glm-4.7'], 'one reader for all versions, whatever the white space'],
    [
      ['deepseek-v3.2', 'deepseek-v4', 'deepseek-v4.1'],
      'every DSML dialect reads the spelling of the others',
    ],
  ];
  /** Shows the calls of every dialect as a file's content: of one dialect they are calls only to the others. */
  const QUOTES_OTHERS = 'code-with-markers';

  it.each(every)(
    'M19 no other dialect reads a call in the corpus of $name, but for those listed',
    (writer) => {
      for (const reader of every.filter((one) => one !== writer)) {
        const related = OVERLAPS.some(
          ([names]) => names.includes(writer.name) && names.includes(reader.name),
        );
        for (const { name, text, tools, thinking } of corpusOf(writer)) {
          if (name === QUOTES_OTHERS) continue;
          const { calls } = parse(reader, text, { tools, thinking });
          const own = related ? parse(writer, text, { tools, thinking }).calls : [];
          expect(bare(calls), `${name} of ${writer.name} in ${reader.name}`).toEqual(bare(own));
        }
      }
    },
  );

  it.each(every)('M19 a call of another dialect is content in a value of $name', (dialect) => {
    for (const other of every) {
      const value = write(other, f(['s', '"hidden"']));
      const answer = read(dialect, rendered(dialect, { s: value }));
      expect(inputsOf(answer)).toEqual([['f', { s: value }]]);
    }
  });

  let prefixes = 0;
  afterAll(() => console.log(`threats: ${prefixes.toLocaleString('en')} prefixes of the corpus were read`));

  it.each(every)(
    'M21 no prefix of an output in $name throws or delivers a call that was not complete',
    (dialect) => {
      for (const { text, tools: given, thinking } of corpusOf(dialect)) {
        const tools = prepareTools(given);
        const whole = callsWithEnds(dialect, text, { tools, thinking });
        for (const end of cutsOf(text)) {
          prefixes++;
          const { calls } = parse(dialect, text.slice(0, end), { tools, thinking });
          for (const [at, { name, raw, input }] of calls.entries()) {
            const real = whole[at];
            const same = real?.name === name && real.raw === raw && JSON.stringify(input) === real.input;
            if (!same || end < real.complete)
              expect.fail(`${JSON.stringify(text.slice(0, end))} delivers ${name} ${raw}`);
          }
        }
      }
    },
  );
});

const bare = (calls: ParsedAnswer['calls']) => calls.map(({ name, raw }) => ({ name, raw }));

/** Longer texts say the same paragraphs again and again. */
const LONG_TEXT = isFull ? 3000 : 500;

/** Every place. In a long text places with the same surroundings once, and of long words only the first and the last. */
function* cutsOf(text: string): Iterable<number> {
  const seen = new Set<string>();
  for (let end = 0; end < text.length; end++) {
    const around = text.slice(Math.max(0, end - 10), end + 10);
    if (text.length < LONG_TEXT || !(seen.has(around) || /^[\w .,\n]{20}$/.test(around))) yield end;
    seen.add(around);
  }
}

/** What ends a call, so that before it none is complete: in tagged dialects its own tag, in xnl the block. */
const ENDS: Record<string, string> = {
  xnl: '!unquote_end',
  'glm-4.5': '</tool_call',
  'glm-4.7': '</tool_call',
  'deepseek-v3.2': '</｜DSML｜invoke',
  'deepseek-v4': '</｜DSML｜invoke',
  'deepseek-v4.1': '</｜DSML｜ invoke',
  'qwen3-coder': '</function',
};

/** The calls of a text, each with the place before which it cannot be complete. */
function callsWithEnds(dialect: Dialect, text: string, options: ParserOptions) {
  const parser = createParser(dialect, options);
  const calls: { name: string; raw: string; input: string; complete: number }[] = [];
  let start = 0;
  let argumentsEnd = 0;
  for (const event of [...parser.feed(text), ...parser.finish()]) {
    if (event.type === 'call-start') start = argumentsEnd = event.range[1];
    if (event.type === 'call-delta') argumentsEnd = event.range[1];
    if (event.type !== 'call-end') continue;
    const tag = ENDS[dialect.name];
    const complete = tag ? text.indexOf(tag, start) + tag.length : argumentsEnd;
    const { name, raw } = event;
    calls.push({ name, raw, input: JSON.stringify(JSON.parse(raw)), complete });
  }
  return calls;
}
