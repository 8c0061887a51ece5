// The examples run as they stand, against the build, without a model.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { faults } from '../packages/verify/src/faults/index.fixture.js';
import { serveDemo, serveFault } from '../packages/verify/src/stand-in.fixture.js';
import { root } from './sources.js';

const run = (name: string) => promisify(execFile)(process.execPath, [`examples/${name}`], { cwd: root });

describe('the examples', () => {
  it('are these', () => {
    const names = ['agent', 'openai-client', 'pretend-model', 'serve', 'watch-provider', 'worker'];
    expect(readdirSync(`${root}examples`).sort()).toEqual(names.map((name) => `${name}.js`));
  });

  it('openai-client.js calls a tool and answers', async () => {
    const { stdout } = await run('openai-client.js');
    expect(stdout.split('\n')).toEqual([
      'call   get_weather {"city":"Paris"}',
      'result Rain in Paris, 12 degrees.',
      'answer The tool says: Rain in Paris, 12 degrees.',
      '',
    ]);
  });

  it('agent.js runs a loop to its end', async () => {
    const { stdout } = await run('agent.js');
    expect(stdout).toContain('[get_weather {"city":"Paris"}]\n[Rain in Paris, 12 degrees.]');
    expect(stdout).toContain('(done)');
  });

  it('worker.js answers by a fetch', async () => {
    expect((await run('worker.js')).stdout).toBe("get_weather { city: 'Beijing' }\n");
  });

  it('watch-provider.js fails when a provider got worse', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-watch-'));
    const file = join(folder, 'last.json');
    const watch = async (url: string) => {
      const argv = [`${root}examples/watch-provider.js`, url, 'demo', file];
      const child = spawn(process.execPath, argv, { cwd: root });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (piece) => {
          said += piece;
        });
      const [status] = await once(child, 'close');
      return { status, said };
    };
    const demo = await serveDemo();
    const bad = await serveFault(faults['names have a prefix'] ?? {});
    try {
      expect(await watch(demo.url)).toEqual({ status: 0, said: 'demo is as good as before.\n' });
      const { status, said } = await watch(bad.url);
      expect(said).toMatch(
        /^unknown-tool fails: .*\nschema_accuracy fell to 0\.000, below .*\ndemo got worse\.\n$/,
      );
      expect(status).toBe(1);
      // The measure does not fall with what is worse.
      const measure = readFileSync(file, 'utf8');
      expect((await watch(bad.url)).status).toBe(1);
      expect(readFileSync(file, 'utf8')).toBe(measure);
      expect((await watch(demo.url)).status).toBe(0);
      const gone = await watch('http://127.0.0.1:9/v1');
      expect(gone.said).toMatch(/^http:\/\/127\.0\.0\.1:9\/v1 cannot be reached: .*\n$/);
      expect(gone.status).toBe(4);
    } finally {
      await Promise.all([bad.close(), demo.close()]);
      rmSync(folder, { recursive: true });
    }
  });

  it('serve.js answers on its address, whole and as a stream', async () => {
    const server = spawn(process.execPath, ['examples/serve.js'], {
      cwd: root,
      env: { ...process.env, PORT: '0' },
    });
    try {
      const url = await new Promise<string>((tell) =>
        server.stdout.once('data', (said) => tell(String(said).trim())),
      );
      const ask = (stream: boolean) =>
        fetch(`${url}/chat/completions`, {
          method: 'POST',
          body: JSON.stringify({
            model: 'glm-4.5',
            messages: [{ role: 'user', content: 'Weather in Paris?' }],
            tools: [{ type: 'function', function: { name: 'get_weather' } }],
            stream,
          }),
        });
      expect(await (await ask(false)).text()).toContain('"finish_reason":"tool_calls"');
      expect(await (await ask(true)).text()).toMatch(/data: \[DONE\]\n\n$/);
    } finally {
      server.kill();
    }
  });
});
