import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EXIT } from './exit-codes.js';
import { exitTable } from './help.js';

// Each code of the command as it is built. Those of single verbs are in the tests of the verbs.

const bin = fileURLToPath(new URL('../bin/dragoman.js', import.meta.url));

function statusOf(argv: string[], input = ''): number | null {
  return spawnSync(process.execPath, [bin, ...argv], { input }).status;
}

describe('the exit codes', () => {
  it('are all in the table, once, and in the documentation', () => {
    expect(exitTable.map(({ code }) => code)).toEqual(Object.values(EXIT));
    expect(exitTable.map(({ name }) => name)).toEqual(Object.keys(EXIT));
    const page = readFileSync(new URL('../../../docs/command.md', import.meta.url), 'utf8');
    for (const { code, name, means } of exitTable) expect(page).toContain(`| ${code} | ${name} | ${means} |`);
  });

  it('0: done', () => expect(statusOf(['parse', '-d', 'hermes'], 'Hi')).toBe(EXIT.done));

  it('1: done, but there are issues', () =>
    expect(statusOf(['parse', '-d', 'hermes'], '<tool_call>{"na')).toBe(EXIT.partial));

  it('2: called wrongly', () => expect(statusOf(['parse', '--nonsense'])).toBe(EXIT.usage));

  it('3: nothing to read', () => expect(statusOf(['explain', 'nowhere.txt'])).toBe(EXIT.input));

  it('4: a server that does not answer', () => {
    const argv = ['chat', '--upstream', 'http://127.0.0.1:59999/v1', '--model', 'any'];
    expect(statusOf(argv, 'Hi')).toBe(EXIT.upstream);
  });

  it('70: a fault of the command itself, with its stack', () => {
    const broken = 'data:text/javascript,process.stdout.write=()=>{throw new RangeError("broken")}';
    const argv = ['--import', broken, bin, 'parse', '-d', 'hermes'];
    const { status, stderr } = spawnSync(process.execPath, argv, { input: 'Hi', encoding: 'utf8' });
    expect(stderr).toMatch(/^dragoman: RangeError: broken\n +at /);
    expect(status).toBe(EXIT.internal);
  });

  it('130: Ctrl-C, as the shell sees it', () => {
    // A pipe that nobody writes to and nobody closes.
    const script = `f=$(mktemp -u); mkfifo "$f"; exec 3<>"$f"; rm "$f"; set -m
"$1" "$2" parse -d hermes <&3 2>/dev/null & child=$!
sleep 0.5; kill -INT -- "$child"; wait "$child" 2>/dev/null; echo "ended with $?"`;
    const said = execFileSync('bash', ['-c', script, 'bash', process.execPath, bin], { encoding: 'utf8' });
    expect(said).toBe(`ended with ${EXIT.stopped}\n`);
  });

  it('130: a second signal does not wait for what the first lets finish', async () => {
    const gateway = spawn(process.execPath, [bin, 'serve', '--demo', '--port', '0']);
    let said = '';
    gateway.stdout.on('data', (piece) => {
      said += piece;
    });
    const ended = new Promise<number | null>((tell) => gateway.once('close', tell));
    const until = async (done: () => boolean) => {
      while (!done()) await new Promise((tell) => setTimeout(tell, 10));
    };
    await until(() => said.includes('Stop with Ctrl-C.'));
    const port = Number(/127\.0\.0\.1:(\d+)/.exec(said)?.[1]);
    // A request that goes on arriving is not cut off by the first signal.
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    const head = 'POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{';
    await new Promise((tell) => socket.write(head, tell));
    await new Promise((tell) => setTimeout(tell, 300));
    gateway.kill('SIGINT');
    await until(() => said.includes('stopping'));
    gateway.kill('SIGINT');
    expect(await ended).toBe(EXIT.stopped);
    socket.destroy();
  });
});
