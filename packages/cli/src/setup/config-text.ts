// The configuration that `dragoman init` writes.

import type { LocalServer } from './local-servers.js';

/** YAML. Names are written as JSON strings, which YAML reads. */
export function configText(servers: readonly LocalServer[], port: number): string {
  const upstreams = servers.map(({ url }, at) => {
    return `  ${JSON.stringify(upstreamNames(servers)[at])}:\n    url: ${JSON.stringify(url)}`;
  });
  const models = namedModels(servers).flatMap(({ name, upstream, model, dialect, reason }) => [
    `  - name: ${JSON.stringify(name)}`,
    `    upstream: ${JSON.stringify(upstream)}`,
    ...(model === name ? [] : [`    model: ${JSON.stringify(model)}`]),
    dialect === undefined ? `    # ${oneLine(reason)}` : `    dialect: ${dialect} # ${oneLine(reason)}`,
  ]);
  return [
    '# Written by `dragoman init`. `dragoman serve` reads it, `dragoman doctor` checks it, and docs/gateway.md has the rest.',
    `port: ${port}`,
    'upstreams:',
    ...upstreams,
    'models:',
    ...models,
    '',
  ].join('\n');
}

export interface NamedModel {
  /** The name that clients use. */
  name: string;
  upstream: string;
  /** Its name at the upstream. */
  model: string;
  dialect: string | undefined;
  reason: string;
}

/** A name that several servers have is followed by that of the server, but for the first. */
export function namedModels(servers: readonly LocalServer[]): NamedModel[] {
  const taken = new Set<string>();
  const upstreams = upstreamNames(servers);
  return servers.flatMap(({ models }, at) => {
    const upstream = upstreams[at] ?? '';
    return models.map(({ name: model, dialect, reason }) => {
      const name = taken.has(model) ? `${model}@${upstream}` : model;
      taken.add(name);
      return { name, upstream, model, dialect, reason };
    });
  });
}

function upstreamNames(servers: readonly LocalServer[]): string[] {
  const names = servers.map(({ name }) => name);
  return servers.map(({ name, url }, at) =>
    names.indexOf(name) === at ? name : `${name}-${new URL(url).port}`,
  );
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
