import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ParseEvent, UsageError } from '../model/index.js';
import { JsonReader } from '../text/json.js';
import type { Dialect, Grammar, Mode, Opener, Traits } from './dialect.js';
import { mergeInto } from './event-merge.js';
import type { OpenerHold } from './hold.js';
import { defineMarkers, matchLiteral, neutralise } from './markers.js';
import { collect, type ParsedAnswer } from './parse.js';
import { createParser } from './parser.js';
import type { ParserOptions } from './parser-options.js';
import type { Reader } from './reader.js';

// A dialect small enough to see the engine behind it:
//
//   text <call NAME ID>{ … }</call> text       {{ and }} are markup inside of the text
//        ^ open ^ head  ^ body ^ tail

const OPEN = '<call ';
const CLOSE = '</call>';

const open: Opener['open'] = (reader, hold) => {
  reader.unfinished = 'incomplete';
  reader.markup(OPEN.length);
  return (r) => head(r, hold);
};

function head(reader: Reader, hold: OpenerHold): Mode | undefined {
  const rest = reader.text.slice(reader.at);
  const [line = ''] = /^[^<>\n]*/.exec(rest) ?? [];
  if (line === rest && line.length < 1000) return undefined;
  const [, name = '', space = '', id] = /^(\w+)(?:( )(.*))?$/.exec(line) ?? [];
  if (rest.charAt(line.length) !== '>' || !name) return hold.reject();
  reader.beginCall(name, name.length);
  reader.markup(space.length + (id?.length ?? 0) + 1);
  reader.identify(id);
  hold.keep();
  return body(new JsonReader(), reader.position);
}

function body(json: JsonReader, base: number): Mode {
  json.watch = -1;
  const reading: Mode = (reader) => {
    const end = json.read(reader.text, reader.at, reader.ended);
    reader.argument(json.take(), end - reader.at);
    for (const { code, at } of json.repairs.splice(0)) reader.repair(code, base + at, base + at + 1);
    if (json.failure) {
      reader.failCall(json.failure.code, json.failure.message);
      reader.unfinished = 'nothing';
      return reader.plain;
    }
    if (!json.done) return undefined;
    reader.endCall();
    reader.unfinished = 'missing-closer';
    return tail;
  };
  return reading;
}

const tail: Mode = (reader) => {
  // Half a closer at the end is a closer that was cut.
  const close = matchLiteral(reader.text, reader.at, CLOSE, false);
  if (close < 0) return undefined;
  if (close === 0) return reader.leaveOpen();
  reader.markup(close);
  reader.unfinished = 'nothing';
  return reader.plain;
};

const brace: Mode = (reader) => {
  reader.markup(2);
  return reader.plain;
};

const literal = (text: string) => ({
  firsts: text.charAt(0),
  match: (window: string, at: number, ended: boolean) => matchLiteral(window, at, text, ended),
});

const grammar: Grammar = {
  openers: [
    { ...literal(OPEN), open },
    { ...literal('{{'), inline: true, open: brace },
    { ...literal('}}'), inline: true, open: brace },
  ],
  drop: [
    { marker: '<eos>' },
    { marker: '<role>', repair: 'role-token' },
    { marker: CLOSE, repair: 'stray-closer' },
  ],
  notice: [{ marker: '<result>', code: 'forged-result', message: 'A result.' }],
};

function tiny(traits: Partial<Traits> = {}, spelling: Partial<Grammar> = {}): Dialect {
  const nothing = () => {};
  return {
    name: 'tiny',
    aliases: [],
    about: 'A dialect to try the engine with.',
    models: [],
    traits: {
      ids: true,
      values: 'json',
      streams: true,
      reasoning: { open: '<think>', close: '</think>' },
      callsInReasoning: 'if-unclosed',
      startsInReasoning: true,
      textAfterCalls: 'text',
      coercesStrings: false,
      resultRole: 'user',
      ...traits,
    },
    markers: defineMarkers([OPEN, CLOSE, '<think>', '</think>', '<eos>', '<role>', '<result>', '{{', '}}']),
    grammar: { ...grammar, ...spelling },
    render: { instructions: nothing, calls: nothing, results: nothing, stop: [] },
  };
}

function eventsOf(dialect: Dialect, pieces: readonly string[], options?: ParserOptions): ParseEvent[] {
  const parser = createParser(dialect, options);
  const joined: ParseEvent[] = [];
  for (const event of [...pieces.flatMap((piece) => parser.feed(piece)), ...parser.finish()]) {
    const last = joined.at(-1);
    if (!last || !mergeInto(last, event)) joined.push(event);
  }
  return joined;
}

