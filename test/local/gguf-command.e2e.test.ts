// The command with GGUF files: a folder of them, a single one in `chat` and `verify`, and what it says when something is
// missing.

import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ggufFile } from '@dragoman/local';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bin } from '../../packages/cli/src/many-runs.fixture.js';
import { environment, ServeProcess } from '../../packages/cli/src/serve-process.fixture.js';
import { ggufBytes } from '../../packages/local/src/gguf/gguf-bytes.fixture.js';
import { LONG, words } from './answer-formats.js';
import { findSetup, type LocalSetup, startGguf } from './gguf-gateway.js';

let setup: LocalSetup | undefined;
const folder = mkdtempSync(join(tmpdir(), 'dragoman-models-'));
const models = join(folder, 'models');
const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

beforeAll(async () => {
  mkdirSync(models);
  writeFileSync(join(models, 'broken.gguf'), 'GGUF and nothing else');
  writeFileSync(join(models, 'notes.txt'), 'no model');
  setup = await findSetup('the command with GGUF files');
  if (!setup) return;
  for (const name of ['one', 'two']) copyFileSync(setup.model, join(models, `${name}.gguf`));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const here = (name: string, run: (setup: LocalSetup) => Promise<void>) =>
  it(name, async (context) => {
    if (!setup) context.skip();
    else await run(setup);
  });

/** `time`: milliseconds after which it is stopped. */
/** `isEnough`: whether to stop it with SIGINT. */
async function run(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  input = '',
  isEnough: () => boolean = () => false,
) {
  const child = spawn(process.execPath, [bin, ...argv], { cwd: folder, env: environment(env) });
  child.stdin.end(input);
  const looking = setInterval(() => {
    if (!isEnough()) return;
    clearInterval(looking);
    child.kill('SIGINT');
  }, 20);
  const ended = new Promise<number | null>((tell) => child.once('close', tell));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  clearInterval(looking);
  return { stdout, stderr, code: await ended };
}

describe('a folder of models', () => {
  here('is listed, and each is loaded with its first request and unloaded by memory', async (given) => {
    const gateway = await startGguf(
      given,
      { file: models, memory: '8MB', parallel: 1 },
      { dialect: 'hermes' },
    );
    try {
      const list = (await (await fetch(`${gateway.url}/v1/models`)).json()) as { data: { id: string }[] };
      expect(list.data.map(({ id }) => id)).toEqual(['one', 'two']);
      expect(gateway.process.stdout).not.toContain('the model was loaded');
      expect(gateway.process.stdout).toContain('not served: broken.gguf');
      for (const model of ['one', 'one', 'two', 'one']) {
        const body = { model, max_tokens: 2, messages: [{ role: 'user', content: 'Hello' }] };
        const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
          method: 'POST',
          body: JSON.stringify(body),
        });
        expect(await answer.json()).toMatchObject({ usage: { completion_tokens: expect.any(Number) } });
      }
      const changes = [...gateway.process.stdout.matchAll(/the model was (\w+) model=(\w+)/g)];
      expect(changes.map(([, change, model]) => `${model} ${change}`)).toEqual([
        'one loaded',
        'one unloaded',
        'two loaded',
        'two unloaded',
        'one loaded',
      ]);
      const unknown = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        body: JSON.stringify({ model: 'three', messages: [{ role: 'user', content: 'Hello' }] }),
      });
      expect(unknown.status).toBe(404);
      expect(await unknown.text()).toContain('there are one, two');
    } finally {
      await gateway.close();
    }
  });

  here('serves its other models where one has no chat template', async (given) => {
    const mixed = join(folder, 'mixed');
    mkdirSync(mixed);
    copyFileSync(given.model, join(mixed, 'one.gguf'));
    const plain = { 'general.architecture': { type: 'string', value: 'llama' } } as const;
    writeFileSync(join(mixed, 'plain.gguf'), ggufBytes(plain));
    const gateway = await startGguf(given, { file: mixed });
    try {
      expect(gateway.process.stdout).toContain('not served: plain has no chat template');
      const list = (await (await fetch(`${gateway.url}/v1/models`)).json()) as { data: { id: string }[] };
      expect(list.data.map(({ id }) => id)).toEqual(['one']);
      const asked = await ask(gateway.url, { model: 'plain', max_tokens: 1 });
      expect(JSON.stringify(asked)).toContain('plain has no chat template');
      expect(await ask(gateway.url, { model: 'one', max_tokens: 1 })).toMatchObject({
        usage: { completion_tokens: 1 },
      });
    } finally {
      await gateway.close();
    }
  });
});

