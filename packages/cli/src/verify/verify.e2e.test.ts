import { spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VerifyReport } from '@dragoman/verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bin, manyRuns } from '../many-runs.fixture.js';
import { environment, ServeProcess } from '../serve-process.fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-verify-'));
const dragoman = manyRuns(folder);
let gateway: ServeProcess;
let url: string;

beforeAll(async () => {
  gateway = new ServeProcess(['--demo', '--port', '0', '--log', 'silent'], folder, environment({}));
  await gateway.says('Stop with Ctrl-C');
  url = `${gateway.url}/v1`;
});

afterAll(async () => {
  await Promise.all([dragoman.end(), gateway.stop('SIGTERM')]);
  rmSync(folder, { recursive: true });
});

const path = (name: string) => join(folder, name);

describe('dragoman verify', () => {
  it('finds nothing wrong with the demo of `dragoman serve`, and writes all reports', async () => {
    const argv = ['verify', url, '--model', 'demo', '--concurrency', '32', '--save', 'kept', '--json'];
    const ran = await dragoman([...argv, '--html', 'report.html', '--badge', 'badge.svg']);
    const report: VerifyReport = JSON.parse(ran.stdout);
    expect(report.checks.filter(({ status }) => status === 'fail')).toEqual([]);
    expect(report.checks).toHaveLength(28);
    expect(ran.status).toBe(0);
    expect(readFileSync(path('report.html'), 'utf8')).toContain('Tool calls of demo');
    expect(readFileSync(path('badge.svg'), 'utf8')).toContain('28/28');
  });

  it('judges the kept exchanges again without the endpoint, for people', async () => {
    const { status, stdout } = await dragoman(['verify', '--replay', 'kept']);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^demo at http.*\nAll 28 checks pass, 1 with a warning\.\n20\d\d-.*, @dragoman\/verify /,
    );
    const { date } = JSON.parse(readFileSync(join(path('kept'), 'verify.json'), 'utf8'));
    expect(stdout).toContain(`${date}, @dragoman/verify 0.1.0\n`);
    expect(stdout).toContain("  text      I am Dragoman's demo model");
    expect(stdout).toContain('What to do: Turn prefix caching on');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('judges them again with the command they were kept by', async () => {
    const argv = ['verify', `${url}/`, '--model', 'demo', '--api', 'openai-chat', '--seed', '1'];
    const { status, stdout } = await dragoman([...argv, '--replay', 'kept', '--json']);
    expect(JSON.parse(stdout).requests.done).toBe(JSON.parse(stdout).requests.planned);
    expect(status).toBe(0);
  });

  it('passes no folder that lacks exchanges', async () => {
    cpSync(path('kept'), path('lacking'), { recursive: true });
    const left = readdirSync(path('lacking')).filter((name) => /^1\.(errors|history-tolerant)\./.test(name));
    for (const name of left) rmSync(join(path('lacking'), name));
    const argv = ['verify', '--replay', 'lacking', '--badge', 'lacking.svg'];
    const { status, stdout } = await dragoman(argv);
    expect(stdout).toMatch(/\nThe run is not finished: \d+ of \d+ probes were answered, 2 of 28 checks/);
    expect(stdout).toContain('None fails so far.');
    expect(stdout).not.toMatch(/All \d+ checks pass/);
    expect(readFileSync(path('lacking.svg'), 'utf8')).toContain(
      '26 of 26 checks pass, the run is not finished',
    );
    expect(status).toBe(1);
  });

  it('refuses to go on with another run in the same folder', async () => {
    const { status, stderr } = await dragoman([
      'verify',
      url,
      '--model',
      'demo',
      '--seed',
      '2',
      '--save',
      'kept',
    ]);
    expect(stderr).toContain('holds a run with another seed (1)');
    expect(status).toBe(2);
  });

  it('keeps the answers of a reference, too, and refuses to go on without it', async () => {
    const one = { messages: [{ role: 'user', content: 'What is the weather in Lima?' }], tools: [] };
    writeFileSync(path('few.jsonl'), `${JSON.stringify(one)}\n`);
    const argv = ['verify', url, '--model', 'demo', '--concurrency', '32', '--suite', 'few.jsonl', '--json'];
    const saved = [...argv, '--save', 'referred'];
    const { stdout } = await dragoman([...saved, '--reference', url, '--reference-model', 'demo/hermes']);
    const { scores } = JSON.parse(stdout) as VerifyReport;
    expect(scores.trigger_against).toBe('reference');
    const again = await dragoman(['verify', '--replay', 'referred', '--suite', 'few.jsonl', '--json']);
    expect((JSON.parse(again.stdout) as VerifyReport).scores).toEqual(scores);
    const other = await dragoman(saved);
    expect(other.stderr).toContain('holds a run with another reference (');
    expect(other.status).toBe(2);
  });

  it('needs a reference that answers, and something to judge', async () => {
    const dead = await dragoman(['verify', url, '--model', 'demo', '--reference', 'http://127.0.0.1:9/v1']);
    expect(dead.stderr).toContain('http://127.0.0.1:9/v1 cannot be reached');
    expect(dead.status).toBe(4);
    mkdirSync(path('empty'));
    copyFileSync(join(path('kept'), 'verify.json'), join(path('empty'), 'verify.json'));
    const { status, stdout } = await dragoman(['verify', '--replay', 'empty']);
    expect(stdout).toContain('Nothing was judged');
    expect(status).toBe(1);
  });

  it('writes the report of what was done when it is stopped, and goes on later', async () => {
    // One after the other: there is time to stop it.
    const argv = ['verify', url, '--model', 'demo', '--concurrency', '1', '--save', 'half'];
    const child = spawn(process.execPath, [bin, ...argv, '--html', 'half.html'], { cwd: folder });
    let stdout = '';
    child.stdout.on('data', (piece) => {
      stdout += piece;
    });
    const ended = new Promise((tell) => child.once('close', tell));
    const kept = () => {
      try {
        return readdirSync(path('half')).length;
      } catch {
        return 0;
      }
    };
    while (kept() < 12) await new Promise((tell) => setTimeout(tell, 20));
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(stdout).toMatch(/Stopped: \d+ of \d+ probes were answered\./);
    expect(readFileSync(path('half.html'), 'utf8')).toContain('stopped early');
    const before = kept();
    const { stdout: whole } = await dragoman([...argv, '--concurrency', '32', '--json']);
    expect(kept()).toBeGreaterThan(before);
    expect(JSON.parse(whole).stopped).toBeUndefined();
  });

  it('ends with 4 when the endpoint stops answering, and says what was not judged', async () => {
    let count = 0;
    const dying = createServer(async (request, response) => {
      if (++count > 20) return request.socket.destroy();
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const { method = 'GET' } = request;
      const body = method === 'POST' ? { body: Buffer.concat(pieces) } : {};
      const answer = await fetch(gateway.url + request.url, { method, ...body });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(await answer.text());
    });
    await new Promise<void>((ready) => dying.listen(0, '127.0.0.1', ready));
    const at = `http://127.0.0.1:${(dying.address() as AddressInfo).port}/v1`;
    try {
      const live = await dragoman(['verify', at, '--model', 'demo', '--save', 'dying']);
      const replay = await dragoman(['verify', '--replay', 'dying']);
      for (const { status, stdout } of [live, replay]) {
        expect(stdout).toMatch(/The endpoint stopped answering after \d+ of \d+\s+probes/);
        expect(stdout).toMatch(/Not judged, or not with all probes: .*calls-tool/s);
        expect(status).toBe(4);
      }
    } finally {
      dying.close();
    }
  });

  it.each([
    [['verify'], 2, 'expected the address of an endpoint'],
    [['verify', 'localhost:8000'], 2, 'expected an address that begins with http'],
    [['verify', 'http://127.0.0.1:9/v1', '--model', 'x'], 4, 'http://127.0.0.1:9/v1 cannot be reached'],
    [['verify', 'http://127.0.0.1:9/v1'], 4, 'cannot be reached'],
    [['verify', 'http://127.0.0.1:9/v1', '--suite', 'nowhere.jsonl'], 3, 'there is no file nowhere.jsonl'],
    [['verify', 'http://127.0.0.1:9/v1', '--suite', 'bad.jsonl'], 3, '--suite: line 2: '],
    [['verify', 'http://127.0.0.1:9/v1', '--temperature', 'hot'], 2, '--temperature: expected a number'],
    [
      ['verify', 'http://127.0.0.1:9/v1', '--reference-model', 'x'],
      2,
      '--reference-model goes with --reference',
    ],
    [['verify', '--replay', 'nowhere'], 3, 'holds no saved run'],
    [['verify', '--replay', 'kept', '--seed', '2'], 2, 'kept was made with the seed 1, not 2'],
    [['verify', '--replay', 'kept', '--model', 'x'], 2, 'kept was made with the model demo, not x'],
    [['verify', '--replay', 'kept', '--api', 'openai-responses'], 2, 'with the api openai-chat, not openai-'],
    [['verify', 'http://127.0.0.1:9/v1', '--replay', 'kept'], 2, 'not http://127.0.0.1:9/v1'],
    [['verify', '--replay', 'kept', '--concurrency', '2'], 2, 'takes no --concurrency; leave it out'],
    [['verify', '--replay', 'kept', '--suite', 'full'], 2, 'made with the suite quick; leave --suite out'],
    [['verify', 'ftp://name:pass@host/v1'], 2, 'found ftp://host/v1\n'],
    [['verify', 'http://name:pass@127.0.0.1:9/v1', '--key', 'x'], 2, 'leave one of them out'],
    [['verify', 'http://name:pass@127.0.0.1:9/v1', '--model', 'x'], 4, 'http://127.0.0.1:9/v1 cannot be'],
    [['verify', 'http://127.0.0.1:9/v1', '--model', 'x', '--html', 'no/x.html'], 3, '--html: cannot write'],
  ])('%j ends with %i', async (argv, code, message) => {
    writeFileSync(path('bad.jsonl'), '{"messages": [{"role": "user", "content": "Hi"}]}\n{"messages": 5}\n');
    const { status, stdout, stderr } = await dragoman(argv);
    expect(stderr).toContain(message);
    expect({ status, stdout }).toEqual({ status: code, stdout: '' });
  });

  it('names the model that the endpoint does not have, and the models it has', async () => {
    const unknown = await dragoman(['verify', url, '--model', 'nobody']);
    expect(unknown.stderr).toMatch(/refuses the request\. HTTP 404: .*nobody/);
    expect(unknown.status).toBe(4);
    const none = await dragoman(['verify', url]);
    expect(none.stderr).toMatch(/which model\? Add --model <name>; http.* has demo, demo\//);
    expect(none.status).toBe(2);
  });

  it.each([
    [401, /refuses the request \(HTTP 401\): give its key, as DRAGOMAN_VERIFY_KEY or with --key/],
    [302, /redirects to another address \(HTTP 302\)/],
    [500, /fails \(HTTP 500\)/],
  ])('says why the models cannot be listed: %i', async (status, message) => {
    const server = createServer((_, response) => response.writeHead(status, { location: '/b' }).end('{}'));
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    const ran = await dragoman(['verify', `http://127.0.0.1:${port}/v1`]);
    server.closeAllConnections();
    server.close();
    expect(ran.stderr).toMatch(message);
    expect(ran.status).toBe(4);
  });
});
