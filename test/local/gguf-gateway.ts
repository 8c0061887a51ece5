// `dragoman serve` with a GGUF model, in a process of its own. The model is the tiny one of this project, or that of
// DRAGOMAN_GGUF; the engine is installed when a test first asks (llama/).

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ggufFile } from '@dragoman/local';
import { environment, ServeProcess } from '../../packages/cli/src/serve-process.fixture.js';
import { reportMissing } from '../installs.mjs';
import { findLlama } from '../llama/find-llama.mjs';
import { root } from '../sources.js';

/** For a file without a template of its own: as the first tiny model was trained. */
const TEMPLATE =
  '<|begin|>{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% if m.role == "assistant" %}<|end|>{% endif %}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}';

export interface LocalSetup {
  /** The folder of node-llama-cpp. */
  llama: string;
  model: string;
  /** A template for a file that has none. */
  template?: string;
}

/** Undefined where something is missing, with a line that says what is not tested. */
export async function findSetup(what: string): Promise<LocalSetup | undefined> {
  const model = process.env.DRAGOMAN_GGUF || join(root, 'packages/tiny/model/tiny.gguf');
  try {
    if (!existsSync(model)) throw new Error('there is no model: set DRAGOMAN_GGUF to a GGUF file');
    const { template } = ggufFile(model).info;
    return { llama: await findLlama(), model, ...(template === undefined && { template: TEMPLATE }) };
  } catch (error) {
    reportMissing(what, error);
    return undefined;
  }
}

export interface GgufGateway {
  url: string;
  process: ServeProcess;
  /** Writes the configuration anew, with other members of the upstream. The process reads it again. */
  change(upstream: object): void;
  close(): Promise<void>;
}

/** `upstream` and `more` are members of the configuration. */
export async function startGguf(
  { llama, model, template }: LocalSetup,
  upstream: object = {},
  more: object = {},
): Promise<GgufGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-gguf-'));
  if (template !== undefined) writeFileSync(join(folder, 'chat.jinja'), template);
  const own = {
    kind: 'gguf',
    file: model,
    threads: 1,
    gpu: false,
    ...(template !== undefined && { template: 'chat.jinja' }),
    ...upstream,
  };
  const change = (changed: object) => {
    const config = { port: 0, shutdown: 1000, upstream: { ...own, ...changed }, ...more };
    writeFileSync(join(folder, 'dragoman.config.json'), `${JSON.stringify(config)}\n`);
  };
  change({});
  const env = environment({ DRAGOMAN_NODE_LLAMA_CPP: llama, NO_COLOR: '1' });
  const served = new ServeProcess(['--config', 'dragoman.config.json'], folder, env);
  await served.says('Stop with Ctrl-C');
  const [, url = ''] = /answers at (http:\S+)/.exec(served.stdout) ?? [];
  return {
    url,
    process: served,
    change,
    async close() {
      await served.stop('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
