// A model writes a file that is full of its own dialect's markers: the sources of the dialect itself, and texts drawn
// from the markers of all dialects.
//
// - Written as it is taught (the markers broken, where the dialect's values are raw text), it arrives byte for byte.
// - Written as it is, it arrives byte for byte or the answer has an issue: it is never cut in silence.
//
// Where the closer of an argument is missing, the next argument is not read as its text in silence, declared or not,
// whatever stands before it; nor is an opener that is written twice. A text that shows other arguments of the same tool
// is not read as these in silence, nor is one that quotes their openers. A text that mentions a closer of what is around it, and is cut behind that, is no
// shorter text.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { closerRule } from '../engine/closer-rule.js';
import type { Dialect } from '../engine/dialect.js';
import { restore } from '../engine/markers.js';
import { collect, type ParsedAnswer, parse } from '../engine/parse.js';
import { createParser } from '../engine/parser.js';
import { Writer } from '../engine/writer.js';
import { acceptTools } from '../model/index.js';
import { coalesce, createRandom, eventsOf, ingredients, markerMix, randomCuts } from '../testing/index.js';
import { dialects, isFullyTried } from './every.fixture.js';

const EFFORT = Number(process.env.DRAGOMAN_EFFORT ?? 0.2);
/** Files that are drawn for a dialect that is tried in full; the others get a quarter. */
const DRAWN = 100 * EFFORT;

const text = { type: 'string' };
const schema = { type: 'object', required: ['path', 'content'], additionalProperties: false };
const tools = acceptTools([
  { name: 'write_file', parameters: { ...schema, properties: { path: text, content: text } } },
]);

const onlyPath = acceptTools([
  { name: 'write_file', parameters: { type: 'object', properties: { path: text } } },
]);

/** The same with arguments that a call may leave out. */
const more = { mode: 'w', owner: 'root' };
const withMore = acceptTools([
  {
    name: 'write_file',
    parameters: { type: 'object', properties: { path: text, content: text, mode: text, owner: text } },
  },
]);

// --- how a model writes the file -----------------------------------------------------------------------

/** Writes the call as the renderer does, which is the way we teach. */
function taught(dialect: Dialect, content: string, others = {}, declared = tools): string {
  const out = new Writer(dialect.markers);
  const input = { path: 'a.ts', content, ...others };
  dialect.render.calls(out, [{ type: 'tool-call', id: 'call_1', name: 'write_file', input }], {
    tools: declared,
    afterText: false,
  });
  return out.text;
}

/** Writes the call with the content as it is, or as a string literal where the dialect has those. */
function naive(dialect: Dialect, content: string): string {
  const [before = '', behind = ''] = taught(dialect, PLACE).split(PLACE);
  const quote = ['"', "'"].find((one) => taught(dialect, PLACE + one).includes(`${PLACE}\\${one}`));
  const literal = JSON.stringify(content).slice(1, -1);
  const singly = literal.replaceAll('\\"', '"').replaceAll("'", "\\'");
  return before + (quote === '"' ? literal : quote === "'" ? singly : content) + behind;
}

const PLACE = 'content-of-the-file';

/** Writes the call without the closer of its path: the content follows with its line break and its opener. */
function withoutCloser(dialect: Dialect, between?: string): string {
  const written = taught(dialect, PLACE);
  const [before = '', behind = ''] = written.split('a.ts');
  const found = openerOf(dialect);
  const opener = between === undefined ? found : between + found.trimStart();
  return `${before}a.ts${opener}${behind.slice(behind.indexOf('content'))}`;
}

/** The part of an argument's opener before its key, with the white space before it. */
function openerOf(dialect: Dialect): string {
  const written = taught(dialect, PLACE);
  const [before = ''] = written.split('a.ts');
  const key = written.lastIndexOf('content', written.indexOf(PLACE) - 1);
  const opener = commonSuffix(before.slice(0, before.lastIndexOf('path')), written.slice(0, key));
  const tag = /\s*<[^<]*$/.exec(opener)?.[0] ?? opener;
  return tag.trim() === '<' ? opener.slice(1) : tag;
}

/** Writes the opener of the path twice. */
function twiceOpened(dialect: Dialect): string {
  const [before = '', behind = ''] = taught(dialect, PLACE).split('a.ts');
  const opener = before.slice(before.lastIndexOf('path') - openerOf(dialect).trimStart().length);
  return `${before}${opener}a.ts${behind}`;
}

