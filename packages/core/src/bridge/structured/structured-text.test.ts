import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnswerFormat, IssueCode, RepairCode } from '../../model/index.js';
import { type StructuredEnd, StructuredText } from './structured-text.js';

const person: AnswerFormat = {
  type: 'json-schema',
  name: 'person',
  schema: {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer' }, tags: { type: 'array' } },
    required: ['name', 'age'],
    additionalProperties: false,
  },
};
const ada = '{"name": "Ada", "age": 36}';

interface Case {
  written: string;
  text: string;
  format?: AnswerFormat;
  repairs?: RepairCode[];
  issues?: IssueCode[];
  aside?: string;
}

const cases: Record<string, Case> = {
  'JSON alone': { written: ada, text: ada },
  'JSON with white space, byte for byte': {
    written: '\n{\n  "name": "Ä\\u00e4 \\" {",\n\t"age" : 36\n}\n',
    text: '\n{\n  "name": "Ä\\u00e4 \\" {",\n\t"age" : 36\n}\n',
  },
  'a fence': { written: `\`\`\`json\n${ada}\n\`\`\``, text: ada, repairs: ['fenced-answer'] },
  'a fence on one line': { written: `\`\`\`json ${ada}\`\`\``, text: ada, repairs: ['fenced-answer'] },
  'a fence of tildes without a language': {
    written: `~~~\n\n${ada}\n~~~\n`,
    text: ada,
    repairs: ['fenced-answer'],
  },
  'prose, a fence and prose': {
    written: `Here is {the} person:\n\n\`\`\`json\n${ada}\n\`\`\`\nAnything else?`,
    text: ada,
    repairs: ['fenced-answer', 'text-around-answer'],
    aside: 'Here is {the} person:\n\nAnything else?',
  },
  'prose, and a fence on one line': {
    written: `So:\n\`\`\`json ${ada}\`\`\``,
    text: ada,
    repairs: ['fenced-answer', 'text-around-answer'],
    aside: 'So:',
  },
  'prose on the same line': {
    written: `The answer is ${ada}.`,
    text: ada,
    repairs: ['text-around-answer'],
    aside: 'The answer is\n\n.',
  },
  'an example before the answer': {
    written: `The schema was {"type": "object"}, so:\n${ada}`,
    text: ada,
    repairs: ['text-around-answer'],
    aside: 'The schema was {"type": "object"}, so:',
  },
  'mistakes of JSON': {
    written: "{'name': 'Ada', \"age\": 36, // years\n}",
    text: '{"name":"Ada","age":36}',
    repairs: ['single-quotes', 'single-quotes', 'comment', 'trailing-comma'],
  },
  'a mistake after right JSON': {
    written: '{"name": "Ada",\n "age": "36"}',
    text: '{"name": "Ada",\n "age":36}',
    repairs: ['string-as-scalar'],
  },
  'a wrong type': {
    written: '{"name": "Ada", "age": "many"}',
    text: '{"name": "Ada", "age": "many"}',
    issues: ['answer-mismatch'],
  },
  'the schema instead of the answer': {
    written: '{"type": "object", "properties": {}}',
    text: '{"type": "object", "properties": {}}',
    issues: ['answer-mismatch', 'answer-mismatch', 'answer-mismatch', 'answer-mismatch'],
  },
  'prose alone': {
    written: 'I cannot {know} that.',
    text: 'I cannot {know} that.',
    issues: ['unreadable-answer'],
  },
  nothing: { written: '', text: '', issues: ['unreadable-answer'] },
  'JSON that breaks off': {
    written: '{"name": "Ada", "age"',
    text: '{"name": "Ada", "age"',
    issues: ['unreadable-answer'],
  },
  'JSON that breaks off in its first key': {
    written: '```json\n{"na',
    text: '```json\n{"na',
    issues: ['unreadable-answer'],
  },
  'JSON that stops being JSON': {
    written: '{"name": "Ada", "age": ?}',
    text: '{"name": "Ada", "age": ?}',
    issues: ['unreadable-answer'],
  },
  'any object': {
    written: '{"x": [1, {"y": null}]}',
    text: '{"x": [1, {"y": null}]}',
    format: { type: 'json' },
  },
  'any object after prose': {
    written: 'So: {"a": 1}\n{"b": 2}',
    text: '{"b": 2}',
    format: { type: 'json' },
    repairs: ['text-around-answer'],
    aside: 'So: {"a": 1}',
  },
  'an array where an object was asked for': {
    written: '[1, 2]',
    text: '[1, 2]',
    format: { type: 'json' },
    issues: ['unreadable-answer'],
  },
  'an array': {
    written: '```\n[1, 2,]\n```',
    text: '[1, 2]',
    format: { type: 'json-schema', schema: { type: 'array', items: { type: 'integer' } } },
    repairs: ['trailing-comma', 'fenced-answer'],
  },
  'a word': {
    written: '"red"\n',
    text: '"red"',
    format: { type: 'json-schema', schema: { enum: ['red', 'blue'] } },
  },
  'a number in a fence': {
    written: '```json\n7\n```',
    text: '7',
    format: { type: 'json-schema', schema: { type: 'integer' } },
    repairs: ['fenced-answer'],
  },
  'an empty object': { written: '{}', text: '{}', format: { type: 'json' } },
};

