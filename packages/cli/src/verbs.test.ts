import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments.js';
import { optionsOf } from './common-options.js';
import { commandHelp, overview } from './help.js';
import { withoutColors } from './terminal.js';
import { verbs } from './verbs.js';
import { widthOf } from './visible-text.js';

// Rules for every verb. The examples run in main.e2e.test.ts and serve.e2e.test.ts.

withoutColors();
const all = await Promise.all(verbs.map(async (verb) => ({ ...verb, command: await verb.load() })));

describe.each(all)('$name', ({ name, about, command }) => {
  const options = optionsOf(command);

  it('has a line in the overview that fits, and a usage that begins with its name', () => {
    expect(overview('0.0.0')).toContain(`${name} `);
    expect(about).not.toMatch(/^[A-Z]|\.$/);
    expect(command.usage.split(' ')[0]).toBe(name);
  });

  it('says of every option what it does, once', () => {
    for (const option of options) expect(option.about, option.name).toMatch(/^\S.*\S$/);
    const names = options.map((option) => option.name);
    expect(new Set(names).size).toBe(names.length);
    const shorts = options.flatMap(({ short }) => (short === undefined ? [] : [short]));
    expect(new Set(shorts).size).toBe(shorts.length);
  });

  it('understands --quiet, --no-color and --help', () => {
    const given = readArguments(['--quiet', '--no-color', '--help'], options);
    for (const option of ['quiet', 'no-color', 'help']) expect(given.has(option)).toBe(true);
  });

  it('completes what it takes from a list or from the disk', () => {
    for (const { value, completes, name: option } of options) {
      if (value === undefined) expect(completes, option).toBeUndefined();
      if (value === 'file') expect(completes, option).toBe('file');
      if (option === 'dialect') expect(completes).toContain('hermes');
    }
  });

  it('answers an option that is misspelt with the nearest', () => {
    for (const option of options.filter((one) => one.name.length > 3)) {
      const misspelt = `--${option.name.slice(0, 2)}${option.name.slice(3)}`;
      if (options.some((one) => `--${one.name}` === misspelt)) continue;
      expect(() => readArguments([misspelt], options)).toThrow(/unknown option --.*; did you mean --/);
    }
  });

  it('has help in 80 columns, with examples and exit codes that mean what they mean everywhere', async () => {
    const help = await commandHelp(command);
    expect(help.split('\n').filter((line) => widthOf(line) > 80)).toEqual([]);
    expect(Object.keys(command.examples)).not.toEqual([]);
    for (const run of Object.values(command.examples)) expect(run).toContain(`dragoman ${name}`);
    const codes = String(command.sections['Exit codes']);
    const listed = [...codes.matchAll(/^(\d+) /gm)].map(([, code]) => Number(code));
    expect(listed[0]).toBe(0);
    for (const code of listed) expect([0, 1, 2, 3, 4, 70, 130]).toContain(code);
  });
});

describe('the overview', () => {
  it('fits 80 columns', () => {
    expect(
      overview('0.0.0')
        .split('\n')
        .filter((line) => widthOf(line) > 80),
    ).toEqual([]);
  });
});
