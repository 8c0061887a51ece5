// The examples run as they stand, against the build, without a model.

import { execFile, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from './sources.js';

const run = (name: string) => promisify(execFile)(process.execPath, [`examples/${name}`], { cwd: root });

describe('the examples', () => {
  it('are these', () => {
    const names = ['agent.js', 'openai-client.js', 'pretend-model.js', 'serve.js', 'worker.js'];
    expect(readdirSync(`${root}examples`).sort()).toEqual(names);
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
