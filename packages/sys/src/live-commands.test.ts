import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import ts from 'typescript-6';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// A program of its own that has a command running, since what ends it would end the tests.

const folder = mkdtempSync(join(tmpdir(), 'dragoman-live-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  for (const name of ['live-commands', 'command-processes']) {
    const source = readFileSync(new URL(`${name}.ts`, import.meta.url), 'utf8');
    writeFileSync(join(folder, `${name}.js`), ts.transpileModule(source, { compilerOptions }).outputText);
  }
});

function program(more: string): ChildProcess {
  const script = `
    import { spawn } from 'node:child_process';
    import { addCommand, removeCommand } from './live-commands.js';
    let command;
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    child.once('spawn', () => { command = { group: child.pid, mark: 'M=1' }; addCommand(command); console.log(child.pid); ${more} });
    setInterval(() => {}, 1000);`;
  const path = join(folder, 'program.mjs');
  writeFileSync(path, script);
  return spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function commandOf(child: ChildProcess): Promise<number> {
  const [line] = (await child.stdout!.take(1).toArray()) as Buffer[];
  return Number(String(line));
}

const ended = (child: ChildProcess) =>
  new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));

async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      process.kill(pid, 0);
      if (/ Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return true;
    } catch {
      return true;
    }
    await delay(5);
  }
  return false;
}

describe('commands end with the program', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('when %s ends it', async (signal) => {
    const child = program('');
    const end = ended(child);
    const command = await commandOf(child);
    child.kill(signal);
    expect(await end).toBe(signal);
    expect(await isGone(command)).toBe(true);
  });

  it('when it exits', async () => {
    const child = program('setTimeout(() => process.exit(3), 20);');
    const end = ended(child);
    const command = await commandOf(child);
    expect(await end).toBe(3);
    expect(await isGone(command)).toBe(true);
  });

  it('but not where the program listens to the signal itself', async () => {
    const child = program(
      `process.on('SIGINT', () => { process.kill(child.pid, 0); removeCommand(command); child.kill(); process.exit(7); });`,
    );
    const end = ended(child);
    const command = await commandOf(child);
    child.kill('SIGINT');
    expect(await end).toBe(7);
    expect(await isGone(command)).toBe(true);
  });
});
