import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkSync } from 'recheck';
import ts from 'typescript-6';
import { describe, expect, it } from 'vitest';
import { isPlainRegex } from './plain-regex.js';
import { lineOf, packageNames, parseSource, readSource, sourcePaths, walk } from './sources.js';

// Every regex of the sources is linear: by its shape (plain-regex.ts), else by analysis. The analysis takes more than a
// minute for all of them, so those that it found linear are listed in analysed-regexes.txt: DRAGOMAN_WRITE=1 analyses new
// ones, which cost a second each until then, and writes the list; DRAGOMAN_EFFORT=1 analyses the listed ones again, DRAGOMAN_EFFORT=2 also the plain ones.

const EFFORT = Number(process.env.DRAGOMAN_EFFORT ?? 1);
const LIST = fileURLToPath(new URL('./analysed-regexes.txt', import.meta.url));

// The analysis in JavaScript: the same on every machine, with no Java and no binary.
process.env.RECHECK_BACKEND = 'pure';
process.env.RECHECK_SYNC_BACKEND = 'pure';

interface Regex {
  source: string;
  flags: string;
  at: string;
}

/** Regex literals, and `RegExp('…', '…')` where both are written out. */
function regexesOf(file: ts.SourceFile): Regex[] {
  const found: Regex[] = [];
  walk(file, (node) => {
    const regex = regexOf(node);
    if (regex) found.push({ ...regex, at: `${file.fileName}:${lineOf(file, node)}` });
  });
  return found;
}

function regexOf(node: ts.Node): Omit<Regex, 'at'> | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined;
  if (!ts.isIdentifier(node.expression) || node.expression.text !== 'RegExp') return undefined;
  const [source, flags] = node.arguments ?? [];
  if (!source || !ts.isStringLiteralLike(source)) return undefined;
  return { source: source.text, flags: flags && ts.isStringLiteralLike(flags) ? flags.text : '' };
}

/**
 * Nothing for a regex that the analysis finds linear, else a sentence. What the analysis cannot read is no better than
 * slow.
 */
function faultOf({ source, flags, at }: Regex): string | undefined {
  // `d` only adds indices to the match, and the analysis does not know it.
  // What runs out of time counts as an attack that succeeded: steps are to decide, and not how busy the machine is.
  const patience = {
    timeout: 60_000,
    incubationTimeout: 60_000,
    seedingTimeout: 60_000,
    attackTimeout: 60_000,
  };
  const verdict = checkSync(source, flags.replace('d', ''), { ...patience, randomSeed: 1 });
  if (verdict.status === 'safe') return undefined;
  const why =
    verdict.status === 'vulnerable'
      ? `${verdict.complexity.summary}, for example on ${verdict.attack.pattern}`
      : `cannot be judged (${verdict.error.kind})`;
  return `${at}: /${source}/${flags} ${why}`;
}

/** Those that their shape does not decide, by how they are written. */
function toAnalyse(regexes: readonly Regex[]): Map<string, Regex> {
  const unique = new Map(regexes.map((regex) => [`/${regex.source}/${regex.flags}`, regex]));
  return new Map(
    [...unique].filter(([, { source, flags }]) => EFFORT > 1 || !isPlainRegex(source, flags)).sort(),
  );
}

const faultsOf = (regexes: Iterable<Regex>) => [...regexes].flatMap((regex) => faultOf(regex) ?? []);

describe('regular expressions', () => {
  it('take linear time on any text', () => {
    const paths = packageNames().flatMap((name) => sourcePaths(`packages/${name}/src`));
    const regexes = toAnalyse(paths.flatMap((path) => regexesOf(readSource(path))));
    const listed = new Set(readFileSync(LIST, 'utf8').split('\n').filter(Boolean));
    const left = [...regexes].filter(([written]) => EFFORT >= 1 || !listed.has(written));
    expect(faultsOf(left.map(([, regex]) => regex))).toEqual([]);
    const lines = [...regexes.keys()].map((written) => `${written}\n`).join('');
    if (process.env.DRAGOMAN_WRITE) writeFileSync(LIST, lines);
  }, 240_000);

  it.each([
    ['an exponential one', 'const a = /^(a+)+$/;', 'exponential'],
    ['a polynomial one', 'text.replace(/\\s+$/g, "")', '2nd degree polynomial'],
    ['one written as a string', 'new RegExp("^(a|a)*$", "u")', 'exponential'],
    ['one that the analysis cannot read', 'const a = /[a--b]/v;', 'cannot be judged'],
  ])('the guard sees %s', (_, text, fault) => {
    expect(faultsOf(toAnalyse(regexesOf(parseSource('here.ts', text))).values()).join()).toContain(fault);
  });

  it.each([
    ['^[a-z]{1,9}$', ''],
    ['^\\/dialect (\\S*)$', ''],
    ['\\s+', 'y'],
    ['^[\\p{L}_]+$', 'u'],
    ['[<>]|a?\\[\\+', 'g'],
  ])('linear by its shape, and by analysis: /%s/%s', (source, flags) => {
    expect([isPlainRegex(source, flags), faultOf({ source, flags, at: '' })]).toEqual([true, undefined]);
  });

  it.each([
    ['^(a+)+$', ''],
    ['^(a|a)*$', ''],
    ['^(?:aa){2,}$', ''],
    ['\\s+$', ''],
    ['^\\s+$', 'm'],
    ['^a+a+$', ''],
    ['^a*|b*c$', ''],
    ['^(a{1,9}){9}$', ''],
    ['^[a--b]+$', 'v'],
    ['(a)\\1', ''],
    ['(?<=a)b', ''],
    ['^(?<name>a)\\k<name>+$', ''],
    ['a?a?a?a?a?a?a?', ''],
  ])('not to be decided by its shape: /%s/%s', (source, flags) => {
    expect(isPlainRegex(source, flags)).toBe(false);
  });

  it('the guard lets linear ones pass', () => {
    const text = 'const a = /^\\s+$/; const b = /\\s+$/y; const c = /^[a-z]+$/d; const d = 6 / 3 / 2;';
    const regexes = regexesOf(parseSource('here.ts', text));
    expect(regexes).toHaveLength(3);
    expect(faultsOf(regexes)).toEqual([]);
  });
});
