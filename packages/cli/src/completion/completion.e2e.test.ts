import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bashScript } from './bash.js';
import { completableVerbs } from './completable.js';
import { fishScript } from './fish.js';
import { findShell, type ShellName, typeInto } from './real-shells.fixture.js';
import { zshScript } from './zsh.js';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-completion-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'what it wrote.txt'), '');
mkdirSync(join(folder, 'folder'));

const verbs = await completableVerbs();
const scripts: Record<ShellName, string> = {
  bash: bashScript(verbs),
  zsh: zshScript(verbs),
  fish: fishScript(verbs),
};

const shells = await Promise.all(
  (['bash', 'zsh', 'fish'] as const).map(async (name) => ({ name, path: await findShell(name) })),
);

describe.concurrent.each(shells)('completion in $name', ({ name, path }) => {
  it.skipIf(path === undefined)('completes verbs, options, and values of each kind', async () => {
    const script = join(folder, `dragoman.${name}`);
    writeFileSync(script, scripts[name]);
    const cases: [typed: string, got: string][] = [
      ['dragoman pars\t', '[parse]'],
      ['dragoman help ren\t', '[help][render]'],
      ['dragoman parse --thi\t', '[parse][--thinking]'],
      ['dragoman parse --no-c\t', '[parse][--no-color]'],
      ['dragoman parse --dialect herm\t', '[parse][--dialect][hermes]'],
      ['dragoman parse -d qwen\t', '[parse][-d][qwen3-coder]'],
      ['dragoman parse --dialect=herm\t', '[parse][--dialect=hermes]'],
      ['dragoman render --safety rej\t', '[render][--safety][reject]'],
      ['dragoman dialects alk\t', '[dialects][alkaid]'],
      ['dragoman completion fi\t', '[completion][fish]'],
      ['dragoman parse --tools what\t', '[parse][--tools][what it wrote.txt]'],
      ['dragoman parse -d hermes what\t', '[parse][-d][hermes][what it wrote.txt]'],
      // Not what another verb takes, and no file where none is due.
      ['dragoman tour --dial\t', '[tour][--dial]'],
      ['dragoman dialects what\t', '[dialects][what]'],
    ];
    const got = await typeInto(
      name,
      path as string,
      script,
      folder,
      cases.map(([typed]) => typed),
    );
    expect(cases.map(([typed], at) => [typed, got[at]])).toEqual(cases);
  });
});

describe('the scripts', () => {
  it.each(Object.entries(scripts))('of %s know every verb and every option', (_, script) => {
    for (const { name, options } of verbs) {
      expect(script).toContain(name);
      for (const option of options) expect(script).toMatch(new RegExp(`(?:--|-l )${option.name}\\b`));
    }
  });

  it('offer only words that no shell reads as anything else', () => {
    const offered = verbs.flatMap(({ words, options }) => [
      words,
      ...options.map(({ value }) => value ?? []),
    ]);
    for (const words of offered)
      if (typeof words !== 'string') for (const word of words) expect(word).toMatch(/^[A-Za-z0-9._+-]+$/);
  });
});
