// Settles the whole configuration: fills in defaults, expands short forms, and checks that all parts fit together.

import { all, type Registry, UsageError } from '@dragoman/core';
import type { GatewayConfig, KeyConfig, ModelConfig, UpstreamConfig } from './config.js';
import { DEFAULT_STORE_SECONDS, DEFAULTS, LOCAL_STORE } from './defaults.js';
import { defined, type Entry, entriesOf, listOf } from './entries.js';
import type { Environment } from './environment.js';
import type { Findings } from './findings.js';
import { ipVersion } from './ip-address.js';
import { ownKeyFault } from './key-faults.js';
import { nearest } from './nearest.js';
import { isLoopback, withoutBrackets } from './own-address.js';
import type { Path } from './problem.js';
import { settleModels } from './settle-models.js';
import { settleUpstreams } from './settle-upstreams.js';
import type { ConfigShape, KeyShape } from './shape.js';
import type { Fault } from './source.js';

export function settle(shape: ConfigShape, env: Environment, findings: Findings): GatewayConfig {
  const own = { host: hostOf(shape, findings), port: shape.port ?? DEFAULTS.port };
  const lost = findings.lost('upstream', 'upstreams');
  const upstreams = settleUpstreams(shape, { env, own, findings });
  const dialects = listOf(shape.dialects, ['dialects']).reduce(
    (registry, { value, path }) => loadDialect(value, path, registry, findings),
    findings.source.dialects,
  );
  const models = settleModels({ shape, upstreams, lost, dialects, findings });
  checkWorkers(shape, [...upstreams.values()], findings);
  checkHealthPort(shape, own.port, findings);
  const keys = settleKeys(shape, models, findings);
  const insecure = shape.insecure ?? DEFAULTS.insecure;
  checkOpen(own.host, keys.length > 0, insecure, findings);
  checkInspector(shape, keys, own.host, findings);
  return {
    ...own,
    ...(shape.healthPort !== undefined && { healthPort: shape.healthPort }),
    workers: shape.workers ?? DEFAULTS.workers,
    upstreams,
    models,
    ...(dialects !== all && { dialects }),
    keys,
    limits: { ...DEFAULTS.limits, ...defined(shape.limits ?? {}) },
    ...storeOf(shape, own.host, findings),
    turns: shape.turns ?? 'auto',
    ...sealOf(shape.sealKey, findings),
    report: shape.report ?? DEFAULTS.report,
    inspect: shape.inspect ?? DEFAULTS.inspect,
    page: shape.page ?? DEFAULTS.page,
    origins: originsOf(shape.origins, findings),
    hosts: hostsOf(shape.hosts, findings),
    insecure,
    log: logOf(shape.log),
    ...tracesOf(shape.traces, findings),
    shutdownSeconds: shape.shutdown === undefined ? DEFAULTS.shutdownSeconds : shape.shutdown / 1000,
    heartbeat: shape.heartbeat ?? DEFAULTS.heartbeat,
  };
}

/** Gives the registry with the dialect of a file beside the configuration, so that the rest of it can name it. */
function loadDialect(file: string, path: Path, registry: Registry, findings: Findings): Registry {
  const { loadDialect } = findings.source;
  if (!loadDialect) {
    const hint = 'Give parseConfig { dialects: all.with(defineDialect({ … })) }, both of @dragoman/core.';
    findings.add(path, { message: 'files cannot be read here', hint });
    return registry;
  }
  try {
    return registry.with(loadDialect(file, registry));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    findings.add(path, { message: error.message });
    return registry;
  }
}

/** Each process would load the weights for itself, and each would compute with all cores. */
function checkWorkers(
  { workers = DEFAULTS.workers }: ConfigShape,
  upstreams: readonly UpstreamConfig[],
  findings: Findings,
): void {
  if (workers === 1 || !upstreams.some(({ kind }) => kind === 'gguf')) return;
  const message = 'a model in this process needs workers: 1';
  findings.add(['workers'], { message, hint: 'It computes with all cores by itself.' });
}

/** The gateway would not start, with an error of the system that names the other port. 0 takes any. */
function checkHealthPort({ healthPort = 0 }: ConfigShape, port: number, findings: Findings): void {
  if (healthPort === 0 || healthPort !== port || findings.touches('port', 'healthPort')) return;
  const message = `expected another port than that of the gateway, ${port}`;
  findings.add(['healthPort'], { message, hint: 'Its own port answers /healthz, too.' });
}

function hostOf({ host }: ConfigShape, findings: Findings): string {
  if (host === undefined) return DEFAULTS.host;
  if (!isHost(host)) {
    const hint = 'The port is an option of its own.';
    findings.add(['host'], { message: 'expected an address or a host name', hint });
  }
  return withoutBrackets(host);
}

function isHost(written: string): boolean {
  const name = withoutBrackets(written);
  return ipVersion(name) !== 0 || /^[A-Za-z0-9][A-Za-z0-9.-]*$/.test(name);
}

/**
 * Refuses a gateway without keys on a public address, unless `insecure` is set: everyone could use its upstreams and
 * their keys.
 */
function checkOpen(host: string, hasKeys: boolean, insecure: boolean, findings: Findings): void {
  if (isLoopback(host) || hasKeys || findings.touches('keys', 'host')) return;
  if (insecure) {
    findings.notes.push(`Everybody who can reach ${host} can use this gateway: it has no keys.`);
    return;
  }
  const message = 'others can reach this address, and there are no keys';
  const hint = 'Add keys, or say insecure (--insecure) if everybody may use it.';
  findings.add(['host'], { message, hint });
}