/** Two more arguments of the call, as they stand behind the content. */
function pairs(dialect: Dialect): string {
  const short = taught(dialect, PLACE).split(PLACE)[1] ?? '';
  const long = taught(dialect, PLACE, more, withMore).split(PLACE)[1] ?? '';
  const cuts = Array.from({ length: short.length }, (_, at) => at)
    .filter((at) => long.startsWith(short.slice(0, at)) && long.endsWith(short.slice(at)))
    .map((at) => long.slice(at, long.length - short.length + at));
  const opener = openerOf(dialect).trimStart();
  return (opener === '' ? cuts.at(-1) : cuts.find((cut) => cut.startsWith(opener))) ?? '';
}

/** The opening tags of an argument that the call may still get: all of them, and the first alone. */
function openersOf(dialect: Dialect): string[] {
  const [tags = ''] = pairs(dialect).split(more.mode);
  const first = /^\s*<[^<]*<\/[^>]*>/.exec(tags)?.[0] ?? tags;
  return [...new Set([tags.trim(), first.trim()])].filter(Boolean);
}

function quotations(opener: string): string[] {
  return [
    `Write \`${opener}\` here.`,
    `\`${opener}\``,
    `Write ${opener} here.`,
    `Write "${opener}" here.`,
    `Write (${opener}) here.`,
    `Write ${opener}`,
    `\`\`\`\n${opener}\n/etc\n\`\`\``,
    `Code:\n\`\`\`\n${opener}\n\`\`\`\nand so on`,
  ];
}

function commonSuffix(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one.at(-1 - length) === other.at(-1 - length)) length++;
  return one.slice(one.length - length);
}

// --- how it is read ------------------------------------------------------------------------------------

const options = { tools, thinking: false };

/** Reads the text whole and in pieces, which must agree. */
function read(dialect: Dialect, written: string, seed?: number, declared = tools): ParsedAnswer {
  const readIn = (pieces: string[]) =>
    collect(coalesce(eventsOf(dialect, pieces, { ...options, tools: declared })));
  const whole = readIn([written]);
  const cut = seed === undefined ? whole : readIn(randomPieces(seed, written));
  // The quick comparison first: the other one is slow, but shows the difference.
  if (!isDeepStrictEqual(cut, whole)) expect(cut).toEqual(whole);
  return whole;
}

/** Cuts a short text anywhere, and a long one into longer pieces. */
function randomPieces(seed: number, written: string): string[] {
  const random = createRandom(seed);
  return written.length < 2000 ? randomCuts(random, written) : (written.match(PIECE) ?? []);
}

const PIECE = /[\s\S]{1,37}/g;

function isWhole({ calls }: ParsedAnswer, ...contents: string[]): boolean {
  const [call, ...others] = calls;
  const { path, content } = call?.input ?? {};
  return others.length === 0 && path === 'a.ts' && contents.includes(content as string);
}

/** Text behind the calls is nothing unusual, and tells nobody that a file was cut. */
const warns = ({ issues }: ParsedAnswer) => issues.some(({ code }) => code !== 'text-after-calls');

function arrives(dialect: Dialect, content: string, seed: number): void {
  const answer = read(dialect, taught(dialect, content), seed);
  if (isWhole(answer, content) && answer.issues.length === 0) return;
  expect(answer.calls.map(({ input }) => input)).toEqual([{ path: 'a.ts', content }]);
  expect(answer.issues).toEqual([]);
}

function arrivesOrWarns(dialect: Dialect, content: string, seed?: number): void {
  const written = naive(dialect, content);
  const answer = read(dialect, written, seed);
  // In raw text, a marker that is broken in the file itself is restored, and the last line break may be layout.
  const restored = restore(content, dialect.markers);
  const same = [content, restored].flatMap((one) => [one, one.replace(/\n$/, '')]);
  if (!isWhole(answer, ...same) && !warns(answer))
    expect({ written, calls: answer.calls }, 'cut in silence').toBeUndefined();
}

/** What is not as the dialect has it is told. */
function noted(dialect: Dialect, written: string, declared: typeof tools): void {
  const { calls, issues, repairs } = read(dialect, written, 1, declared);
  if (issues.length + repairs.length === 0) expect({ written, calls }, 'in silence').toBeUndefined();
}

