// The settings of agents that make them use the gateway. Each is a file of the agent's own; a change is a function from
// its text to the new text.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isObject } from '@dragoman/core/internal';

export interface GatewayAddress {
  /** `http://127.0.0.1:8787`. */
  url: string;
  model: string;
}

export interface AgentSettings {
  agent: string;
  /** Its command. */
  program: string;
  /** From the home folder. */
  folder: string;
  file: string;
  /** Another file of the folder, which the agent reads as well, and which counts over this one. */
  stronger?: string;
  /** Throws a SyntaxError where the text is nothing that a program can change. */
  change(text: string | undefined, gateway: GatewayAddress): string;
}

const KEY = 'none';

const agentSettings: readonly AgentSettings[] = [
  {
    agent: 'Claude Code',
    program: 'claude',
    folder: '.claude',
    file: 'settings.json',
    change: (text, { url, model }) =>
      merged(text, {
        env: {
          ANTHROPIC_BASE_URL: url,
          ANTHROPIC_AUTH_TOKEN: KEY,
          ANTHROPIC_MODEL: model,
          ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
        },
      }),
  },
  {
    agent: 'Codex',
    program: 'codex',
    folder: '.codex',
    file: 'config.toml',
    change: (text, { url, model }) =>
      withTable(withKeys(text ?? '', { model, model_provider: 'dragoman' }), 'model_providers.dragoman', {
        name: 'Dragoman',
        base_url: `${url}/v1`,
        wire_api: 'responses',
      }),
  },
  {
    agent: 'opencode',
    program: 'opencode',
    folder: join('.config', 'opencode'),
    file: 'opencode.json',
    stronger: 'opencode.jsonc',
    change: (text, { url, model }) =>
      merged(text, {
        model: `dragoman/${model}`,
        provider: {
          dragoman: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: KEY },
            models: { [model]: {} },
          },
        },
      }),
  },
  {
    agent: 'Qwen Code',
    program: 'qwen',
    folder: '.qwen',
    file: 'settings.json',
    change: (text, { url, model }) =>
      merged(text, {
        env: { DRAGOMAN_KEY: KEY },
        modelProviders: {
          openai: [{ id: model, name: 'Dragoman', baseUrl: `${url}/v1`, envKey: 'DRAGOMAN_KEY' }],
        },
        security: { auth: { selectedType: 'openai' } },
        model: { name: model },
      }),
  },
];

/** npm installs programs for Windows as `claude.cmd`, beside a script for other shells. */
const endings = process.platform === 'win32' ? ['.cmd', '.exe', '.ps1'] : [''];

/** Those whose folder or command is on this machine. */
export function foundAgents(home: string, path: string): AgentSettings[] {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return agentSettings.filter(
    ({ folder, program }) =>
      existsSync(join(home, folder)) ||
      folders.some((one) => endings.some((ending) => existsSync(join(one, program + ending)))),
  );
}

// --- JSON ----------------------------------------------------------------------------------------------------

function merged(text: string | undefined, more: object): string {
  const before: unknown = text === undefined || text.trim() === '' ? {} : JSON.parse(text);
  if (!isObject(before) || Array.isArray(before)) throw new SyntaxError('it is no JSON object');
  return `${JSON.stringify(mergedValue(before, more), null, 2)}\n`;
}

/** Objects are merged; entries of a list take the place of those with their `id`; everything else is replaced. */
function mergedValue(before: unknown, more: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(more)) return mergedList(before, more);
  if (!isPlain(before) || !isPlain(more)) return more;
  const entries = Object.entries(more).map(([key, value]) => {
    return [key, Object.hasOwn(before, key) ? mergedValue(before[key], value) : value];
  });
  return { ...before, ...Object.fromEntries(entries) };
}

function mergedList(before: readonly unknown[], more: readonly unknown[]): unknown[] {
  const idOf = (entry: unknown) => (isPlain(entry) ? entry.id : undefined);
  const ours = new Map(more.map((entry) => [idOf(entry), entry]));
  const kept = before.map((entry) => ours.get(idOf(entry)) ?? entry);
  return [...kept, ...more.filter((entry) => !kept.includes(entry))];
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value);
}

// --- TOML ----------------------------------------------------------------------------------------------------

/** Sets keys before the first table, in the place of those that are there. */
function withKeys(text: string, keys: Record<string, string>): string {
  const lines = text === '' ? [] : text.split('\n');
  const found = lines.findIndex((line) => line.startsWith('['));
  const end = found < 0 ? lines.length : found;
  const names = Object.keys(keys);
  const isOurs = (line: string) => names.some((name) => line.split('=')[0]?.trim() === name);
  const top = lines.slice(0, end).filter((line) => !isOurs(line));
  return [...tomlLines(keys), ...top, ...lines.slice(end)].join('\n');
}

/** Replaces a table, or adds it at the end. */
function withTable(text: string, name: string, keys: Record<string, string>): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.trim() === `[${name}]`);
  const table = [`[${name}]`, ...tomlLines(keys)];
  if (start < 0) return [text.trimEnd(), '', ...table, ''].join('\n');
  const next = lines.findIndex((line, at) => at > start && line.startsWith('['));
  const rest = next < 0 ? [''] : ['', ...lines.slice(next)];
  return [...lines.slice(0, start), ...table, ...rest].join('\n');
}

/** A JSON string is a basic string of TOML. */
function tomlLines(keys: Record<string, string>): string[] {
  return Object.entries(keys).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
}