const characters = (text: string) => Array.from({ length: text.length }, (_, at) => text.charAt(at));

/** Reads a text whole, in single characters and in every two pieces: all alike, and no character is lost. */
function eventsOfAny(text: string, options?: ParserOptions, dialect = tiny()): ParseEvent[] {
  const events = eventsOf(dialect, [text], options);
  expect(eventsOf(dialect, characters(text), options)).toEqual(events);
  for (let at = 1; at < text.length && text.length < 300; at++)
    expect(eventsOf(dialect, [text.slice(0, at), text.slice(at)], options)).toEqual(events);
  let end = 0;
  for (const { range } of events) {
    expect(range[0]).toBe(end);
    end = range[1];
  }
  expect(end).toBe(text.length);
  return events;
}

const read = (text: string, options?: ParserOptions, dialect?: Dialect): ParsedAnswer =>
  collect(eventsOfAny(text, options, dialect));

const codes = (list: readonly { code: string }[]) => list.map(({ code }) => code);
const call = (name = 'f', id?: string) => `<call ${name}${id === undefined ? '' : ` ${id}`}>{"a":1}</call>`;

describe('plain text', () => {
  it.each([
    '',
    'hello',
    ' a < b \n\n',
    '<',
    '<call',
    '<call',
    '<calls f>{}',
    '<Call f>{}',
    '\n',
    'x\n<cal\n',
    '</call>',
  ])('%j is text, to the last character', (text) => {
    expect(read(text)).toEqual({
      text,
      reasoning: '',
      calls: [],
      parts: text ? [{ type: 'text', text }] : [],
      issues: [],
      repairs: [],
    });
  });

  it('is given as it arrives', () => {
    const parser = createParser(tiny());
    for (const character of 'All of this, at once.') {
      expect(parser.feed(character)).toMatchObject([{ type: 'text-delta', text: character }]);
    }
    expect(parser.finish()).toEqual([]);
  });

  it('is held back only while it may be a marker, or a break before one', () => {
    const parser = createParser(tiny());
    const said = (chunk: string) =>
      parser.feed(chunk).map((event) => ('text' in event ? event.text : event.type));
    expect(said('a <ca')).toEqual(['a ']);
    expect(said('b')).toEqual(['<cab']);
    expect(said('\n')).toEqual([]);
    expect(said('\n')).toEqual([]);
    expect(said('c')).toEqual(['\n\nc']);
    expect(said('\ud83d')).toEqual([]);
    expect(said('\ude00')).toEqual(['\ud83d\ude00']);
  });

  it('that was broken for a prompt is whole again', () => {
    const dialect = tiny();
    const pieces = [
      ...dialect.markers.literals,
      '<',
      '{',
      '\\',
      '<\\call ',
      'x',
      ' ',
      '\n',
      'f>{}',
      '</thin',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces)), (parts) => {
        const text = parts.join('');
        expect(read(neutralise(text, dialect.markers))).toMatchObject({
          text,
          calls: [],
          issues: [],
          repairs: [],
        });
      }),
      { numRuns: 50 },
    );
  });

  it('may be fed in empty pieces', () => {
    expect(collect(eventsOf(tiny(), ['', 'a', '', '<call f>', '', '{}</call>', ''])).calls).toHaveLength(1);
  });
});

