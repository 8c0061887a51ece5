// The start message of a gateway: its address, its models, and commands to paste.

import type { GatewayConfig } from '@dragoman/gateway';
import { colors } from './terminal.js';
import { indent, wrapWords } from './visible-text.js';

const WIDTH = 80;
const SHOWN = 12;
const ANY = '*';
const ANY_WORDS = 'any name, which is passed on';
const DEMO = 'The demo model is a few rules and no neural network: it shows the format, not the skill.';
const TINY =
  'tiny, and tiny/ with each dialect: a neural network of 8 MB, made for tests, which gets about one call in ten wrong.';

const POSIX = 'The commands are for a POSIX shell, such as Git Bash or WSL.';

const KEPT = 'kept in memory until the gateway stops (--store none: not at all)';

interface Found {
  /** The engines of upstreams, by the names of the upstreams. */
  engines?: ReadonlyMap<string, string> | undefined;
  workers?: number | undefined;
  /** The models of the upstream that takes any name. */
  live?: readonly string[] | undefined;
  /** Whether the tiny model is installed. It is served where the demo is, and by upstreams of its kind. */
  tiny?: boolean | undefined;
  platform?: NodeJS.Platform | undefined;
}

export function greeting(
  url: string,
  config: GatewayConfig,
  { engines = new Map(), workers = 1, live = [], tiny = false, platform = process.platform }: Found = {},
): string {
  const names = config.models.flatMap(({ name, aliases }) => [name, ...aliases]);
  const isOfTiny = [...config.upstreams.values()].some(({ kind }) => kind === 'tiny');
  const hasTiny = tiny && (names.includes('demo') || isOfTiny);
  const model = [...names.filter((name) => name !== ANY), ...live][0] ?? 'your-model';
  const asked: ClientSettings = {
    url: reachable(url),
    model,
    askedByCurl: hasTiny && model === 'demo' ? 'tiny' : model,
    key: config.keys.length > 0 ? 'YOUR-KEY' : 'none',
  };
  return [
    `${colors.bold('Dragoman')} answers at ${colors.bold(url)}${workers > 1 ? ` with ${workers} workers` : ''}`,
    '',
    titled('Models', modelLines(names, live, hasTiny, config)),
    ...(engines.size > 0 ? [titled('Engines', engineLines(engines))] : []),
    ...(config.page ? [titled('Playground', `${asked.url}/`)] : []),
    ...(config.store?.url.startsWith('memory:') ? [titled('Responses', KEPT)] : []),
    ...commands.map(({ name, text }) => titled(name, text(asked))),
    ...(platform === 'win32' ? ['', POSIX] : []),
    '',
    colors.dim('Stop with Ctrl-C.'),
  ].join('\n');
}

/** Replaces an address that means all interfaces by that of loopback. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

function modelLines(
  names: readonly string[],
  live: readonly string[],
  tiny: boolean,
  { upstreams }: GatewayConfig,
): string {
  const isLocal = [...upstreams.values()].every(({ kind }) => kind === 'gguf');
  const others = isLocal ? [] : ['or any other name, which is passed on'];
  const any = live.length > 0 ? [...live, ...others] : [ANY_WORDS];
  const shown = names.flatMap((name) => (name === ANY ? any : name));
  const more = shown.length > SHOWN ? `, and ${shown.length - SHOWN} more` : '';
  const isDemo = [...upstreams.values()].every(({ kind }) => kind === 'demo');
  const list = `${shown.slice(0, SHOWN).join(', ')}${more}`;
  const own = [...(tiny ? [TINY] : []), ...(isDemo ? [DEMO] : [])];
  return [list, ...own].flatMap((text) => wrapWords(text, WIDTH - 2)).join('\n');
}

function engineLines(engines: ReadonlyMap<string, string>): string {
  return [...engines].map(([upstream, engine]) => `${upstream}: ${engine}`).join('\n');
}

interface ClientSettings {
  url: string;
  model: string;
  /** The prompts of agents are far longer than the tiny model can read; a single question is not. */
  askedByCurl: string;
  key: string;
}

/** Each line fits a terminal, and each command works when it is pasted with its line breaks. */
const commands: { name: string; text(asked: ClientSettings): string }[] = [
  {
    name: 'curl',
    text: ({
      url,
      askedByCurl,
      key,
    }) => `curl ${url}/v1/chat/completions${key === 'none' ? '' : authorization(key)} -d '{
  "model": "${askedByCurl}", "messages": [
    {"role": "user", "content": "What is the weather in Beijing?"}],
  "tools": [{"type": "function", "function": {"name": "get_weather",
    "parameters": {"type": "object", "required": ["city"],
      "properties": {"city": {"type": "string"}}}}}]}'`,
  },
  {
    name: 'OpenAI',
    text: ({ url, key }) => `new OpenAI({ baseURL: '${url}/v1', apiKey: '${key}' })`,
  },
  {
    name: 'Anthropic',
    text: ({ url, key }) => `new Anthropic({ baseURL: '${url}', apiKey: '${key}' })`,
  },
  {
    name: 'Claude Code',
    text: ({ url, model, key }) => `ANTHROPIC_BASE_URL=${url} ANTHROPIC_AUTH_TOKEN=${key} \\
  ANTHROPIC_MODEL=${model} ANTHROPIC_DEFAULT_HAIKU_MODEL=${model} claude`,
  },
  {
    name: 'Codex',
    text: ({ url, model, key }) => `DRAGOMAN_KEY=${key} codex -m ${model} -c model_provider=dragoman \\
  -c model_providers.dragoman.name=Dragoman \\
  -c model_providers.dragoman.base_url=${url}/v1 \\
  -c model_providers.dragoman.wire_api=responses \\
  -c model_providers.dragoman.env_key=DRAGOMAN_KEY`,
  },
  {
    name: 'opencode',
    text: ({ url, model, key }) => `OPENCODE_CONFIG_CONTENT='{"provider": {"dragoman": {
  "npm": "@ai-sdk/openai-compatible", "models": {"${model}": {}},
  "options": {"baseURL": "${url}/v1",
    "apiKey": "${key}"}}}}' opencode -m dragoman/${model}`,
  },
  {
    name: 'Qwen Code',
    text: ({ url, model, key }) => `OPENAI_BASE_URL=${url}/v1 OPENAI_API_KEY=${key} \\
  OPENAI_MODEL=${model} qwen --auth-type openai`,
  },
];

function authorization(key: string): string {
  return ` \\\n  -H 'authorization: Bearer ${key}'`;
}

function titled(name: string, text: string): string {
  return `${colors.bold(name)}\n${indent(text, 2)}`;
}