/** The tags behind the closer of the last value. */
function outerClosers(dialect: Dialect): string[] {
  const [, behind = ''] = taught(dialect, PLACE).split(PLACE);
  return [...behind.matchAll(CLOSER)].map(([tag]) => tag).slice(1);
}

const CLOSER = /(?:\]<\]minimax\[>\[)?<(?:\|close\|>\w+<\|sep\|)?[^<>]*>/g;

function mentions(closer: string): string[] {
  return [
    `It ends with \`${closer}\`, and so on.`,
    `It ends (${closer}) and so on.`,
    `It ends with ${closer}, and so on.`,
    `It ends with ${closer} and so on.`,
    `It ends with${closer}and so on.`,
    `It ends:\n${closer}\nand so on.`,
    `It ends:\n${closer}\n${closer}\nand so on.`,
    `It ends with ${closer}`,
    `It ends:\n${closer}`,
    `\`${closer}\` ends, \`${closer}\` ends.`,
  ];
}

const rawDialects = dialects.filter((dialect) => closerRule(dialect));

/** The closers of calls and blocks in any spelling, and a block's that no version of its vendor writes any more. */
const everyCloser = [...new Set([...rawDialects.flatMap(outerClosers), '</invoke>', '</function_calls>'])];

/**
 * Whether a text ends with all closers of the call and its block, as the dialect writes them. Nothing in the text shows
 * then whether it was cut inside a value that holds them, or the closer of the value is missing.
 */
function closesAll(dialect: Dialect, text: string): boolean {
  const rest = outerClosers(dialect).reduceRight((before, closer) => {
    const trimmed = before.trimEnd();
    return trimmed.endsWith(closer) ? trimmed.slice(0, -closer.length) : '(';
  }, text);
  return !/[`(]$/.test(rest);
}

/** Cuts the text at every place behind the mention: what is delivered is what the whole delivers, or told. */
function cuts(dialect: Dialect, closer: string, content: string): void {
  const written = naive(dialect, content);
  const inputs = ({ calls }: ParsedAnswer) => calls.map(({ input }) => input);
  const whole = inputs(parse(dialect, written, options));
  for (let end = written.indexOf(content) + content.indexOf(closer); end <= written.length; end++) {
    const text = written.slice(0, end);
    if (closesAll(dialect, text)) continue;
    const answer = parse(dialect, text, options);
    const found = inputs(answer);
    if (!isDeepStrictEqual(found, whole.slice(0, found.length)))
      expect({ text, found }, 'another call than that of the whole').toBeUndefined();
    if (found.length > 0 && !isWhole(answer, content, content.trimEnd()) && !warns(answer))
      expect({ text, found }, 'cut in silence').toBeUndefined();
  }
}

// --- the files -----------------------------------------------------------------------------------------

const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(path))
  .map((path) => join(import.meta.dirname, path));

/** Gives the sources of a dialect: its file, and those beside it if it has a folder. */
function sourcesOf({ name }: Dialect): string[] {
  const own = sources.filter((path) => basename(path) === `${name}.ts`);
  const folder = own.map(dirname).find((path) => path !== import.meta.dirname);
  return folder === undefined ? own : sources.filter((path) => dirname(path) === folder);
}

const everyMarker = dialects.flatMap(({ markers }) => markers.literals);

/** Draws a file of several lines: of the dialect's markers, whole calls and code, and of the markers of all. */
function drawnFiles(dialect: Dialect): string[] {
  const random = createRandom(dialect.name.length * 31 + dialect.name.charCodeAt(0));
  const pieces = ingredients(dialect, [taught(dialect, 'x')]);
  const length = Math.ceil(isFullyTried(dialect) ? DRAWN : DRAWN / 4);
  return Array.from({ length }, (_, n) => {
    const mix = markerMix(random, n % 4 === 0 ? everyMarker : pieces, 1 + random.int(30));
    return `// the first line\n${mix.replaceAll('\r', '').toWellFormed()}\nthe last line\n`;
  });
}

