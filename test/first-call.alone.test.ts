// From nothing to a tool call within two minutes: the tarballs in an empty folder, with an empty home and no clone; `init`
// against a stand-in for Ollama, `doctor` with real calls, `serve`, and the client that Claude Code uses.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, expect, it } from 'vitest';
import { environment, ServeProcess } from '../packages/cli/src/serve-process.fixture.js';
import { startStandIn } from '../packages/cli/src/setup/stand-in.fixture.js';
import { installTarballs } from './tarballs.js';

const TWO_MINUTES = 120_000;

const project = mkdtempSync(join(tmpdir(), 'dragoman-first-call-'));
afterAll(() => rmSync(project, { recursive: true }));

it(
  'takes less than two minutes with init, doctor and serve, from the tarballs',
  async () => {
    const start = performance.now();
    installTarballs(project);
    const home = join(project, 'home');
    mkdirSync(home);
    const standIn = await startStandIn();
    const { port } = standIn.address() as AddressInfo;
    const env = environment({ HOME: home, XDG_STATE_HOME: join(home, 'state'), PATH: '', NO_COLOR: '1' });
    const bin = join(project, 'node_modules/dragoman/bin/dragoman.js');
    const dragoman = async (...argv: string[]) => {
      const { stdout } = await promisify(execFile)(process.execPath, [bin, ...argv], { cwd: project, env });
      return stdout;
    };

    expect(await dragoman('init', '--yes', '--ports', String(port))).toContain('dragoman.config.yaml');
    const health = await dragoman('doctor', '--time', '15');
    for (const check of ['configuration', 'port', 'upstream', 'call']) expect(health).toContain(`✓ ${check}`);
    expect(health).toMatch(/\d+ answers.*, and every required check passes/);

    const gateway = new ServeProcess(['--port', '0', '--log', 'silent'], project, env, bin);
    await gateway.says('Stop with Ctrl-C');
    const client = new Anthropic({ baseURL: gateway.url, apiKey: 'none' });
    const answer = await client.messages.create({
      model: 'demo/hermes',
      max_tokens: 500,
      messages: [{ role: 'user', content: 'What is the weather in Beijing?' }],
      tools: [
        {
          name: 'get_weather',
          input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        },
      ],
    });
    await gateway.stop('SIGTERM');
    standIn.close();
    standIn.closeAllConnections();
    expect(answer.stop_reason).toBe('tool_use');
    expect(answer.content).toContainEqual(
      expect.objectContaining({ type: 'tool_use', name: 'get_weather', input: { city: 'Beijing' } }),
    );
    expect(performance.now() - start).toBeLessThan(TWO_MINUTES);
  },
  2 * TWO_MINUTES,
);
