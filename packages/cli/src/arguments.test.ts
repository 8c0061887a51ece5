import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments.js';
import { optionsOf } from './common-options.js';

const options = optionsOf({
  options: {
    '-d, --dialect <name>': '',
    '--set <name=value> …': '',
    '--json': '',
    '--thinking': '',
    '--no-thinking': '',
  },
});
const read = (...argv: string[]) => readArguments(argv, options);

describe('arguments', () => {
  it('are words and options in any order', () => {
    const args = read('a.txt', '--json', '-d', 'hermes', '--set', 'a=1', '--set=b=2');
    expect(args.file()).toBe('a.txt');
    expect(args.has('json')).toBe(true);
    expect(args.value('dialect')).toBe('hermes');
    expect(args.values('set')).toEqual(['a=1', 'b=2']);
  });

  it('are kept as they are written', () => {
    expect(read('--json', '1.0').file()).toBe('1.0');
    expect(read('--dialect=007').value('dialect')).toBe('007');
    expect(read('--', '--json').file()).toBe('--json');
  });

  it('name standard input with a dash, or not at all', () => {
    expect(read('-').file()).toBeUndefined();
    expect(read('-', '-d', 'hermes').value('dialect')).toBe('hermes');
    expect(read().file()).toBeUndefined();
  });

  it('say yes, no or nothing', () => {
    expect(read('--thinking').choice('thinking')).toBe(true);
    expect(read('--no-thinking').choice('thinking')).toBe(false);
    expect(read().choice('thinking')).toBeUndefined();
    expect(() => read('--thinking', '--no-thinking').choice('thinking')).toThrow('exclude each other');
  });

  it.each([
    [['--jsn'], 'unknown option --jsn; did you mean --json?'],
    [['-x'], 'unknown option -x; --help lists the options'],
    [['--no-json'], 'unknown option --no-json; did you mean --json?'],
    [['--json=1'], '--json takes no value, found 1'],
    [['--dialect'], '--dialect needs a value: --dialect <name>'],
    [['--dialect', '-x'], '--dialect needs a value: --dialect <name>'],
    [['--dialect', '--json'], '--dialect needs a value: --dialect <name>'],
    [['-d'], '-d needs a value: --dialect <name>'],
  ])('%j are refused: %s', (argv, message) => {
    expect(() => read(...argv)).toThrow(message);
  });

  it('take a negative number as a value, so that the option can say what it expected', () => {
    const args = read('--dialect', '-3');
    expect(() => args.count('dialect', 9)).toThrow('expected a whole number of at least 1, found -3');
    expect(read('--dialect', '-.5').value('dialect')).toBe('-.5');
  });

  it('name one file at most', () => {
    expect(() => read('a', 'b').file()).toThrow('expected one file, found 2: a, b');
  });
});
