// `dragoman init` as a person sees it: it asks in a real terminal before it looks and before it writes.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bin } from '../../packages/cli/src/many-runs.fixture.js';
import { startStandIn } from '../../packages/cli/src/setup/stand-in.fixture.js';
import { findTmux, startTerminal, type Terminal } from './tmux.fixture.js';

const tmux = await findTmux();
const theirs = '{"theme": "dark"}';

let standIn: Server;
let url: string;
let requests = 0;
let folder: string;
let terminal: Terminal;

beforeAll(async () => {
  standIn = await startStandIn();
  standIn.on('request', () => requests++);
  url = `http://127.0.0.1:${(standIn.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  standIn.close();
  standIn.closeAllConnections();
});

const files = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ name }) => name)
    .sort();
const settings = () => readFileSync(join(folder, 'home/.claude/settings.json'), 'utf8');

describe.skipIf(!tmux)('dragoman init in a terminal', () => {
  /** An empty project, and a home in which Claude Code was used. */
  beforeEach(async () => {
    requests = 0;
    folder = mkdtempSync(join(tmpdir(), 'dragoman-init-'));
    mkdirSync(join(folder, 'project'));
    mkdirSync(join(folder, 'home/.claude'), { recursive: true });
    writeFileSync(join(folder, 'home/.claude/settings.json'), theirs);
    const home = join(folder, 'home');
    const env = { HOME: home, XDG_STATE_HOME: join(home, 'state'), NO_COLOR: '1' };
    // Agents are found by PATH, too, and this machine may have some.
    const command = ['/usr/bin/env', 'PATH=', process.execPath, bin, 'init', '--ports', new URL(url).port];
    terminal = await startTerminal(command, {
      cwd: join(folder, 'project'),
      columns: 120,
      rows: 60,
      env,
    });
  });
  afterEach(async () => {
    await terminal.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('looks at no port and writes nothing where the first answer is no', async () => {
    await terminal.shows('[Y/n]');
    await terminal.type('n', 'Enter');
    expect(await terminal.ended()).toBe(0);
    expect(requests).toBe(0);
    expect([files(), settings()]).toEqual([['settings.json'], theirs]);
  });

  it('shows each change, and writes none where the answers are no', async () => {
    await terminal.shows('Look for model servers on 127.0.0.1');
    await terminal.type('y', 'Enter');
    const config = await terminal.shows(/dragoman\.config\.yaml \(new\)[\s\S]*Write this\? \[Y\/n\]/);
    expect(config).toContain(`+     url: "${url}"`);
    await terminal.type('n', 'Enter');
    await terminal.shows(/settings\.json\n[\s\S]*ANTHROPIC_BASE_URL[\s\S]*Write this\? \[Y\/n\]/);
    await terminal.type('no', 'Enter');
    await terminal.shows(
      `dragoman.config.yaml is not written. Without it: \`dragoman serve --upstream ${url}\``,
    );
    expect(await terminal.ended()).toBe(0);
    expect([files(), settings()]).toEqual([['settings.json'], theirs]);
  });

  it('writes what was agreed to, and nothing else', async () => {
    await terminal.shows('[Y/n]');
    await terminal.type('Enter');
    await terminal.shows('Write this? [Y/n]');
    await terminal.type('Enter');
    await terminal.shows('ANTHROPIC_BASE_URL');
    await terminal.type('n', 'Enter');
    await terminal.shows('Next: `dragoman doctor`');
    expect(await terminal.ended()).toBe(0);
    expect([files(), settings()]).toEqual([['dragoman.config.yaml', 'init.json', 'settings.json'], theirs]);
  });
});