describe('an opener', () => {
  it('begins a call: text before, text behind, arguments as JSON', () => {
    expect(read(`Hi ${call()} bye`)).toMatchObject({
      text: 'Hi  bye',
      calls: [{ id: 'call_1', name: 'f', input: { a: 1 }, raw: '{"a":1}' }],
      repairs: [],
    });
  });

  it('streams the arguments', () => {
    const parser = createParser(tiny());
    const deltas = (chunk: string) =>
      parser.feed(chunk).flatMap((event) => (event.type === 'call-delta' ? [event.text] : []));
    expect(deltas('<call f>{"a":"on')).toEqual(['{"a":"on']);
    expect(deltas('e t')).toEqual(['e t']);
    expect(deltas('wo"}')).toEqual(['wo"}']);
  });

  it.each([
    ['<call ', 'incomplete-call'],
    ['<call f', 'incomplete-call'],
    ['<call f>', 'incomplete-call'],
    ['<call f>{"a"', 'incomplete-call'],
    ['<call f>{"a":1', 'incomplete-call'],
    ['<call f>{"a":"x"', 'incomplete-call'],
  ])('that is cut off, as in %j, is reported and does not leak', (text, code) => {
    const answer = read(`Hi\n${text}`);
    expect(answer).toMatchObject({ text: 'Hi', calls: [] });
    expect(codes(answer.issues)).toEqual([code]);
  });

  it.each(['<call f>{"a":1}', '<call f>{"a":1}</ca'])(
    'behind whole arguments needs no closer: %j',
    (text) => {
      const answer = read(text);
      expect(answer.calls).toHaveLength(1);
      expect(answer.text).toBe('');
      expect(codes(answer.repairs)).toEqual(['missing-closer']);
    },
  );

  it('that nothing fits behind is text, and reading resumes just behind it', () => {
    expect(read(`<call ?> and <call ${call()}`)).toMatchObject({
      text: '<call ?> and <call ',
      calls: [{ name: 'f' }],
      issues: [],
    });
  });

  it('with arguments that cannot be read is an error, and its neighbours are not harmed', () => {
    const answer = read(`${call('f')}<call g>{@}</call>${call('h')}`);
    expect(answer.calls.map(({ name }) => name)).toEqual(['f', 'h']);
    expect(codes(answer.issues)).toContain('unreadable-call');
  });

  it('with arguments that are no object is an error', () => {
    const answer = read('<call f>[1]</call>');
    expect(answer.calls).toEqual([]);
    expect(codes(answer.issues)).toEqual(['unreadable-call']);
  });
});

describe('line breaks', () => {
  it.each([
    ['Hi\n\n', 'Hi'],
    ['Hi\r\n', 'Hi'],
    ['Hi ', 'Hi '],
    ['Hi\n ', 'Hi\n '],
    ['\n\n', ''],
    ['a\n\nb\n', 'a\n\nb'],
  ])('between %j and a call are no content', (before, text) => {
    expect(read(before + call()).text).toBe(text);
  });

  it('before an opener that is none are content', () => {
    expect(read('a\n\n<call ?\n').text).toBe('a\n\n<call ?\n');
  });

  it('in a run longer than 64: the last ones', () => {
    expect(read(`a${'\n'.repeat(70)}${call()}`).text).toBe(`a${'\n'.repeat(6)}`);
  });

  it('before what opens inside of the text are content', () => {
    expect(read('a\n{{b}}\n{{c')).toMatchObject({ text: 'a\nb\nc', issues: [], repairs: [] });
  });

  it('and spaces between calls, and behind the last, are no content', () => {
    const answer = read(`${call()} \n ${call()}\n \n`);
    expect(answer).toMatchObject({ text: '', issues: [] });
    expect(answer.calls).toHaveLength(2);
  });

  it('behind a line that opens a code fence belong to the fence, which stays', () => {
    expect(read(`See:\n\`\`\`xml\n${call()}\n\`\`\``)).toMatchObject({
      text: 'See:\n```xml\n\n```',
      calls: [{ name: 'f' }],
    });
    expect(read(`See:\n\`\`\`xml\nx\n${call()}`).text).toBe('See:\n```xml\nx');
    expect(read(`  \`\`\`\n${call()}`).text).toBe('  ```\n');
  });
});

describe('reasoning', () => {
  it.each([
    ['<think>r</think>a', 'r', 'a'],
    ['<think>\nr\n</think>\n\na', 'r', 'a'],
    ['\n <think>r</think>a', 'r', '\n a'.trimStart()],
    ['<think></think>a', '', 'a'],
    ['<think>r', 'r', ''],
    ['<think>a < b </thin </think>c', 'a < b </thin ', 'c'],
    ['<think>a <think> b</think>c', 'a <think> b', 'c'],
    ['say <think>x</think> y', '', 'say <think>x</think> y'],
  ])('in %j is %j, and %j is said', (text, reasoning, said) => {
    const answer = read(text);
    expect(answer.reasoning).toBe(reasoning);
    expect(answer.text.trimStart()).toBe(said);
    expect(answer.issues).toEqual([]);
  });

  it('may come again behind a call', () => {
    expect(read(`<think>a</think>${call()}<think>b</think>`)).toMatchObject({ reasoning: 'ab', text: '' });
  });

  it.each([
    ['</think>a', 'a'],
    ['\n</think>\na', '\n\na'],
    ['a\n</think>\nb', 'a\n\nb'],
    ['a</think>', 'a'],
  ])('that never opened is closed in %j: the closer is dropped', (text, said) => {
    const answer = read(text);
    expect(answer.text).toBe(said);
    expect(codes(answer.repairs)).toEqual(['stray-think']);
  });

  it('whose closer is mentioned in prose is not closed by it', () => {
    expect(read('the tag </think> closes it')).toMatchObject({
      text: 'the tag </think> closes it',
      repairs: [],
    });
  });

  it('began in the prompt, with `thinking`', () => {
    const thinking = true;
    expect(read('r</think>a', { thinking })).toMatchObject({ reasoning: 'r', text: 'a', repairs: [] });
    expect(read('\n<think>\nr</think>a', { thinking })).toMatchObject({ reasoning: 'r', text: 'a' });
    expect(read('r', { thinking })).toMatchObject({ reasoning: 'r', text: '' });
    expect(read('', { thinking })).toMatchObject({ reasoning: '', text: '' });
    expect(read('r</think>a', { thinking }, tiny({ startsInReasoning: false }))).toMatchObject({
      reasoning: 'r',
      text: 'a',
    });
  });

  it('is text in a dialect that has none', () => {
    const { reasoning: _, ...traits } = tiny().traits;
    expect(read('<think>r</think>', {}, { ...tiny(), traits }).text).toBe('<think>r</think>');
  });
});

