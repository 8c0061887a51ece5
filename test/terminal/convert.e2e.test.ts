// `dragoman convert` as a person sees it: in a real terminal, with its progress, stopped in the middle and resumed.

import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findTmux, startTerminal, type Terminal } from './tmux.fixture.js';

const bin = fileURLToPath(new URL('../../packages/cli/bin/dragoman.js', import.meta.url));
const tmux = await findTmux();
const ROWS = 15_000;

let folder: string;
let terminal: Terminal | undefined;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-convert-'));
  const said = 'Some words that make a row as long as rows are. '.repeat(80);
  const rows = Array.from({ length: ROWS }, (_, id) =>
    JSON.stringify({ id, messages: [{ role: 'user', content: `${id} ${said}` }] }),
  );
  writeFileSync(join(folder, 'rows.jsonl'), `${rows.join('\n')}\nno row\n`);
});
afterEach(() => terminal?.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function convert(output: string, argv: readonly string[] = [], columns = 80): Promise<Terminal> {
  const forms = ['--from', 'openai', '--to', 'anthropic', '-o', output, '--jobs', '1', '--block-size', '64k'];
  const command = [process.execPath, bin, 'convert', 'rows.jsonl', ...forms, ...argv];
  terminal = await startTerminal(command, { cwd: folder, columns });
  return terminal;
}

const PROGRESS = / {0,2}\d+ % {2}.*MB.*rows\/s.*MB\/s/;

describe.skipIf(!tmux)('a conversion in a terminal', () => {
  it('shows one line of progress, takes it away, and ends with a report', async () => {
    const running = await convert('out.jsonl');
    const during = await running.shows(PROGRESS);
    expect(during.split('\n')).toHaveLength(1);
    expect(await running.ended()).toBe(1);
    const after = await running.shows('set aside');
    expect(after).not.toMatch(PROGRESS);
    expect(after).toContain('15,000 rows converted');
    expect(after).toContain('set aside in out.jsonl.bad.jsonl');
  });

  it('keeps to one line in a narrow window', async () => {
    const running = await convert('narrow.jsonl', [], 40);
    expect((await running.shows(/\d+ %/)).split('\n')).toHaveLength(1);
    expect(await running.ended()).toBe(1);
  });

  it('stops at Ctrl-C, says how to go on, and gives the same bytes then', async () => {
    const running = await convert('stopped.jsonl');
    await running.shows(PROGRESS);
    await running.type('C-c');
    expect(await running.ended()).toBe(130);
    expect(await running.screen()).toContain('--resume');
    await running.close();
    const resumed = await convert('stopped.jsonl', ['--resume']);
    expect(await resumed.ended()).toBe(1);
    expect(digestOf('stopped.jsonl')).toBe(digestOf('out.jsonl'));
  });

  it('is silent with --quiet', async () => {
    const running = await convert('quiet.jsonl', ['--quiet']);
    expect(await running.ended()).toBe(1);
    expect(await running.screen({ scrolled: true })).toBe('');
  });
});

function digestOf(file: string): string {
  return createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex');
}
