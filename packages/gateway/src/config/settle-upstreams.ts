// Settles the upstreams that the gateway sends requests to.

import { defaultWire, type Wire, wireOf, wires, wireTaking } from '@dragoman/core/wire';
import type { GgufConfig, UpstreamConfig, UpstreamKind } from './config.js';
import { DEFAULT_UPSTREAM, DEFAULT_UPSTREAM_TIMEOUTS, DEFAULTS } from './defaults.js';
import { defined, type Entry, entriesOf } from './entries.js';
import type { Environment } from './environment.js';
import { environmentKey, environmentUpstream } from './environment-upstream.js';
import type { Findings } from './findings.js';
import { isHeaderValue, upstreamKeyFault } from './key-faults.js';
import { isOwnAddress } from './own-address.js';
import type { Path } from './problem.js';
import { type ConfigShape, MAX_CONNECTIONS, type UpstreamShape } from './shape.js';

export interface UpstreamContext {
  env: Environment;
  own: { host: string; port: number };
  findings: Findings;
}

export function settleUpstreams(shape: ConfigShape, context: UpstreamContext): Map<string, UpstreamConfig> {
  const { findings } = context;
  const upstreams = new Map<string, UpstreamConfig>();
  for (const entry of upstreamEntries(shape, context)) {
    const { name, path, namePath } = entry;
    if (name === undefined) {
      const hint = 'Add name: …, or make upstreams a map by name.';
      findings.add([...path, 'name'], { message: 'expected a name', hint, missing: true });
    } else if (upstreams.has(name)) {
      const message = `there are two upstreams called ${JSON.stringify(name)}`;
      // Upstreams of a list are named by their hosts.
      const hint = 'Give it a name of its own: { name: …, url: … }';
      findings.add(namePath, { message, ...(entry.body.name === undefined && { hint }) });
    } else {
      upstreams.set(name, settleUpstream(name, entry, shape, context));
    }
  }
  return upstreams;
}

/** Gives the configured upstreams, else the one of the environment, else the demo. */
function upstreamEntries(shape: ConfigShape, context: UpstreamContext): Entry<UpstreamShape>[] {
  const { findings, env, own } = context;
  const spread = (url: string): UpstreamShape => {
    if (url === 'demo' || url === 'tiny') return { kind: url };
    return isGguf(url) ? { kind: 'gguf', file: url } : { url };
  };
  const entries = entriesOf(shape.upstreams, 'upstreams', spread);
  if (shape.upstream !== undefined) {
    if (entries.length > 0) {
      const hint = 'Move it into upstreams, under a name.';
      findings.add(['upstream'], { message: 'expected upstream or upstreams, found both', hint, at: 'key' });
    }
    entries.unshift(...mainEntries(shape.upstream, spread, findings));
  }
  if (entries.length > 0 || findings.touches('upstream', 'upstreams')) return entries;
  const found = environmentUpstream(env, own, findings);
  if (!found) return [{ path: [], namePath: [], short: true, name: 'demo', body: { kind: 'demo' } }];
  const path = [found.variable];
  findings.source.elsewhere.set(found.variable, { file: 'environment', path: found.variable });
  return [{ path, namePath: path, short: true, name: found.name, body: found.body }];
}

/** Gives the entries of `upstream`: one, or a list whose names are their hosts. */
function mainEntries(
  written: NonNullable<ConfigShape['upstream']>,
  spread: (url: string) => UpstreamShape,
  findings: Findings,
): Entry<UpstreamShape>[] {
  if (Array.isArray(written)) {
    if (written.length === 0) findings.add(['upstream'], { message: 'expected at least one upstream' });
    return entriesOf<string, UpstreamShape>(written, 'upstream', spread).map((entry) => {
      return { ...entry, name: entry.name ?? hostName(entry.body.url) ?? `upstream-${entry.path[1]}` };
    });
  }
  const short = typeof written === 'string';
  const body = short ? spread(written) : written;
  const path = ['upstream'];
  return [{ path, namePath: path, short, name: body.name ?? 'default', body }];
}

function hostName(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
}