describe('a changed configuration', () => {
  here('lets answers end that the old models write', async (given) => {
    const gateway = await startGguf(given, { parallel: 1 }, { dialect: 'hermes' });
    try {
      const body = { model: 'tiny', stream: true, max_tokens: 300, response_format: LONG };
      const answer = await post(gateway.url, body);
      const pieces: string[] = [];
      for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        if (pieces.length === 0) {
          gateway.change({ parallel: 2 });
          await gateway.process.says('the configuration was read again');
        }
        pieces.push(piece);
      }
      expect(pieces.join('')).toContain('"finish_reason":"stop"');
      expect(pieces.join('')).toContain('[DONE]');
      await gateway.process.says('the model was unloaded');
      expect(await ask(gateway.url, { model: 'tiny', max_tokens: 1 })).toMatchObject({
        usage: { completion_tokens: 1 },
      });
    } finally {
      await gateway.close();
    }
  });
});

describe('a single file, served by options alone', () => {
  const question = {
    model: 'tiny',
    temperature: 0,
    messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
    tools: [WEATHER],
    tool_choice: 'required',
  };
  for (const more of [[], ['--no-grammar']])
    here(`calls a tool ${more.join(' ')}`, async ({ llama, model }) => {
      const env = environment({ DRAGOMAN_NODE_LLAMA_CPP: llama, NO_COLOR: '1' });
      const argv = ['--gguf', model, '--threads', '1', '--port', '0', ...more];
      const served = new ServeProcess(argv, folder, env);
      try {
        await served.says('Stop with Ctrl-C');
        const [, url = ''] = /answers at (http:\S+)/.exec(served.stdout) ?? [];
        expect(served.stdout).toMatch(
          /; (its whole prompt|taught by the chat template of the file) .*dialect=\S+/,
        );
        const answer = (await ask(url, question)) as {
          choices: { message: { tool_calls: object[] } }[];
          dragoman?: { held?: boolean };
        };
        // By its own choice of dialect the tiny model may go on with a second call.
        expect(answer.choices[0]?.message.tool_calls[0]).toMatchObject({
          function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
        });
        expect(answer.dragoman?.held).toBe(more.length === 0 ? true : undefined);
      } finally {
        await served.stop('SIGTERM');
      }
    });
});

async function post(url: string, body: object): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], ...body }),
  });
}

async function ask(url: string, body: object): Promise<unknown> {
  return (await post(url, body)).json();
}

describe('several choices', () => {
  here('are the same again with the same seed, where no others are written beside them', async (given) => {
    const gateway = await startGguf(given, { parallel: 1 }, { dialect: 'hermes' });
    const texts = async (seed: number) => {
      const body = {
        model: 'tiny',
        n: 2,
        temperature: 2,
        seed,
        max_tokens: 60,
        messages: [{ role: 'user', content: 'Say anything' }],
        response_format: words,
      };
      const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      const { choices } = (await answer.json()) as { choices: { message: { content: string } }[] };
      return choices.map(({ message }) => message.content);
    };
    try {
      // With the first one the prompt is evaluated.
      await texts(1);
      const [one, two] = [await texts(7), await texts(7)];
      expect(one).toHaveLength(2);
      expect(one[0]).not.toBe(one[1]);
      expect(two).toEqual(one);
      expect(await texts(8)).not.toEqual(one);
    } finally {
      await gateway.close();
    }
  });
});

