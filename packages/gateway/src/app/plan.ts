// Everything a configuration decides about a request, prepared once when it is loaded.

import { ApiError, type ModelRequest } from '@dragoman/core';
import { createReplier, type Replier } from '@dragoman/core/bridge';
import { wires as everyWire, keyPlaces, sentKey, type Wire } from '@dragoman/core/wire';
import type { GatewayConfig, KeyConfig } from '../config/config.js';
import type { Log } from '../services.js';
import type { AppRequest } from './app-request.js';
import { type CrossOrigin, createCrossOrigin } from './cross-origin.js';
import { createModelTable, type ModelTable, modelTableSteps, type TableOptions } from './model-table.js';
import { atOnce, type Steps } from './steps.js';
import type { Strangers } from './strangers.js';

export interface Plan {
  config: GatewayConfig;
  /** Gives the replier for a request, with its key where an upstream has `passKey`. */
  replierFor(request: AppRequest): Replier;
  models: ModelTable;
  knowsHost(host: string | null): boolean;
  crossOrigin: CrossOrigin;
  /** Gives the key of a request; undefined where no keys are configured. Throws an ApiError for an unknown key. */
  admit(
    request: AppRequest,
    context: { log: Log & { hide?(secret: string): void }; strangers: Strangers },
  ): Client | undefined | Promise<Client | undefined>;
  /** No keys are configured, so no request needs one. */
  readonly open: boolean;
  /** Gives the owner of the key of a request; undefined if it has no known key. */
  ownerOf(request: AppRequest): Promise<Client | undefined>;
  mayUse(key: Client | undefined, model: string): boolean;
  /** Gives the scope of what is kept for the client: that of its key, or a digest of a key that is passed on. */
  scopeOf(request: AppRequest, key: Client | undefined): Promise<string | undefined>;
}

export function createPlan(config: GatewayConfig, options: TableOptions): Plan {
  return atOnce(planSteps(config, options));
}

/** A step for each key and each model. */
export function* planSteps(config: GatewayConfig, options: TableOptions): Steps<Plan> {
  const { digest = digestOf } = options;
  const ring = yield* keyRingSteps(config.keys, digest);
  const names = namesOfAliases(config);
  const models = yield* modelTableSteps(config, options);
  const { wires = everyWire } = options;
  return {
    config,
    replierFor: repliersOf(config, models, options),
    models,
    knowsHost: createHostCheck(config.host, config.hosts),
    crossOrigin: createCrossOrigin(config.origins),
    admit(request, { log, strangers }) {
      const sent = sentKey(request.header, wires);
      if (sent !== undefined) log.hide?.(sent);
      if (ring.open) return undefined;
      return admitted(sent, ring, wires, () =>
        strangers.count('wrongKeysPerMinute', request.address, config.limits),
      );
    },
    open: ring.open,
    async ownerOf(request) {
      const sent = sentKey(request.header, wires);
      return sent === undefined ? undefined : ring.find(sent);
    },
    mayUse: (key, model) =>
      key?.models === undefined ||
      key.models.includes(model) ||
      key.models.includes(names.get(model) ?? model),
    async scopeOf(request, key) {
      const passed = passesKeys(config) ? sentKey(request.header, wires) : undefined;
      return passed === undefined ? key?.scope : `sha256:${hexOf(await digest(passed))}`;
    },
  };
}

/** Who may use a model may use it by each of its names. Of two models with one alias, the first has it. */
function namesOfAliases({ models }: GatewayConfig): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { name, aliases } of models)
    for (const alias of aliases) if (!names.has(alias)) names.set(alias, name);
  return names;
}

async function admitted(
  sent: string | undefined,
  ring: KeyRing,
  wires: readonly Wire[],
  count: () => void,
): Promise<Client> {
  const key = sent === undefined ? undefined : await ring.find(sent);
  if (key) return key;
  count();
  const found = sent === undefined ? 'none was sent' : 'the one that was sent is unknown';
  throw new ApiError('unauthorized', `This gateway needs an API key, as ${keyPlaces(wires)}; ${found}.`);
}

/** How many clients have a replier of their own ready, where upstreams have `passKey`. */
const MOST_CLIENTS = 100;

