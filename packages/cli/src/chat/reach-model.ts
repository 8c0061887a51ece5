// Finds the model of a chat: by the options and environment variables that `serve` reads, else the demo model.

import type { Dialect, Registry } from '@dragoman/core';
import { createUpstream, type Upstream } from '@dragoman/core/bridge';
import { authHeaders, wireOf, wires } from '@dragoman/core/wire';
import type { UpstreamConfig } from '@dragoman/gateway';
import {
  isTiny,
  loadTinyPackage,
  type TinyOptions,
  tinyDialect,
  tinyModels,
  tinyOptions,
} from '@dragoman/gateway/tiny';
import type { Arguments } from '../arguments.js';
import { CommandError } from '../command-error.js';
import { EXIT } from '../exit-codes.js';
import { checkGgufOptions } from '../gguf-options.js';
import { note } from '../terminal.js';

export interface Reached {
  upstream: Upstream;
  /**
   * For models of this program that speak any dialect in prompts of its own: the bridge's options for one of them, in
   * the chosen dialect or its own. Undefined for other names.
   */
  speak?(model: string, dialect: Dialect | 'auto'): TinyOptions | undefined;
  /** Whether its calls are read from its text; otherwise it has native calls, which may leak. */
  mode: 'emulate' | 'heal';
  model: string;
  /** Where it is, for people. */
  place: string;
  isDemo: boolean;
  /** Secrets that must not be written to files. */
  secrets: string[];
  /** The model names that the upstream lists. Throws if it lists none. */
  listModels(): Promise<string[]>;
  /** Models of this process, whose files decide the dialect and the form of the prompt. */
  local?: LocalReach;
  close?(): Promise<void>;
}

export interface LocalReach {
  /** Throws a CommandError if there is no model of this name. */
  of(model: string, dialect: Dialect | 'auto'): { upstream: Upstream; dialect: Dialect; why: string };
}

const variables = wires.flatMap(({ vendor }) => (vendor ? [vendor.variables.url] : []));
const flags = ['upstream', 'kind', 'api', 'upstream-key'];
const LIST_TIME = 5_000;

export async function reachModel(
  args: Arguments,
  env: NodeJS.ProcessEnv,
  dialects: Registry,
  dialect: Dialect | 'auto' = 'auto',
): Promise<Reached> {
  checkGgufOptions(args);
  const gguf = args.value('gguf');
  // Loaded only for such a model.
  if (gguf !== undefined) return (await import('./reach-gguf.js')).reachGguf(args, gguf, dialects, dialect);
  const isSaid = flags.some((name) => args.has(name)) || variables.some((name) => env[name]?.trim());
  if (!isSaid) return reachDemo(args.value('model'), dialects);
  const config = await readUpstream(args, env);
  if (config.url === undefined) {
    const own = config.kind === 'tiny' ? 'tiny' : undefined;
    return reachDemo(args.value('model') ?? own, dialects);
  }
  const reached = { ...reachUpstream(config, config.url), model: '' };
  return { ...reached, model: args.value('model') ?? (await onlyModel(reached)) };
}

async function readUpstream(args: Arguments, env: NodeJS.ProcessEnv): Promise<UpstreamConfig> {
  const { configFromFlags, formatProblems } = await import('@dragoman/gateway/config');
  const { upstream, kind, api, key } = {
    upstream: args.value('upstream'),
    kind: args.value('kind'),
    api: args.value('api'),
    key: args.value('upstream-key'),
  };
  // This process has no port, so no upstream URL can point to it.
  const result = configFromFlags({ upstream, kind, api, upstreamKey: key, port: 0 }, env);
  if (!result.ok)
    throw new CommandError(`the options of the upstream are invalid\n\n${formatProblems(result.problems)}`);
  for (const text of result.notes) note(text);
  const [config] = result.config.upstreams.values();
  if (!config) throw new CommandError('expected an upstream: --upstream <url>');
  return config;
}

function reachUpstream(config: UpstreamConfig, url: string): Omit<Reached, 'model'> {
  const { api, key, headers, kind, media, stream, timeouts, retries } = config;
  const upstream = createUpstream({
    url,
    api: wireOf(api),
    ...(key !== undefined && { key }),
    headers: { ...headers },
    tools: kind === 'native',
    media,
    stream,
    timeouts,
    retries,
  });
  const secrets = [key ?? '', ...Object.values(headers)].filter((secret) => secret.length > 5);
  return {
    upstream,
    mode: kind === 'native' ? 'heal' : 'emulate',
    place: withoutPassword(url),
    isDemo: false,
    secrets,
    listModels: () => listModels(config, url),
  };
}

async function reachDemo(name: string | undefined, dialects: Registry): Promise<Reached> {
  const { createDemoUpstream, demoModels } = await import('@dragoman/demo');
  const models = [...demoModels(dialects), ...tinyModels(dialects)];
  const model = name ?? 'demo';
  if (!models.includes(model))
    throw new CommandError(
      `the demo model is called ${models.slice(0, 2).join(', ')} and so on, the tiny one tiny, tiny/${dialects.dialects[0]?.name} and so on, found ${model}; name its server with --upstream`,
    );
  return {
    upstream: createDemoUpstream({ dialects }),
    speak(named, dialect) {
      const own = tinyDialect(named, dialects);
      return own && tinyOptions(dialect === 'auto' ? own : dialect, loadTinyPackage);
    },
    mode: 'emulate',
    model,
    place: 'this program',
    isDemo: !isTiny(model),
    secrets: [],
    listModels: async () => models,
  };
}

async function onlyModel(reached: Omit<Reached, 'model'>): Promise<string> {
  const models = await reached.listModels().catch(() => []);
  if (models.length === 1 && models[0] !== undefined) return models[0];
  if (models.length === 0)
    throw new CommandError(`which model? ${reached.place} lists none; add --model <name>`);
  const shown = models.slice(0, 8).join(', ') + (models.length > 8 ? ', …' : '');
  throw new CommandError(`which model? Add --model <name>; ${reached.place} has ${shown}`);
}

async function listModels({ api, key, headers }: UpstreamConfig, url: string): Promise<string[]> {
  const response = await fetch(`${url}/models`, {
    headers: { ...authHeaders(wireOf(api), key), ...headers },
    signal: AbortSignal.timeout(LIST_TIME),
    redirect: 'manual',
  });
  if (!response.ok) throw new CommandError(`${url}/models answered ${response.status}`, EXIT.upstream);
  const { data } = (await response.json()) as { data?: { id?: unknown }[] };
  const names = (Array.isArray(data) ? data : []).map((model) => model?.id);
  return names.filter((name) => typeof name === 'string');
}

/** Keys stand in queries, too. */
function withoutPassword(url: string): string {
  const parsed = new URL(url);
  parsed.search = '';
  parsed.username = '';
  parsed.password = '';
  return parsed.href.replace(/\/$/, '');
}