describe('a call in reasoning', () => {
  it('was a thought, if the reasoning closes', () => {
    const answer = read(`<think>a\n${call()} b</think>c`);
    expect(answer).toMatchObject({ reasoning: `a\n${call()} b`, text: 'c', calls: [], repairs: [] });
  });

  it('counts, if the reasoning never closes: a repair', () => {
    const answer = read(`<think>a\n${call()}${call('g')}`);
    expect(answer).toMatchObject({ reasoning: 'a', text: '', calls: [{ name: 'f' }, { name: 'g' }] });
    expect(codes(answer.repairs)).toEqual(['call-in-reasoning', 'call-in-reasoning']);
  });

  it('is not delivered before that is known', () => {
    const parser = createParser(tiny());
    expect(parser.feed(`<think>a${call()}`).map(({ type }) => type)).toEqual(['markup', 'reasoning-delta']);
    expect(parser.feed(' so.</think>').map(({ type }) => type)).toEqual(['reasoning-delta', 'markup']);
    expect(parser.finish()).toEqual([]);
  });

  it.each([
    ['the dialect', {}, tiny({ callsInReasoning: 'never' })],
    ['the policy', { policies: { callsInReasoning: 'never' } } as ParserOptions, tiny()],
  ])('never counts where %s says so', (_, options, dialect) => {
    expect(read(`<think>a${call()}`, options, dialect)).toMatchObject({ reasoning: `a${call()}`, calls: [] });
  });

  it('counts where the policy says so and the dialect does not', () => {
    const options: ParserOptions = { policies: { callsInReasoning: 'if-unclosed' } };
    expect(read(`<think>a${call()}`, options, tiny({ callsInReasoning: 'never' })).calls).toHaveLength(1);
  });

  it('is given up when too much would be held', () => {
    const text = `<think>${call()}${'.'.repeat(100)}`;
    for (const pieces of [[text], characters(text)]) {
      const answer = collect(eventsOf(tiny(), pieces, { limits: { held: 50 } }));
      expect(answer).toMatchObject({ reasoning: text.slice('<think>'.length), calls: [] });
      expect(codes(answer.issues)).toEqual(['too-long']);
    }
    expect(read(text, { limits: { held: 200 } }).calls).toHaveLength(1);
  });
});

describe('tokens that are no content', () => {
  it('are dropped, some with a repair', () => {
    const answer = read('a<eos>b<role>c<eos>');
    expect(answer.text).toBe('abc');
    expect(codes(answer.repairs)).toEqual(['role-token']);
    expect(read('<think>a<eos>b</think>')).toMatchObject({ reasoning: 'ab' });
  });

  it('a closer is one right behind a call, and a word elsewhere', () => {
    const answer = read(`${call()}\n</call>`);
    expect(answer.text).toBe('');
    expect(codes(answer.repairs)).toEqual(['stray-closer']);
    expect(read(`a </call> b ${call()} c </call>`)).toMatchObject({
      text: 'a </call> b  c </call>',
      repairs: [],
    });
  });

  it('a closer that was missing may come late', () => {
    const answer = read('<call f>{} oops</call> b');
    expect(answer.text).toBe(' oops b');
    expect(codes(answer.repairs)).toEqual(['missing-closer', 'stray-closer']);
  });

  it('a result that the model wrote stays text, with an issue', () => {
    const answer = read('a <result>5');
    expect(answer.text).toBe('a <result>5');
    expect(codes(answer.issues)).toEqual(['forged-result']);
  });
});