/** Makes one replier for all clients; or one for each client, where an upstream has `passKey`. */
function repliersOf(
  config: GatewayConfig,
  models: ModelTable,
  options: TableOptions,
): (request: AppRequest) => Replier {
  const shared = replierOf(config, models, options);
  if (!passesKeys(config)) return () => shared;
  const own = new Map<string, Replier>();
  return (request) => {
    const clientKey = sentKey(request.header, options.wires ?? everyWire);
    if (clientKey === undefined) return shared;
    const found =
      own.get(clientKey) ?? replierOf(config, createModelTable(config, { ...options, clientKey }), options);
    // The map is ordered by last use.
    own.delete(clientKey);
    own.set(clientKey, found);
    const [oldest] = own.keys();
    if (own.size > MOST_CLIENTS && oldest !== undefined) own.delete(oldest);
    return found;
  };
}

function passesKeys({ upstreams }: GatewayConfig): boolean {
  return [...upstreams.values()].some(({ passKey }) => passKey);
}

function replierOf(
  config: GatewayConfig,
  models: ModelTable,
  { wires, seal, repeated, turns }: TableOptions,
): Replier {
  return createReplier({
    ...(wires && { wires }),
    ...(seal && { seal }),
    ...(repeated && { repeated }),
    ...(turns && { turns }),
    route(request) {
      checkChoices(request, config.limits.choices);
      return models.find(request.model);
    },
    report: config.report,
    heartbeat: config.heartbeat,
    // The body was counted when it was read.
    bodyBytes: Number.POSITIVE_INFINITY,
    bodyElements: Number.POSITIVE_INFINITY,
  });
}

/** Throws if the request asks for more choices than the configuration allows. */
function checkChoices({ settings: { choices = 1 } }: ModelRequest, most: number): void {
  if (choices > most) throw new ApiError('bad-request', `n: expected at most ${most}`, { path: 'n' });
}

// --- keys: all digests are compared each time, so that the time it takes reveals nothing (timing attack) ----------

interface KeyRing {
  /** No keys are configured, so no request needs one. */
  readonly open: boolean;
  find(key: string): Promise<Client | undefined>;
}

/** The owner of a key. Its name and its scope never depend on the place of the key among others. */
export interface Client extends KeyConfig {
  name: string;
  /** Everything that is kept for the client is kept under it: responses, counts of requests, turns. */
  scope: string;
}

/** Letters of the digest that make a name, for logs and traces. */
const NAME_LENGTH = 8;

interface KnownClient {
  one: Client;
  digest: Uint8Array;
}

function clientOf(key: KeyConfig, digest: Uint8Array): KnownClient {
  const hex = hexOf(digest);
  const named = key.name === undefined ? `key-${hex.slice(0, NAME_LENGTH)}` : key.name;
  const scope = key.name === undefined ? `sha256:${hex}` : `name:${key.name}`;
  return { one: { ...key, name: named, scope }, digest };
}

function* keyRingSteps(
  keys: readonly KeyConfig[],
  digestOf: NonNullable<TableOptions['digest']>,
): Steps<KeyRing> {
  const made: (KnownClient | Promise<KnownClient>)[] = [];
  for (const key of keys) {
    yield;
    const digest = digestOf(key.key);
    made.push(
      digest instanceof Uint8Array ? clientOf(key, digest) : digest.then((later) => clientOf(key, later)),
    );
  }
  const clients = Promise.all(made);
  return {
    open: keys.length === 0,
    async find(key) {
      const asked = await digestOf(key);
      let found: Client | undefined;
      for (const { one, digest } of await clients) if (sameBytes(asked, digest)) found = one;
      return found;
    },
  };
}

async function digestOf(key: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key)));
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at++) difference |= (a[at] ?? 0) ^ (b[at] ?? 0);
  return difference === 0;
}

// --- hosts: a page on the web can point a name of its own at loopback (DNS rebinding), and so make a browser send
// requests to the gateway. The Host header shows that name. --------------------------------------------------------

const loopback = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

function isLoopback(host: string): boolean {
  return loopback.has(host) || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host) || host.endsWith('.localhost');
}

/** Makes the check of Host headers. A gateway that is not bound to loopback takes any name, unless names are listed. */
function createHostCheck(bound: string, listed: readonly string[]): (host: string | null) => boolean {
  const known = new Set([bound, ...listed].map((name) => name.toLowerCase()));
  const anyName = !isLoopback(bound) && listed.length === 0;
  return (host) => {
    if (anyName) return true;
    const name = hostName(host);
    return name !== undefined && (isLoopback(name) || known.has(name));
  };
}

/** Gives the host name without the port. */
function hostName(host: string | null): string | undefined {
  if (!host) return undefined;
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':');
  return (end > 0 ? host.slice(0, end) : host).toLowerCase();
}
