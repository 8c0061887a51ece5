// The command line's options: enough to start without a file, and to override a file's address.

import { all, type Registry } from '@dragoman/core';
import { isObject, parseExact, setMember } from '@dragoman/core/internal';
import { checkSource } from './check-source.js';
import type { GatewayConfig } from './config.js';
import type { Environment } from './environment.js';
import type { ConfigResult } from './problem.js';
import { type PlacedFault, Source } from './source.js';

export interface Flags {
  /** The address of the only upstream. */
  upstream?: string | undefined;
  kind?: string | undefined;
  api?: string | undefined;
  /** The key that the gateway sends to the upstream. */
  upstreamKey?: string | undefined;
  /** The engine of the upstream. */
  engine?: string | undefined;
  /** Members of each request's body, as JSON. */
  body?: string | undefined;
  dialect?: string | undefined;
  /** Names that clients may use. Default: any. */
  model?: string | readonly string[] | undefined;
  /** A GGUF file, or a folder of them: the models run in this process. */
  gguf?: string | undefined;
  /** For `gguf`: tokens of a conversation, threads, and whether grammars hold the sampling. */
  context?: string | number | undefined;
  threads?: string | number | undefined;
  grammar?: boolean | undefined;
  /** Serves the demo model, also if the environment has an upstream. */
  demo?: boolean | undefined;
  host?: string | undefined;
  port?: string | number | undefined;
  /** How many processes answer, or `auto`. */
  workers?: string | number | undefined;
  /** The keys that clients must send. */
  key?: string | readonly string[] | undefined;
  insecure?: boolean | undefined;
  inspect?: string | number | undefined;
  store?: string | undefined;
  log?: string | undefined;
}

/** Flags that set the member of their name, or a list of that name in the plural. */
const single = ['host', 'port', 'workers', 'dialect', 'insecure', 'inspect', 'store', 'log'] as const;
const listed = ['model', 'key'] as const;

const COMMAND_LINE = 'command line';

/** `dialects`: the dialects that can be named. Default: those of the library. */
export function configFromFlags(
  flags: Flags,
  env: Environment = {},
  dialects: Registry = all,
): ConfigResult<GatewayConfig> {
  const source = new Source(COMMAND_LINE);
  source.dialects = dialects;
  source.value = {};
  override(source, flags);
  const isOnly = allowOnlyKey(source, flags);
  const refused = addUpstream(source, flags);
  const result = checkSource(source, env, refused);
  return result.ok && isOnly ? { ...result, notes: [...result.notes, ONLY_KEY] } : result;
}

const ONLY_KEY =
  'The key may also read the inspector and the metrics: it is the only one, and there is no file.';

/** Without a file nothing is reloaded, so the only key stays the only one. */
function allowOnlyKey(source: Source, { key }: Flags): boolean {
  const [only, ...others] = key === undefined ? [] : [key].flat();
  if (only === undefined || others.length > 0) return false;
  setMember(source.value as Record<string, unknown>, 'keys', [{ key: literal(only), admin: true }]);
  return true;
}

/** Applies flags, which take precedence over the source. They do not replace the upstreams of a file. */
export function override(source: Source, flags: Flags = {}): void {
  if (typeof source.value !== 'object' || source.value === null) return;
  for (const name of single)
    if (flags[name] !== undefined) set(source, name, literal(flags[name]), `--${name}`);
  for (const name of listed) {
    const given = flags[name];
    if (given !== undefined) set(source, `${name}s`, [given].flat().map(literal), `--${name}`);
  }
}

/** Gives what cannot be read. */
function addUpstream(source: Source, flags: Flags): PlacedFault[] {
  const { upstream, kind, api, upstreamKey, engine, demo } = flags;
  if (demo) {
    const written = upstream === undefined ? 'demo' : { kind: 'demo', url: literal(upstream) };
    set(source, 'upstream', written, '--demo');
    return [];
  }
  if (flags.gguf !== undefined) {
    set(source, 'upstream', ggufUpstream(flags), '--gguf');
    for (const name of ['context', 'threads'])
      source.elsewhere.set(`upstream.${name}`, { file: COMMAND_LINE, path: `--${name}` });
    return [];
  }
  const { body, refused } = readBody(flags.body);
  const members = { url: upstream, kind, api, key: upstreamKey, engine, body };
  const said = Object.entries(members).filter(([, value]) => value !== undefined);
  if (said.length === 0 && refused.length === 0) return [];
  const written = Object.fromEntries(said.map(([name, value]) => [name, literal(value)]));
  set(source, 'upstream', written, '--upstream');
  for (const [name, flag] of Object.entries(upstreamFlags)) {
    source.elsewhere.set(`upstream.${name}`, { file: COMMAND_LINE, path: flag });
  }
  return refused;
}

/** An address beside it is kept, so that it is refused. */
function ggufUpstream({ gguf, context, threads, grammar, upstream }: Flags): unknown {
  const members = { kind: 'gguf', file: gguf, url: upstream, context, threads };
  const said = Object.entries(members).filter(([, value]) => value !== undefined);
  const written = Object.fromEntries(said.map(([name, value]) => [name, literal(value)]));
  return grammar === false ? { ...written, grammar: 'none' } : written;
}

/** The options behind the members of the upstream. */
const upstreamFlags = {
  kind: '--kind',
  api: '--api',
  key: '--upstream-key',
  engine: '--engine',
  body: '--body',
};

const BODY_HINT = `Example: --body '{"skip_special_tokens": false}', in cmd.exe --body "{\\"skip_special_tokens\\": false}".`;

function readBody(text: string | undefined): { body?: unknown; refused: PlacedFault[] } {
  if (text === undefined) return { refused: [] };
  const refuse = (found: string) => {
    const fault = { message: `expected a JSON object, found ${found}`, hint: BODY_HINT };
    return { refused: [{ path: ['upstream', 'body'], fault }] };
  };
  try {
    // Its errors name the place, and repeat at most one character of the text, which may hold a key.
    parseExact(text);
  } catch (error) {
    return refuse(`no JSON: ${(error as Error).message}`);
  }
  const body: unknown = JSON.parse(text);
  return isObject(body) ? { body, refused: [] } : refuse('other JSON');
}

function set(source: Source, member: string, value: unknown, flag: string): void {
  setMember(source.value as Record<string, unknown>, member, value);
  source.elsewhere.set(member, { file: COMMAND_LINE, path: flag });
}

/** Escapes `${`, also in the members of a body: the shell has filled in variables already. */
function literal(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (Array.isArray(value)) return value.map(literal);
  if (!isObject(value)) return value;
  const escaped: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) setMember(escaped, name, literal(member));
  return escaped;
}