describe('the command', () => {
  it('says how to install the engine where it is missing', async () => {
    writeFileSync(join(folder, 'small.gguf'), smallFile());
    const none = { DRAGOMAN_NODE_LLAMA_CPP: join(folder, 'nothing') };
    for (const verb of ['serve', 'chat', 'verify']) {
      const { stderr, code } = await run([verb, '--gguf', 'small.gguf', '--dialect', 'hermes'], none, 'Hi');
      expect(stderr).toContain('npm install node-llama-cpp@3');
      expect(code).toBe(verb === 'serve' ? 3 : 4);
    }
  });

  it('says what is wrong with a file, and which options do not go together', async () => {
    const said = async (...argv: string[]) => (await run(['serve', ...argv], {})).stderr;
    expect(await said('--gguf', 'models/broken.gguf')).toContain(
      'broken.gguf: This is no GGUF file that can be read',
    );
    expect(await said('--gguf', 'nothing.gguf')).toContain('There is no file and no folder');
    expect(await said('--gguf', 'models', '--upstream', 'http://x/v1')).toContain('exclude each other');
    expect(await said('--threads', '2')).toContain('--threads goes with --gguf');
    expect(await said('--gguf', 'models', '--workers', '2')).toContain('needs workers: 1');
    expect(await said('--gguf', 'models', '--context', 'x')).toContain('--context');
  });

  here('chats with a model of this process', async ({ llama, model }) => {
    const argv = ['chat', '--gguf', model, '--dialect', 'hermes', '--threads', '1', '--context', '256'];
    const { stdout } = await run([...argv, '--json'], { DRAGOMAN_NODE_LLAMA_CPP: llama }, 'Hello');
    expect(JSON.parse(stdout)).toMatchObject({
      dialect: 'hermes',
      text: expect.stringMatching(/\S/),
      usage: { inputTokens: expect.any(Number) },
    });
  });

  here('verifies a model of this process, and reports what was done when it is stopped', async (given) => {
    const argv = verifying(given.model, 512);
    const env = { DRAGOMAN_NODE_LLAMA_CPP: given.llama };
    const saved = join(folder, 'verified');
    const hasAnswers = () => existsSync(saved) && readdirSync(saved).length > 2;
    const { stdout, code } = await run([...argv, '--save', saved, '--json'], env, '', hasAnswers);
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({
      endpoint: {
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/),
        model: ggufFile(given.model).name,
      },
      stopped: true,
    });
  });

  here('verifies a model of this process to the end, and judges the calls it writes', async (given) => {
    const asked = (city: string) => ({
      messages: [{ role: 'user', content: `What is the weather in ${city}?` }],
      tools: [WEATHER],
    });
    writeFileSync(
      join(folder, 'few.jsonl'),
      ['Oslo', 'Rome'].map((city) => JSON.stringify(asked(city))).join('\n'),
    );
    const argv = verifying(given.model, 1024);
    const env = { DRAGOMAN_NODE_LLAMA_CPP: given.llama };
    const { stdout, code } = await run([...argv, '--suite', 'few.jsonl', '--json'], env);
    const report = JSON.parse(stdout) as {
      stopped?: boolean;
      checks: { id: string; status: string; required: boolean }[];
    };
    expect(report.stopped).not.toBe(true);
    const status = Object.fromEntries(report.checks.map(({ id, status }) => [id, status]));
    // What this process answers for passes; whether a model of 8 MB repeats a code word is its own affair.
    for (const id of [
      'ids-unique',
      'finish-reason',
      'call-leak',
      'special-tokens-stripped',
      'stream-equals-whole',
    ])
      expect(status, id).toMatchObject({ [id]: 'pass' });
    for (const id of ['stream-order', 'result-accepted', 'structured-output', 'usage', 'errors'])
      expect(status, id).toMatchObject({ [id]: 'pass' });
    expect(status['system-order']).toBe('fail');
    const required = report.checks.filter((check) => check.required);
    expect(code).toBe(required.every((check) => check.status === 'pass') ? 0 : 1);
  });
});

function verifying(model: string, context: number): string[] {
  return ['verify', '--gguf', model, '--dialect', 'hermes', '--threads', '1', '--context', String(context)];
}

/** Metadata without weights: enough to be asked for. */
function smallFile(): Uint8Array {
  const bytes = new Uint8Array(24);
  bytes.set(new TextEncoder().encode('GGUF'));
  bytes[4] = 3;
  return bytes;
}
