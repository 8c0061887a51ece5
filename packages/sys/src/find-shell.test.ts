import { describe, expect, it } from 'vitest';
import { findShell } from './sys-built-in.js';

const only =
  (...paths: string[]) =>
  (path: string) =>
    paths.includes(path);

describe('the shell', () => {
  it('is bash where there is one, first along PATH', () => {
    const isExecutable = only('/opt/bin/bash', '/bin/bash', '/bin/sh');
    expect(findShell({ path: '/usr/local/bin:/opt/bin', isExecutable })).toBe('/opt/bin/bash');
    expect(findShell({ isExecutable })).toBe('/bin/bash');
  });

  it('is sh where there is no bash', () => {
    expect(findShell({ path: '/bin', isExecutable: only('/bin/sh') })).toBe('/bin/sh');
    const isExecutable = only('/nix/bin/sh');
    expect(findShell({ path: '/nix/bin', isExecutable })).toBe('/nix/bin/sh');
  });

  it('is never one that a relative folder of PATH would choose', () => {
    const isExecutable = only('bash', './bash', '/bin/sh');
    expect(findShell({ path: '.::bin', isExecutable })).toBe('/bin/sh');
  });

  it('is the one that was given', () => {
    expect(findShell({ given: '/bin/zsh' })).toBe('/bin/zsh');
  });

  it('is missed in clear words where there is none', () => {
    expect(() => findShell({ isExecutable: () => false })).toThrow('neither bash nor sh');
  });
});