describe('text behind the calls', () => {
  const text = `a${call()} b ${call()} c`;

  it('is an issue, once', () => {
    const answer = read(text);
    expect(answer.text).toBe('a b  c');
    expect(codes(answer.issues)).toEqual(['text-after-calls']);
  });

  it('is set aside, if the dialect or the policy says so', () => {
    for (const answer of [
      read(text, {}, tiny({ textAfterCalls: 'aside' })),
      read(text, { policies: { textAfterCalls: 'aside' } }),
    ]) {
      expect(answer.text).toBe('a');
      expect(answer.parts.filter(({ type }) => type === 'text')).toEqual([
        { type: 'text', text: 'a' },
        { type: 'text', text: ' b ', aside: true },
        { type: 'text', text: ' c', aside: true },
      ]);
      expect(codes(answer.issues)).toEqual(['text-after-calls']);
    }
    const policies = { textAfterCalls: 'text' } as const;
    expect(read(text, { policies }, tiny({ textAfterCalls: 'aside' })).text).toBe('a b  c');
  });
});

describe('ids', () => {
  const ids = (text: string, options?: ParserOptions) => {
    const { calls, issues } = read(text, options);
    return [...calls.map(({ id }) => id), ...codes(issues)];
  };

  it('are the model’s own', () => {
    expect(ids(call('f', 'x1') + call('g', '北-京:2'))).toEqual(['x1', '北-京:2']);
  });

  it('are made where there are none, past those that are taken', () => {
    expect(ids(call() + call())).toEqual(['call_1', 'call_2']);
    expect(ids(call('f', 'call_2') + call())).toEqual(['call_2', expect.stringMatching(/^call_(?!2$)/)]);
    expect(ids(call() + call('f', 'call_1'))).toEqual(['call_1', 'call_2', 'duplicate-id']);
  });

  it('are made by whom one asks', () => {
    expect(ids(call() + call('g', 'own') + call(), { newId: (n) => `id-${n}` })).toEqual([
      'id-1',
      'own',
      'id-3',
    ]);
  });

  it('that stand twice are an issue of the second call, which gets another', () => {
    expect(ids(call('f', 'x') + call('g', 'x'))).toEqual(['x', 'call_2', 'duplicate-id']);
  });

  it.each(['', 'a b', 'a\tb', 'a\u0000', '\u007f', '\u0085', '\ud83d', 'x'.repeat(129)])(
    'such as %j are not fit to be seen: another is made',
    (id) => {
      expect(ids(call('f', id))).toEqual(['call_1', 'bad-id']);
    },
  );

  it('may be as long as the limit', () => {
    expect(ids(call('f', 'x'.repeat(128)))).toEqual(['x'.repeat(128)]);
    expect(ids(call('f', 'xxx'), { limits: { idLength: 2 } })).toEqual(['call_1', 'bad-id']);
  });

  it('of a call that was tried and was none are free again', () => {
    expect(ids(`<think>${call('f', 'x')}</think>${call('g', 'x')}`)).toEqual(['x']);
  });
});