describe.each(dialects)('a file that a model writes in $name', (dialect) => {
  it('is the source of the dialect, which arrives byte for byte', () => {
    const paths = sourcesOf(dialect);
    expect(paths).not.toEqual([]);
    for (const [seed, path] of paths.entries()) {
      const content = readFileSync(path, 'utf8');
      arrives(dialect, content, seed);
      arrivesOrWarns(dialect, content, seed);
    }
  });

  it('is full of markers', () => {
    for (const [seed, content] of drawnFiles(dialect).entries()) {
      arrives(dialect, content, seed);
      // Backslashes would be those of broken markers.
      arrivesOrWarns(dialect, content.replaceAll('\\', ''), seed);
    }
  });

  it('holds a whole call of its own', () => {
    const example = naive(dialect, 'v');
    for (const content of [
      example,
      `${example}\n`,
      `A call:\n${example}\nand so on.\n`,
      `${example}\n${example}`,
    ]) {
      arrives(dialect, content, 1);
      arrivesOrWarns(dialect, content, 1);
    }
  });

  it('needs no rule, or is taught with one', () => {
    const content = `${naive(dialect, 'v')}\n`;
    const answer = parse(dialect, naive(dialect, content), options);
    expect(isWhole(answer, content) || closerRule(dialect) !== undefined).toBe(true);
  });
});

describe.each(rawDialects)('a file that a model writes as it is in $name', (dialect) => {
  it('is the source of any dialect', () => {
    for (const path of sources) arrivesOrWarns(dialect, readFileSync(path, 'utf8'));
  });

  it.each([['declared', tools] as const, ['undeclared', onlyPath] as const])(
    'follows an argument without its closer, %s',
    (_, declared) => {
      const written = withoutCloser(dialect);
      const { calls, issues, repairs } = parse(dialect, written, { tools: declared, thinking: false });
      if (issues.length + repairs.length === 0) expect({ written, calls }, 'in silence').toBeUndefined();
      for (const { input } of calls) expect(Object.keys(input)).toContain('path');
    },
  );

  it.each([['declared', withMore] as const, ['undeclared', onlyPath] as const])(
    'follows an argument without its closer behind any white space or quote, %s',
    (_, declared) => {
      for (const between of ['\n  ', '\n\t', '\n\n', '\r\n ', ' ', '\t', '"', "'", '`', '(', '\n"', ' "', ''])
        noted(dialect, withoutCloser(dialect, between), declared);
    },
  );

  // In tool-tags an opening tag in a value is text: most values are code, and full of tags.
  it.skipIf(dialect.name === 'tool-tags')('has an opener that is written twice', () => {
    noted(dialect, twiceOpened(dialect), withMore);
  });

  it('mentions the closer of its call or block, and is cut anywhere behind it', () => {
    for (const closer of outerClosers(dialect))
      for (const content of mentions(closer)) cuts(dialect, closer, content);
  });

  it('ends in any closer of a call or a block, and is cut behind it', () => {
    for (const closer of everyCloser)
      for (const before of ['x', 'x ', 'x\n']) {
        const content = before + closer;
        const written = naive(dialect, content);
        const text = written.slice(0, written.indexOf(content) + content.length);
        if (closesAll(dialect, text)) continue;
        const { calls } = parse(dialect, text, options);
        if (calls.length > 0) expect({ text, calls }, 'delivered, though it was cut').toBeUndefined();
      }
  });

  it('ends in all closers, and the token limit cut it behind them', () => {
    for (const between of ['', '\n']) {
      const content = `x${between}${outerClosers(dialect).join(between)}`;
      const written = naive(dialect, content);
      const text = written.slice(0, written.indexOf(content) + content.length);
      const parser = createParser(dialect, options);
      const { calls } = collect([...parser.feed(text), ...parser.finish({ cut: true })]);
      if (calls.length > 0) expect({ text, calls }, 'delivered, though it was cut').toBeUndefined();
    }
  });

  it('quotes the opener of another argument', () => {
    for (const content of openersOf(dialect).flatMap(quotations)) {
      const written = naive(dialect, content);
      const answer = read(dialect, written, 1, withMore);
      if (!isWhole(answer, content) && !warns(answer))
        expect({ written, calls: answer.calls }, 'read as an argument in silence').toBeUndefined();
    }
  });

  it('shows arguments of the same tool', () => {
    const shown = pairs(dialect);
    for (const head of ['Doc:\n', 'Doc: ', ''])
      for (const tail of ['', '\n', '\n\n', '\nend', '\nend\n', ' end']) {
        const content = `${head}${shown}${tail}`;
        const written = naive(dialect, content);
        const answer = read(dialect, written, 1, withMore);
        if (!isWhole(answer, content, content.replace(/\n$/, '')) && !warns(answer))
          expect({ written, calls: answer.calls }, 'cut in silence').toBeUndefined();
      }
  });
});
