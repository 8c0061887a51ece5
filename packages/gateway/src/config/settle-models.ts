// Settles the models that clients can use.

import type { Registry } from '@dragoman/core';
import { demoDialect, demoModels } from '@dragoman/demo';
import { tinyDialect, tinyModels } from '../app/tiny-models.js';
import { checkDialect, checkPromptForm } from './check-dialect.js';
import type { EndpointConfig, ModelConfig, UpstreamConfig } from './config.js';
import { DEFAULT_ROUTE } from './defaults.js';
import { defined, type Entry, entriesOf, listed, listOf } from './entries.js';
import type { Findings } from './findings.js';
import type { Path } from './problem.js';
import { settleEndpoints } from './settle-endpoints.js';
import type { ConfigShape, ModelShape } from './shape.js';

export interface ModelContext {
  shape: ConfigShape;
  upstreams: ReadonlyMap<string, UpstreamConfig>;
  /** Whether an upstream was refused, so that an unknown name may be its. */
  lost: boolean;
  /** The dialects of the library, and those the configuration brings. */
  dialects: Registry;
  findings: Findings;
}

/** The models by their names and aliases, for errors about duplicates. */
type Names = Map<string, string>;

export function settleModels(context: ModelContext): ModelConfig[] {
  const { shape, dialects, findings } = context;
  checkDialect(shape.dialect, ['dialect'], dialects, findings);
  const entries = entriesOf<string | null, ModelShape>(shape.models, 'models', (name) =>
    name === null ? {} : { name },
  );
  if (entries.length === 0) return defaultModels(context);
  const names: Names = new Map();
  return entries.flatMap((entry) => settleModel(entry, names, context) ?? []);
}

/** Gives the models if none are configured: with one upstream any name; for the demo and the tiny model, one for each dialect. */
function defaultModels({ shape, upstreams, dialects, findings }: ModelContext): ModelConfig[] {
  const [only, ...others] = upstreams.values();
  if (!only || findings.touches('models', 'upstream')) return [];
  const shared = Array.isArray(shape.upstream);
  if (others.length > 0 && !shared) {
    const message = 'expected models, because there are several upstreams';
    const hint = `Say for each model which: ${listed([...upstreams.keys()])}.`;
    findings.add(['upstreams'], { message, hint, at: 'key' });
    return [];
  }
  const { dialect = 'auto', history, roles } = shape;
  if (only.kind === 'demo' && others.length === 0) return modelsOfDemo(only.name, dialect, dialects);
  if (only.kind === 'tiny' && others.length === 0) return modelsOfTiny(only.name, dialects);
  for (const one of upstreams.values()) checkPromptForm(dialect, one, '*', ['dialect'], dialects, findings);
  const bridge = { dialect, ...defined({ history, roles }) };
  const endpoints = [only, ...others].map(({ name }) => ({ upstream: name, bridge }));
  return [{ name: '*', aliases: [], upstream: only.name, ...poolOf(endpoints, {}, shape), bridge }];
}

function modelsOfDemo(upstream: string, dialect: string, dialects: Registry): ModelConfig[] {
  return demoModels(dialects).map((name) => {
    return { name, aliases: [], upstream, bridge: { dialect: demoDialect(name, dialects)?.name ?? dialect } };
  });
}

function modelsOfTiny(upstream: string, dialects: Registry): ModelConfig[] {
  return tinyModels(dialects).map((name) => {
    const dialect = tinyDialect(name, dialects)?.name ?? 'auto';
    return { name, aliases: [], upstream, bridge: { dialect } };
  });
}

function settleModel(
  { path, namePath, name, body }: Entry<ModelShape>,
  names: Names,
  context: ModelContext,
): ModelConfig | undefined {
  const { shape, dialects, findings } = context;
  if (name === undefined) {
    const hint = 'Add name: …, what clients call the model.';
    findings.add([...path, 'name'], { message: 'expected a name', hint, missing: true });
    return undefined;
  }
  claim(name, name, namePath, names, findings);
  const aliases = (['alias', 'aliases'] as const).flatMap((key) => listOf(body[key], [...path, key]));
  for (const alias of aliases) claim(alias.value, name, alias.path, names, findings);
  const dialect = body.dialect ?? shape.dialect ?? 'auto';
  checkDialects(body, path, dialects, findings);
  const bridge = bridgeOf(body, { ...shape, dialect });
  const endpoints = settleEndpoints({ path, name, body, bridge }, context);
  const model = endpoints.length === 1 ? endpoints[0]?.model : body.model;
  return {
    name,
    aliases: aliases.map(({ value }) => value),
    upstream: endpoints[0]?.upstream ?? '',
    ...(model !== undefined && { model }),
    ...poolOf(endpoints, body, shape),
    bridge: endpoints.length === 1 ? (endpoints[0]?.bridge ?? bridge) : bridge,
  };
}

/** Gives the pool of a model with several endpoints. */
function poolOf(
  endpoints: readonly EndpointConfig[],
  { route }: Pick<ModelShape, 'route'>,
  shape: ConfigShape,
): Pick<ModelConfig, 'pool'> {
  if (endpoints.length < 2) return {};
  return { pool: { route: route ?? shape.route ?? DEFAULT_ROUTE, endpoints } };
}

function claim(name: string, model: string, path: Path, names: Names, findings: Findings): void {
  const other = names.get(name);
  if (other === undefined) names.set(name, model);
  else {
    const whose =
      other === name ? 'there is another model of this name' : `this is already an alias of ${other}`;
    findings.add(path, { message: `${findings.quote(path, name)}: ${whose}` });
  }
}

function checkDialects(
  { dialect, watch }: ModelShape,
  path: Path,
  dialects: Registry,
  findings: Findings,
): void {
  checkDialect(dialect, [...path, 'dialect'], dialects, findings);
  for (const { value, path: place } of listOf(watch, [...path, 'watch']))
    checkDialect(value, place, dialects, findings, false);
}

// --- options of the bridge -----------------------------------------------------------------------------------

/** `history` and `roles` are those of models which name none. */
function bridgeOf(
  body: ModelShape,
  { dialect, history, roles }: { dialect: string } & Pick<ConfigShape, 'history' | 'roles'>,
): ModelConfig['bridge'] {
  const render = defined({ thinking: body.thinking, ...body.prompt });
  const watch = typeof body.watch === 'string' ? [body.watch] : body.watch;
  return {
    dialect,
    ...defined({ watch, reasks: body.reasks, delivery: body.delivery, echoes: body.echoes }),
    ...defined({ nearKeys: body.nearKeys }),
    ...defined({ history: body.history ?? history, roles: body.roles ?? roles }),
    ...defined({ inReasoning: body.inReasoning }),
    ...(Object.keys(render).length > 0 && { render }),
    ...(body.policies && { policies: defined(body.policies) }),
    ...(body.limits && { limits: defined(body.limits) }),
  };
}