/** Warns if everyone, or no key at all, can read the inspector, which shows other clients' requests. */
function checkInspector(
  { inspect = DEFAULTS.inspect }: ConfigShape,
  keys: readonly KeyConfig[],
  host: string,
  findings: Findings,
): void {
  if (inspect === 0 || findings.touches('keys')) return;
  if (keys.length === 0 && !isLoopback(host)) {
    findings.notes.push(`Everybody who can reach ${host} can read what was asked: inspect is on.`);
  } else if (keys.length > 0 && !keys.some(({ admin }) => admin)) {
    findings.notes.push('Nobody can read the inspector: none of the keys has admin: true.');
  }
}

const storeSchemes = ['memory:', 'redis:', 'rediss:', 'postgres:', 'postgresql:'];

/** A gateway that only this machine can reach keeps responses in memory, unless it is told otherwise. */
function storeOf(
  { store, hosts }: ConfigShape,
  host: string,
  findings: Findings,
): Pick<GatewayConfig, 'store'> {
  if (store === undefined) {
    const isLocal = isLoopback(host) && listOf(hosts, ['hosts']).length === 0;
    return isLocal ? { store: LOCAL_STORE } : {};
  }
  const { url, keep } = typeof store === 'string' ? { url: store } : store;
  if (url === 'none') return {};
  const path = typeof store === 'string' ? ['store'] : ['store', 'url'];
  const address = url === 'memory' ? 'memory:' : url;
  if (address === undefined || !URL.canParse(address) || !storeSchemes.includes(new URL(address).protocol)) {
    findings.add(path, { message: 'expected memory:, redis://…, rediss://…, postgres://… or none' });
    return {};
  }
  const seconds = keep === undefined ? DEFAULT_STORE_SECONDS : Math.floor(keep / 1000);
  return { store: { url: address, seconds } };
}

const SHORTEST_SEAL_KEY = 16;

function sealOf(sealKey: ConfigShape['sealKey'], findings: Findings): Pick<GatewayConfig, 'sealKey'> {
  if (sealKey === undefined) return {};
  if (sealKey.length < SHORTEST_SEAL_KEY)
    findings.add(['sealKey'], { message: `expected at least ${SHORTEST_SEAL_KEY} characters` });
  return { sealKey };
}

function originsOf(origins: ConfigShape['origins'], findings: Findings): string[] {
  return listOf(origins, ['origins']).map(({ value, path }) => {
    const isOrigin = URL.canParse(value) && new URL(value).origin === value.toLowerCase();
    if (!isOrigin) {
      const hint =
        value === '*' ? 'Any page of the web could use the gateway: name those that may.' : undefined;
      const message = 'expected an origin like https://example.com';
      findings.add(path, { message, ...(hint !== undefined && { hint }) });
    }
    return value.toLowerCase();
  });
}

function hostsOf(hosts: ConfigShape['hosts'], findings: Findings): string[] {
  return listOf(hosts, ['hosts']).map(({ value, path }) => {
    if (!isHost(value)) findings.add(path, { message: 'expected a host name, without scheme, port and *' });
    return value.toLowerCase();
  });
}

function logOf(log: ConfigShape['log']): GatewayConfig['log'] {
  return { ...DEFAULTS.log, ...defined(typeof log === 'string' ? { level: log } : (log ?? {})) };
}

function tracesOf(traces: ConfigShape['traces'], findings: Findings): Pick<GatewayConfig, 'traces'> {
  if (traces === undefined) return {};
  const short = typeof traces === 'string';
  const endpoint = short ? traces : traces.endpoint;
  const isAddress = endpoint !== undefined && URL.canParse(endpoint) && /^https?:\/\//.test(endpoint);
  if (!isAddress) {
    const message = 'expected an address that begins with http:// or https://';
    findings.add(short ? ['traces'] : ['traces', 'endpoint'], { message });
    return {};
  }
  return { traces: { endpoint } };
}

function settleKeys(shape: ConfigShape, models: readonly ModelConfig[], findings: Findings): KeyConfig[] {
  const entries = entriesOf<string, KeyShape>(shape.keys, 'keys', (key) => ({ key }));
  const names = new Set<string>();
  const seen = new Set<string>();
  return entries.flatMap((entry) => {
    const { name } = entry;
    const keyPath = entry.short ? entry.path : [...entry.path, 'key'];
    const { key, requestsPerMinute, models: allowed, admin = false } = entry.body;
    if (name !== undefined && names.has(name))
      findings.add(entry.namePath, { message: 'there is another key of this name' });
    if (name !== undefined) names.add(name);
    checkModels(entry, models, findings);
    const fault = keyFault(key, seen);
    if (fault) findings.add(keyPath, fault);
    if (key === undefined) return [];
    seen.add(key);
    const limits = { ...(requestsPerMinute !== undefined && { requestsPerMinute }) };
    const more = { ...(allowed !== undefined && { models: allowed }), ...(admin && { admin }) };
    return [{ ...(name !== undefined && { name }), key, ...limits, ...more }];
  });
}

function keyFault(key: string | undefined, seen: ReadonlySet<string>): Fault | undefined {
  if (key === undefined) return { message: 'expected the key that clients send as key', missing: true };
  return seen.has(key) ? { message: 'this key was given before' } : ownKeyFault(key);
}

function checkModels(
  { path, body }: Entry<KeyShape>,
  models: readonly ModelConfig[],
  findings: Findings,
): void {
  const known = models.flatMap(({ name, aliases }) => [name, ...aliases]);
  if (known.includes('*') || findings.touches('models')) return;
  body.models?.forEach((name, at) => {
    if (name === '*' || known.includes(name)) return;
    const place = [...path, 'models', at];
    const meant = nearest(name, known);
    const hint = meant === undefined ? 'Name a model of this file, or an alias.' : `Did you mean ${meant}?`;
    findings.add(place, { message: `no model is called ${findings.quote(place, name)}`, hint });
  });
}