function read(pieces: readonly string[], format: AnswerFormat, whole = false) {
  const structured = new StructuredText({ format, whole, coerceStrings: true });
  const early = pieces.map((piece) => structured.read(piece)).join('');
  const end = structured.end(ended);
  return { early, text: early + end.text, end };
}

const ended = { called: false, cut: false };

/** From the first repair on, the white space depends on the pieces. */
function expectText(one: Case, text: string): void {
  if (!isRepaired(one)) expect(text).toBe(one.text);
  else expect(JSON.parse(text)).toEqual(JSON.parse(one.text));
}

const isRepaired = ({ repairs = [] }: Case) =>
  repairs.some((code) => code !== 'fenced-answer' && code !== 'text-around-answer');

const codesOf = ({ issues, repairs }: StructuredEnd) => [...issues, ...repairs].map(({ code }) => code);

describe('structured text', () => {
  describe.each(Object.entries(cases))('%s', (_, one) => {
    const { written, format = person, repairs = [], issues = [], aside = '' } = one;
    it.each([
      ['whole', [written], true],
      ['streamed at once', [written], false],
      ['streamed character by character', written.split(''), false],
    ] as const)('%s', (_, pieces, whole) => {
      const { end, ...read1 } = read(pieces, format, whole);
      expectText(one, read1.text);
      expect(end.repairs.map(({ code }) => code)).toEqual(repairs);
      expect(end.issues.map(({ code }) => code)).toEqual(issues);
      expect(end.aside).toBe(aside);
      if (whole) expect(read1.early).toBe('');
    });
    it('is the same however it is cut', () => {
      fc.assert(
        fc.property(fc.array(fc.nat(written.length), { maxLength: 4 }), (cuts) => {
          const places = [0, ...cuts.sort((a, b) => a - b), written.length];
          const pieces = places.slice(1).map((to, at) => written.slice(places[at], to));
          const { text: cut, end } = read(pieces, format);
          expectText(one, cut);
          expect(end).toEqual({ ...read([written], format).end, text: end.text });
        }),
        { numRuns: 30, seed: 16 },
      );
    });
    it.each([true, false])('waits when a call follows, which is delivered: %s', (called) => {
      const structured = new StructuredText({ format, whole: false, coerceStrings: true });
      const early = structured.read(written);
      structured.callFollows();
      expect(structured.read(' more')).toBe('');
      const end = structured.end({ called, cut: false });
      if (called) expect(end.text).toBe('');
      const rest = called ? end.aside : end.text;
      // What was given of JSON is without its fence, and repaired.
      if (early === '') expect(rest).toBe(called ? `${written} more`.trim() : `${written} more`);
      else if (!isRepaired(one)) expect(written).toContain(early);
    });
  });

  it('gives JSON as it comes, from a key of the schema on', () => {
    const structured = new StructuredText({ format: person, whole: false, coerceStrings: true });
    const given = ['Sure: ', '{"na', 'me"', ': "A', 'da", "age": 3', '6', '} ok'].map((piece) =>
      structured.read(piece),
    );
    expect(given).toEqual(['', '', '', '{"name": "A', 'da", "age":', '', ' 36}']);
  });

  it('waits with JSON whose first key the schema has not', () => {
    const structured = new StructuredText({ format: person, whole: false, coerceStrings: true });
    expect(structured.read('{"person": {"name": "Ada", "age": 36}}')).toBe('');
    expect(structured.given).toBe(false);
    expect(structured.end(ended).issues.map(({ message }) => message)).toContain(
      'name: required, but missing',
    );
  });

  it('leaves an answer as it is that a limit cut', () => {
    const structured = new StructuredText({ format: person, whole: false, coerceStrings: true });
    const early = structured.read('```json\n{"name": "Ada", "ag');
    const { text, issues } = structured.end({ ...ended, cut: true });
    expect(early + text).toBe('{"name": "Ada", "ag');
    expect(issues).toEqual([]);
  });

  it('gives up on long prose', () => {
    const structured = new StructuredText({ format: person, whole: false, coerceStrings: true });
    const prose = 'Once upon a time. '.repeat(4000);
    expect(structured.read(prose)).toBe(prose);
    expect(structured.read(ada)).toBe(ada);
    expect(structured.end(ended).issues.map(({ code }) => code)).toEqual(['unreadable-answer']);
  });

  it('never fails, and loses nothing, whatever is written', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      ':',
      ',',
      '```',
      '\n',
      ' ',
      '\\',
      'name',
      'a',
      '1',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.boolean(), (pieces, open) => {
        const format: AnswerFormat = open ? { type: 'json' } : person;
        const one = read(pieces, format);
        const other = read([pieces.join('')], format);
        expect(codesOf(one.end)).toEqual(codesOf(other.end));
        if (one.end.issues.every(({ code }) => code !== 'unreadable-answer'))
          expect(JSON.parse(one.text)).toEqual(JSON.parse(other.text));
        else if (one.early === '') expect(one.text).toBe(pieces.join(''));
      }),
      { numRuns: 1000, seed: 16 },
    );
  });
});