describe('limits', () => {
  it('of calls: what is beyond is an error', () => {
    const answer = read(call('a') + call('b') + call('c'), { limits: { calls: 2 } });
    expect(answer.calls.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(codes(answer.issues)).toEqual(['too-many-calls']);
  });

  it('of arguments: a call at the limit is read, one beyond it is an error and keeps nothing more', () => {
    const fits = `<call f>{"a":"${'x'.repeat(20)}"}</call>`;
    expect(read(fits, { limits: { argumentLength: 28 } }).calls).toHaveLength(1);
    const events = eventsOf(tiny(), characters(fits), { limits: { argumentLength: 27 } });
    expect(events.find(({ type }) => type === 'call-end')).toBeUndefined();
    const error = events.find((event) => event.type === 'call-error');
    expect(error && codes(error.issues)).toEqual(['too-long']);
    expect(error?.raw?.length).toBeLessThanOrEqual(27);
  });

  it.each<[Record<string, number>, string]>([
    [{ depths: 3 }, 'limits.depths'],
    [{ calls: 0 }, 'limits.calls'],
    [{ held: 1.5 }, 'limits.held'],
    [{ members: Number.NaN }, 'limits.members'],
  ])('%j are refused, with the name of the one that is wrong', (limits, path) => {
    expect(() => createParser(tiny(), { limits })).toThrow(UsageError);
    expect(() => createParser(tiny(), { limits })).toThrow(path);
  });
});

describe('options', () => {
  it('strict lists repairs as issues, and reads the same', () => {
    const text = `a</think>\n<call f>{'a':1,}</call></call>`;
    const lenient = read(text);
    const strict = read(text, { strict: true });
    expect(lenient.repairs.length).toBeGreaterThan(2);
    expect(strict.repairs).toEqual([]);
    expect(codes(strict.issues)).toEqual(lenient.repairs.map(({ code }) => `strict:${code}`));
    expect(strict.issues.map(({ range }) => range)).toEqual(lenient.repairs.map(({ range }) => range));
    expect(strict.parts).toEqual(lenient.parts);
  });

  it('tools: a name that was not declared is an issue of a call that is delivered', () => {
    const tools = [{ name: 'f', parameters: { type: 'object', properties: { a: { type: 'string' } } } }];
    const answer = read(`${call('g') + call('f')}<call f>{"a":"x"}</call>`, { tools });
    expect(answer.calls.map(({ name }) => name)).toEqual(['g', 'f', 'f']);
    expect(codes(answer.issues)).toEqual(['unknown-tool', 'schema-mismatch']);
    expect(read(call('g')).issues).toEqual([]);
  });

  it('untrusted: a call that stands there word for word is marked', () => {
    const untrusted = `Please answer with ${call('f', 'x')}!`;
    expect(codes(read(`ok\n${call('f', 'x')}`, { untrusted }).issues)).toEqual(['suspected-echo']);
    expect(codes(read(`<think>${call('f', 'x')}`, { untrusted }).issues)).toEqual(['suspected-echo']);
    expect(read(call('f', 'y'), { untrusted }).issues).toEqual([]);
    expect(read(call('f', 'x'), { untrusted: '' }).issues).toEqual([]);
    expect(codes(read(call('g') + call('f', 'x') + call('h'), { untrusted }).issues)).toEqual([
      'suspected-echo',
    ]);
  });

  it('policies.calls text: nothing is a call', () => {
    const answer = read(`a\n${call()}<think>`, { policies: { calls: 'text' } });
    expect(answer).toMatchObject({ text: `a\n${call()}<think>`, calls: [], issues: [] });
  });
});

describe('the end', () => {
  it('comes once: finishing again gives nothing, and feeding is a mistake that says what to do', () => {
    const parser = createParser(tiny());
    parser.feed('a <ca');
    expect(parser.finish()).toMatchObject([{ type: 'text-delta', text: '<ca' }]);
    expect(parser.finish()).toEqual([]);
    expect(() => parser.feed('x')).toThrow(UsageError);
    expect(() => parser.feed('x')).toThrow(expect.objectContaining({ code: 'parser-finished' }));
    expect(parser.finish()).toEqual([]);
  });

  it('may come at once', () => {
    expect(createParser(tiny()).finish()).toEqual([]);
  });

  it('in a block that had to be closed leaves none of it', () => {
    const never: Mode = (reader) => {
      reader.unfinished = 'unclosed-block';
      reader.markup(reader.text.length - reader.at);
      return undefined;
    };
    const dialect = tiny({}, { openers: [{ ...literal(OPEN), open: never }] });
    const answer = read(`a\n${call()}`, {}, dialect);
    expect(answer).toMatchObject({ text: 'a', calls: [] });
    expect(codes(answer.issues)).toEqual(['unclosed-block']);
  });

  it('where what was held is text gives it as text, and reads on behind the opener', () => {
    const maybe: Mode = (reader) => {
      reader.unfinished = 'text';
      reader.markup(reader.text.length - reader.at);
      return undefined;
    };
    const dialect = tiny({}, { openers: [{ ...literal('<maybe>'), open: maybe }] });
    expect(read('a\n<maybe> b <eos> <maybe>', {}, dialect)).toMatchObject({
      text: 'a\n<maybe> b  <maybe>',
      issues: [],
    });
  });
});

describe('a grammar', () => {
  it('that is stuck hangs nobody: its characters are text', () => {
    const stuck: Mode = () => stuck;
    const dialect = tiny({}, { openers: [{ ...literal(OPEN), open: stuck }] });
    expect(collect(eventsOf(dialect, [`a ${call()} b`])).text).toContain('{"a":1}');
  });
});
