// Settles the upstreams of one model: one, or several that share its requests.

import { checkDialect, checkPromptForm, checkTinyName } from './check-dialect.js';
import type { EndpointConfig, ModelConfig, UpstreamConfig } from './config.js';
import { listed } from './entries.js';
import { nearest } from './nearest.js';
import type { Path } from './problem.js';
import type { ModelContext } from './settle-models.js';
import type { EndpointShape, ModelShape } from './shape.js';

interface ModelEntry {
  path: Path;
  name: string;
  body: ModelShape;
  bridge: ModelConfig['bridge'];
}

/** An upstream as a model names it, with its place. */
interface Named {
  path: Path;
  namePath: Path;
  body: EndpointShape;
}

export function settleEndpoints(model: ModelEntry, context: ModelContext): EndpointConfig[] {
  const seen = new Set<string>();
  return namedBy(model, context).flatMap((named) => {
    const upstream = upstreamOf(named, context);
    if (!upstream) return [];
    if (seen.has(upstream.name)) {
      const message = 'this upstream is named twice';
      context.findings.add(named.namePath, { message, hint: 'Name each upstream once.' });
    }
    seen.add(upstream.name);
    return [settleEndpoint(upstream, named, model, context)];
  });
}

function settleEndpoint(
  upstream: UpstreamConfig,
  named: Named,
  entry: ModelEntry,
  { dialects, findings }: ModelContext,
): EndpointConfig {
  const { path, body } = named;
  const { name, body: shared, bridge } = entry;
  const model = body.model ?? shared.model;
  const dialect = body.dialect ?? String(bridge.dialect);
  const dialectPath = [...path, 'dialect'];
  checkDialect(body.dialect, dialectPath, dialects, findings);
  checkPromptForm(dialect, upstream, model ?? name, dialectPath, dialects, findings);
  if (dialect === 'auto')
    checkTinyName(model ?? name, upstream, modelPathOf(named, entry), dialects, findings);
  return {
    upstream: upstream.name,
    ...(model !== undefined && { model }),
    bridge: { ...bridge, dialect },
  };
}

/** Gives the place of the name that the upstream is asked for. */
function modelPathOf({ path, body }: Named, { path: home, body: shared }: ModelEntry): Path {
  if (body.model !== undefined) return [...path, 'model'];
  return shared.model === undefined ? home : [...home, 'model'];
}

/** Gives the upstreams that a model names; of a model that names none, those of the list at the top level. */
function namedBy(
  { path, body: { upstream } }: ModelEntry,
  { shape, upstreams, findings }: ModelContext,
): Named[] {
  const at = [...path, 'upstream'];
  if (Array.isArray(upstream)) {
    if (upstream.length === 0) findings.add(at, { message: 'expected at least one upstream' });
    return upstream.map((one, n) => namedAt(one, [...at, n], path));
  }
  if (upstream !== undefined) return [namedAt(upstream, at, path)];
  if (!Array.isArray(shape.upstream)) return [{ path, namePath: at, body: {} }];
  return [...upstreams.keys()].map((name) => ({ path, namePath: at, body: { name } }));
}

/** `home` is the path of the model, whose dialect stands there where the upstream is only a name. */
function namedAt(one: string | EndpointShape, at: Path, home: Path): Named {
  return typeof one === 'string'
    ? { path: home, namePath: at, body: { name: one } }
    : { path: at, namePath: [...at, 'name'], body: one };
}

function upstreamOf(
  { namePath: at, body: { name } }: Named,
  { upstreams, lost, findings }: ModelContext,
): UpstreamConfig | undefined {
  if (lost) return upstreams.get(name ?? '');
  const known = [...upstreams.keys()];
  if (name === undefined) {
    if (upstreams.size === 1) return [...upstreams.values()][0];
    const message = 'expected an upstream, because there are several';
    findings.add(at, { message, hint: `There are ${listed(known)}.` });
    return undefined;
  }
  const found = upstreams.get(name);
  if (found) return found;
  const meant = nearest(name, known);
  const hint = `${meant === undefined ? '' : `Did you mean ${meant}? `}There ${known.length === 1 ? 'is' : 'are'} ${listed(known)}.`;
  findings.add(at, { message: `no upstream is called ${findings.quote(at, name)}`, hint });
  return undefined;
}
