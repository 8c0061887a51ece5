// The way of a new user once the command is installed: `init` against a stand-in for Ollama, `doctor` with real calls,
// `serve`, and a question by the client that Claude Code uses. The home is empty, and no other program is found.

import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Anthropic from '@anthropic-ai/sdk';
import { expect } from 'vitest';
import { environment, ServeProcess } from '../packages/cli/src/serve-process.fixture.js';
import { startStandIn } from '../packages/cli/src/setup/stand-in.fixture.js';

/** `project`: a folder with the packages in its node_modules. Fails where a step does. */
export async function walkFromInitToCall(project: string): Promise<void> {
  const home = join(project, 'home');
  mkdirSync(home, { recursive: true });
  const env = environment({ HOME: home, XDG_STATE_HOME: join(home, 'state'), PATH: '', NO_COLOR: '1' });
  const bin = join(project, 'node_modules/dragoman/bin/dragoman.js');
  const dragoman = async (...argv: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [bin, ...argv], { cwd: project, env });
    return stdout;
  };
  const standIn = await startStandIn();
  try {
    const { port } = standIn.address() as AddressInfo;
    expect(await dragoman('init', '--yes', '--ports', String(port))).toContain('dragoman.config.yaml');
    const health = await dragoman('doctor', '--time', '15');
    for (const check of ['configuration', 'port', 'upstream', 'call']) expect(health).toContain(`✓ ${check}`);
    expect(health).toMatch(/\d+ answers.*, and every required check passes/);

    const gateway = new ServeProcess(['--port', '0', '--log', 'silent'], project, env, bin);
    try {
      await gateway.says('Stop with Ctrl-C');
      const answer = await askWeather(gateway.url);
      expect(answer.stop_reason).toBe('tool_use');
      expect(answer.content).toContainEqual(
        expect.objectContaining({ type: 'tool_use', name: 'get_weather', input: { city: 'Beijing' } }),
      );
    } finally {
      await gateway.stop('SIGTERM');
    }
  } finally {
    standIn.close();
    standIn.closeAllConnections();
  }
}

function askWeather(baseURL: string): Promise<Anthropic.Message> {
  const client = new Anthropic({ baseURL, apiKey: 'none' });
  return client.messages.create({
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
}
