// The command line's options: enough to start without a file, and to override a file's address.

import { all, type Registry } from '@dragoman/core';
import { setMember } from '@dragoman/core/internal';
import { checkSource } from './check-source.js';
import type { GatewayConfig } from './config.js';
import type { Environment } from './environment.js';
import type { ConfigResult } from './problem.js';
import { Source } from './source.js';

export interface Flags {
  /** The address of the only upstream. */
  upstream?: string | undefined;
  kind?: string | undefined;
  api?: string | undefined;
  /** The key that the gateway sends to the upstream. */
  upstreamKey?: string | undefined;
  dialect?: string | undefined;
  /** Names that clients may use. Default: any. */
  model?: string | readonly string[] | undefined;
  /** Serves the demo model, also if the environment has an upstream. */
  demo?: boolean | undefined;
  host?: string | undefined;
  port?: string | number | undefined;
  /** The keys that clients must send. */
  key?: string | readonly string[] | undefined;
  insecure?: boolean | undefined;
  inspect?: string | number | undefined;
  store?: string | undefined;
  log?: string | undefined;
}

/** The member that a flag sets, and the flag's name. */
const members = {
  host: { member: 'host', flag: '--host' },
  port: { member: 'port', flag: '--port' },
  dialect: { member: 'dialect', flag: '--dialect' },
  model: { member: 'models', flag: '--model' },
  key: { member: 'keys', flag: '--key' },
  insecure: { member: 'insecure', flag: '--insecure' },
  inspect: { member: 'inspect', flag: '--inspect' },
  store: { member: 'store', flag: '--store' },
  log: { member: 'log', flag: '--log' },
} as const;

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
  addUpstream(source, flags);
  return checkSource(source, env);
}

/** Applies flags, which take precedence over the source. They do not replace the upstreams of a file. */
export function override(source: Source, flags: Flags = {}): void {
  if (typeof source.value !== 'object' || source.value === null) return;
  for (const [name, { member, flag }] of Object.entries(members)) {
    const given = flags[name as keyof typeof members];
    if (given === undefined) continue;
    const listed = member === 'models' || member === 'keys';
    set(source, member, listed ? [given].flat().map(literal) : literal(given), flag);
  }
}

function addUpstream(source: Source, { upstream, kind, api, upstreamKey, demo }: Flags): void {
  if (demo) {
    set(
      source,
      'upstream',
      upstream === undefined ? 'demo' : { kind: 'demo', url: literal(upstream) },
      '--demo',
    );
    return;
  }
  if (upstream === undefined && kind === undefined && api === undefined && upstreamKey === undefined) return;
  const body = { url: upstream, kind, api, key: upstreamKey };
  const said = Object.entries(body).filter(([, value]) => value !== undefined);
  const written = Object.fromEntries(said.map(([name, value]) => [name, literal(value)]));
  set(source, 'upstream', written, '--upstream');
  for (const [name, flag] of Object.entries({ kind: '--kind', api: '--api', key: '--upstream-key' })) {
    source.elsewhere.set(`upstream.${name}`, { file: COMMAND_LINE, path: flag });
  }
}

function set(source: Source, member: string, value: unknown, flag: string): void {
  setMember(source.value as Record<string, unknown>, member, value);
  source.elsewhere.set(member, { file: COMMAND_LINE, path: flag });
}

/** Escapes `${`: the shell has filled in variables already. */
function literal<T>(value: T): T | string {
  return typeof value === 'string' ? value.replaceAll('${', () => '$${') : value;
}