function settleUpstream(
  name: string,
  { path, short, body: written }: Entry<UpstreamShape>,
  shape: ConfigShape,
  { env, own, findings }: UpstreamContext,
): UpstreamConfig {
  const body = environmentKey(written, env, findings);
  const kind = kindOf(body);
  checkUrl(kind, body.url, short ? path : [...path, 'url'], own, findings);
  const gguf = kind === 'gguf' ? ggufOf(body, path, findings) : undefined;
  if (!gguf) checkOwnMachine(body, path, findings);
  checkApi(kind, body, path, findings);
  checkKeys(written, path, shape, findings);
  checkHeaders(body.headers, [...path, 'headers'], findings);
  checkBody(body.body, [...path, 'body'], findings);
  return {
    name,
    kind,
    ...(body.url !== undefined && { url: body.url.endsWith('/') ? body.url.slice(0, -1) : body.url }),
    api: body.api ?? wireTaking(takenBy(kind)).name,
    ...(body.key !== undefined && { key: body.key }),
    headers: body.headers ?? {},
    passKey: body.passKey ?? DEFAULT_UPSTREAM.passKey,
    media: body.media ?? kind === 'native',
    ...(body.freeform !== undefined && { freeform: body.freeform }),
    stream: body.stream ?? DEFAULT_UPSTREAM.stream,
    engine: body.engine ?? DEFAULT_UPSTREAM.engine,
    body: body.body ?? {},
    ...(body.grammar !== undefined && { grammar: body.grammar }),
    ...(gguf && { gguf }),
    timeouts: {
      ...DEFAULT_UPSTREAM_TIMEOUTS,
      ...defined(shape.timeouts ?? {}),
      ...defined(body.timeouts ?? {}),
    },
    retries: body.retries ?? DEFAULT_UPSTREAM.retries,
    connections: body.connections ?? connectionsOf(shape),
  };
}

/** Whether the short form of an upstream names the file of a model. */
function isGguf(written: string): boolean {
  return !written.includes('://') && written.toLowerCase().endsWith('.gguf');
}

/** Settings of `gguf`. */
const ggufNames = ['template', 'context', 'parallel', 'waiting', 'threads', 'memory', 'gpu'] as const;

function ggufOf(body: UpstreamShape, path: Path, findings: Findings): GgufConfig | undefined {
  const place = (file: string) => findings.source.resolveFile?.(file) ?? file;
  const { file, template, grammar } = body;
  if (file === undefined) {
    const hint = 'For example file: models/qwen3-4b.gguf, or a folder.';
    findings.add([...path, 'file'], {
      message: 'expected the file of the model as file',
      hint,
      missing: true,
    });
    return undefined;
  }
  if (grammar !== undefined && grammar !== 'gbnf' && grammar !== 'none')
    findings.add([...path, 'grammar'], {
      message: 'llama.cpp takes gbnf',
      hint: 'Take it out, or say none.',
    });
  const { context, parallel, waiting, threads, memory, gpu } = body;
  return {
    path: place(file),
    ...(template !== undefined && { template: place(template) }),
    ...defined({ context, parallel, waiting, threads, memory, gpu }),
  };
}

/** Refuses settings that only a model in this process has. */
function checkOwnMachine(body: UpstreamShape, path: Path, findings: Findings): void {
  if (body.kind === 'gguf') return;
  for (const name of ['file', ...ggufNames] as const) {
    if (body[name] === undefined) continue;
    const message = `${name} is for kind: gguf`;
    findings.add([...path, name], { message, hint: 'Add kind: gguf, or take it out.', at: 'key' });
  }
}

/** One connection for each accepted request: with fewer, some would wait silently for a free one. */
function connectionsOf({ limits }: ConfigShape): number {
  return Math.min(limits?.requests ?? DEFAULTS.limits.requests, MAX_CONNECTIONS);
}

/** Gives the kind. A model behind an API that is made for tools never only writes text. */
function kindOf({ kind, api }: UpstreamShape): UpstreamKind {
  if (kind !== undefined) return kind;
  const wire = api === undefined ? defaultWire : wireOf(api);
  if (wire.takes === 'prompt') return 'completion';
  return wire.impliesTools ? 'native' : 'chat';
}

function takenBy(kind: UpstreamKind): Wire['takes'] {
  return kind === 'completion' ? 'prompt' : 'messages';
}

// --- settings that contradict each other ---------------------------------------------------------------------

