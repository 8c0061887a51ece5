import { describe, expect, it } from 'vitest';
import { splitCommand } from './split-command.js';

describe('a command in one string', () => {
  it.each([
    ['npx -y server', { command: 'npx', args: ['-y', 'server'], env: {} }],
    [`a "b c" 'd "e' f\\ g ""`, { command: 'a', args: ['b c', 'd "e', 'f g', ''], env: {} }],
    ['KEY=a=b X= run --y=1', { command: 'run', args: ['--y=1'], env: { KEY: 'a=b', X: '' } }],
    [`'K=1' run`, { command: 'run', args: [], env: { K: '1' } }],
  ])('%s', (text, expected) => {
    expect(splitCommand(text, 'linux')).toEqual(expected);
  });

  it.each(['', '  ', 'A=1', '"open'])('%j is none', (text) => {
    expect(() => splitCommand(text)).toThrow('--mcp');
  });
});

it('keeps the backslashes of paths on Windows', () => {
  const text = String.raw`"C:\Program Files\nodejs\node.exe" C:\new\server.js --name "a \"b\""`;
  expect(splitCommand(text, 'win32')).toEqual({
    command: String.raw`C:\Program Files\nodejs\node.exe`,
    args: [String.raw`C:\new\server.js`, '--name', 'a "b"'],
    env: {},
  });
  expect(splitCommand(String.raw`node a\ b`, 'linux').args).toEqual(['a b']);
});
