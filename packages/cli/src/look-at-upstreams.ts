// Looks at the upstreams when the gateway starts: whether they answer, whether the address lacks its version, and which
// models they have. What is wrong is a word for the person who starts it, and never stops the gateway.

import { getJson } from '@dragoman/core/bridge';
import { wireOf } from '@dragoman/core/wire';
import type { GatewayConfig, UpstreamConfig } from '@dragoman/gateway';
import { makesAnswers } from './preferred-model.js';
import { modelNames } from './setup/local-servers.js';

export interface LookedAt {
  /** A warning, as a sentence or two. */
  words?: string;
  /** The address that has a list of models, where it is another than the one that was given. */
  url?: string;
  /** The models, where there is a list of them. */
  models?: string[];
}

/** Milliseconds for each question. */
const MOMENT = 1500;
const VERSION = '/v1';

/** By the names of the upstreams. */
export async function lookAtUpstreams({ upstreams }: GatewayConfig): Promise<Map<string, LookedAt>> {
  const looks = [...upstreams].map(
    async ([name, upstream]) => [name, await lookAt(name, upstream)] as [string, LookedAt],
  );
  return new Map(await Promise.all(looks));
}

/** Whether an address is nothing but a server: those of APIs have a version behind it, with few exceptions. */
export function lacksVersion({ url }: Pick<UpstreamConfig, 'url'>): boolean {
  return url !== undefined && new URL(url).pathname === '/';
}

async function lookAt(name: string, upstream: UpstreamConfig): Promise<LookedAt> {
  const { url, gguf, key, headers } = upstream;
  if (gguf) return { models: await ggufNames(gguf.path) };
  if (url === undefined) return {};
  const api = wireOf(upstream.api);
  const ask = (at: string) =>
    getJson({ url: at, api, ...(key !== undefined && { key }), headers: { ...headers } }, '/models', MOMENT);
  const found = await ask(url);
  const models = modelNames(found?.value);
  if (models) return { models };
  const longer = url.replace(/\/$/, '') + VERSION;
  const isBare = lacksVersion(upstream);
  if (!found) {
    const hint = isBare ? ` Most addresses end in the version: ${longer}` : '';
    return {
      words: `The upstream ${name} does not answer at ${url}: requests fail until its server runs.${hint}`,
    };
  }
  if (!isBare) return {};
  const more = modelNames((await ask(longer))?.value);
  return more ? { url: longer, models: more, words: `${url} has no list of models, ${longer} has one.` } : {};
}

async function ggufNames(path: string): Promise<string[]> {
  const { ggufFiles } = await import('@dragoman/local');
  try {
    return ggufFiles(path).files.map((file) => file.name);
  } catch {
    // The gateway reads the files, too, and says what is wrong with them.
    return [];
  }
}

/** The configuration with the addresses that were found. */
export function withFoundAddresses(
  config: GatewayConfig,
  looked: ReadonlyMap<string, LookedAt>,
): GatewayConfig {
  const upstreams = [...config.upstreams].map(([name, upstream]): [string, UpstreamConfig] => {
    const url = looked.get(name)?.url;
    return [name, url === undefined ? upstream : { ...upstream, url }];
  });
  return { ...config, upstreams: new Map(upstreams) };
}

/** The warnings. `isUsed`: the gateway takes the addresses that were found. */
export function upstreamWords(looked: ReadonlyMap<string, LookedAt>, isUsed: boolean): string[] {
  return [...looked.values()].flatMap(({ words, url }) => {
    if (words === undefined || url === undefined) return words ?? [];
    return isUsed ? `${words} The gateway uses that: write ${url}` : `${words} Set the url to ${url}`;
  });
}

/** They are pasted into a shell. */
const PLAIN = /^[\w.:/@+-]{1,80}$/;

/** The models of the upstream that takes any name. */
export function liveModels({ models }: GatewayConfig, looked: ReadonlyMap<string, LookedAt>): string[] {
  const any = models.find(({ name }) => name === '*');
  const listed = any?.upstream === undefined ? [] : (looked.get(any.upstream)?.models ?? []);
  return listed.filter((name) => PLAIN.test(name) && makesAnswers(name));
}
