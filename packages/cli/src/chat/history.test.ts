import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { History, historyFile } from './history.js';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-history-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the history', () => {
  it('is kept in a file, without what may be a secret', () => {
    const file = join(folder, 'a', 'b', 'history');
    const history = new History(file, ['my-own-key']);
    const kept = ['one', 'two ␤lines', 'one'];
    const unkept = [
      ' a space first',
      'is my-own-key right',
      'use sk-abcdefghijklmnop1234',
      `x${'y'.repeat(10_001)}`,
    ];
    for (const entry of [...kept, 'one', '', ...unkept]) history.add(entry);
    expect(history.entries.slice(unkept.length)).toEqual(kept.toReversed());
    expect(new History(file, []).entries).toEqual(kept.toReversed());
  });

  it('does not grow without end', () => {
    const file = join(folder, 'long');
    writeFileSync(file, Array.from({ length: 2_100 }, (_, at) => `"${at}"\n`).join(''));
    const history = new History(file, []);
    expect(history.entries).toHaveLength(1_000);
    expect(history.entries[0]).toBe('2099');
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(1_001);
  });

  it('that cannot be read or written is none', () => {
    const file = join(folder, 'broken');
    writeFileSync(file, 'no json\n');
    const history = new History(join(file, 'x'), []);
    history.add('one');
    expect(history.entries).toEqual(['one']);
    expect(new History(file, []).entries).toEqual([]);
  });

  it('stands where the desktop wants it', () => {
    expect(historyFile({ XDG_STATE_HOME: '/s' })).toBe('/s/dragoman/chat-history');
    expect(historyFile({ XDG_STATE_HOME: 'relative' })).toMatch(/\/\.local\/state\/dragoman\/chat-history$/);
  });
});