/** Kinds whose models run in this process. */
const OWN_MODELS: ReadonlyMap<UpstreamKind, string> = new Map([
  ['demo', 'the demo'],
  ['tiny', 'the tiny model'],
  ['gguf', 'a model in this process'],
]);

function checkUrl(
  kind: UpstreamKind,
  url: string | undefined,
  path: Path,
  gateway: UpstreamContext['own'],
  findings: Findings,
): void {
  const own = OWN_MODELS.get(kind);
  if (own !== undefined) {
    if (url !== undefined) findings.add(path, { message: `${own} has no address`, hint: 'Take it out.' });
    return;
  }
  const fault =
    url === undefined
      ? { message: 'expected the address of the upstream as url', hint: EXAMPLE, missing: true }
      : urlFault(url, gateway);
  if (fault) findings.add(path, fault);
}

const routes = [...wires.map(({ path }) => path), '/models'];

const EXAMPLE = 'For example http://localhost:11434/v1';

function urlFault(url: string, own: UpstreamContext['own']): { message: string; hint?: string } | undefined {
  if (!URL.canParse(url)) return { message: 'expected an address', hint: EXAMPLE };
  const { protocol, username, password, search, hash, pathname } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') {
    return { message: 'expected an address that begins with http:// or https://', hint: EXAMPLE };
  }
  if (username !== '' || password !== '') {
    return { message: 'expected an address without a name and password', hint: 'Use key, or headers.' };
  }
  if (search !== '' || hash !== '') return { message: 'expected an address without ? and #' };
  const route = routes.find((end) => pathname.endsWith(end));
  if (route) return { message: 'expected the address up to the version', hint: `Leave out ${route}.` };
  if (isOwnAddress(url, own))
    return { message: "this is the gateway's own address", hint: 'Requests would circle.' };
  return undefined;
}

function checkApi(kind: UpstreamKind, { api }: UpstreamShape, path: Path, findings: Findings): void {
  if (api === undefined || OWN_MODELS.has(kind) || wireOf(api).takes === takenBy(kind)) return;
  const message = `kind ${kind} and api ${api} do not fit`;
  const hint = kind === 'completion' ? 'Take api out.' : 'Use kind: completion, or another api.';
  findings.add([...path, 'api'], { message, hint });
}

function checkKeys(body: UpstreamShape, path: Path, shape: ConfigShape, findings: Findings): void {
  const fault = body.key === undefined ? undefined : upstreamKeyFault(body.key);
  if (fault) findings.add([...path, 'key'], fault);
  if (!body.passKey) return;
  if (body.key !== undefined) {
    findings.add([...path, 'passKey'], { message: 'expected key or passKey, found both' });
  } else if (shape.keys !== undefined && Object.keys(shape.keys).length > 0) {
    const message = "passKey would send the gateway's own keys to the upstream";
    findings.add([...path, 'passKey'], { message, hint: 'Take out keys, or set key here.' });
  }
}

/** Headers that belong to the connection, or are made for each request. */
const ownHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te']);

function checkHeaders(headers: UpstreamShape['headers'], path: Path, findings: Findings): void {
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      findings.add([...path, name], { message: 'no header can have this name', at: 'key' });
    } else if (ownHeaders.has(name.toLowerCase())) {
      findings.add([...path, name], { message: 'this header cannot be set', at: 'key' });
    } else if (!isHeaderValue(value)) {
      findings.add([...path, name], { message: 'expected one line of visible characters' });
    }
  }
}

/** Members of a body that are made for each request, and where they come from. */
const ownMembers: Readonly<Record<string, string>> = {
  model: 'Set model at a model.',
  stream: 'Set stream: false at the upstream, if it cannot stream.',
  messages: 'They come from the client.',
  input: 'It comes from the client.',
  prompt: 'It comes from the client.',
  n: 'Clients ask for several choices themselves.',
};

function checkBody(body: UpstreamShape['body'], path: Path, findings: Findings): void {
  for (const name of Object.keys(body ?? {})) {
    const hint = Object.hasOwn(ownMembers, name) ? ownMembers[name] : undefined;
    if (hint !== undefined)
      findings.add([...path, name], { message: 'this member cannot be set', hint, at: 'key' });
  }
}
