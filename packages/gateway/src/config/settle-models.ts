// Settles the models that clients can use.

import type { Registry } from '@dragoman/core';
import { dialectOfModel } from '@dragoman/core/bridge';
import { demoDialect, demoModels } from '@dragoman/demo';
import type { ModelConfig, UpstreamConfig } from './config.js';
import { defined, type Entry, entriesOf, listOf } from './entries.js';
import type { Findings } from './findings.js';
import { nearest } from './nearest.js';
import type { Path } from './problem.js';
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

/** Gives the models if none are configured: with one upstream any name; for the demo, one for each dialect. */
function defaultModels({ shape, upstreams, dialects, findings }: ModelContext): ModelConfig[] {
  const [only, ...others] = upstreams.values();
  if (!only || findings.touches('models', 'upstream')) return [];
  if (others.length > 0) {
    const message = 'expected models, because there are several upstreams';
    const hint = `Say for each model which: ${listed([...upstreams.keys()])}.`;
    findings.add(['upstreams'], { message, hint, at: 'key' });
    return [];
  }
  const { dialect = 'auto', history } = shape;
  if (only.kind === 'demo') return modelsOfDemo(only.name, dialect, dialects);
  checkPromptForm(dialect, only, '*', ['dialect'], dialects, findings);
  return [{ name: '*', aliases: [], upstream: only.name, bridge: { dialect, ...defined({ history }) } }];
}

function modelsOfDemo(upstream: string, dialect: string, dialects: Registry): ModelConfig[] {
  return demoModels(dialects).map((name) => {
    return { name, aliases: [], upstream, bridge: { dialect: demoDialect(name, dialects)?.name ?? dialect } };
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
  const upstream = upstreamOf(body, path, context);
  const dialect = body.dialect ?? shape.dialect ?? 'auto';
  checkDialects(body, path, dialects, findings);
  if (upstream)
    checkPromptForm(dialect, upstream, body.model ?? name, [...path, 'dialect'], dialects, findings);
  return {
    name,
    aliases: aliases.map(({ value }) => value),
    upstream: upstream?.name ?? '',
    ...(body.model !== undefined && { model: body.model }),
    bridge: bridgeOf(body, { dialect, history: shape.history }),
  };
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

function upstreamOf(
  { upstream: name }: ModelShape,
  path: Path,
  { upstreams, lost, findings }: ModelContext,
): UpstreamConfig | undefined {
  if (lost) return upstreams.get(name ?? '');
  const known = [...upstreams.keys()];
  if (name === undefined) {
    if (upstreams.size === 1) return [...upstreams.values()][0];
    const message = 'expected an upstream, because there are several';
    findings.add([...path, 'upstream'], { message, hint: `There are ${listed(known)}.` });
    return undefined;
  }
  const found = upstreams.get(name);
  if (found) return found;
  const at = [...path, 'upstream'];
  const meant = nearest(name, known);
  const hint = `${meant === undefined ? '' : `Did you mean ${meant}? `}There ${known.length === 1 ? 'is' : 'are'} ${listed(known)}.`;
  findings.add(at, { message: `no upstream is called ${findings.quote(at, name)}`, hint });
  return undefined;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 12).join(', ');
  return names.length > 12 ? `${shown} and ${names.length - 12} more` : shown;
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

/** `history` is that of models which name none. */
function bridgeOf(
  body: ModelShape,
  { dialect, history }: { dialect: string; history: ConfigShape['history'] },
): ModelConfig['bridge'] {
  const render = defined({ thinking: body.thinking, ...body.prompt });
  const watch = typeof body.watch === 'string' ? [body.watch] : body.watch;
  return {
    dialect,
    ...defined({ watch, reasks: body.reasks, delivery: body.delivery, echoes: body.echoes }),
    ...defined({ history: body.history ?? history }),
    ...defined({ inReasoning: body.inReasoning }),
    ...(Object.keys(render).length > 0 && { render }),
    ...(body.policies && { policies: defined(body.policies) }),
    ...(body.limits && { limits: defined(body.limits) }),
  };
}

function checkDialect(
  name: string | undefined,
  path: Path,
  registry: Registry,
  findings: Findings,
  auto = true,
): void {
  if (name === undefined || (auto && name === 'auto') || registry.has(name)) return;
  const { dialects } = registry;
  const names = [...(auto ? ['auto'] : []), ...dialects.map((dialect) => dialect.name)];
  const meant = nearest(name, [...names, ...dialects.flatMap(({ aliases }) => aliases)]);
  const hint = `${meant === undefined ? '' : `Did you mean ${meant}? `}There are ${names.join(', ')}.`;
  findings.add(path, { message: `no dialect is called ${findings.quote(path, name)}`, hint });
}

/**
 * Checks that an upstream that takes a prompt has a dialect that can write one. If the dialect depends on the model's
 * name and any name is allowed, this shows only with a request.
 */
function checkPromptForm(
  name: string,
  { kind }: UpstreamConfig,
  model: string,
  path: Path,
  registry: Registry,
  findings: Findings,
): void {
  const isOpen = name === 'auto' ? model === '*' : !registry.has(name);
  if (kind !== 'completion' || isOpen) return;
  const dialect = name === 'auto' ? dialectOfModel(model, registry) : registry.find(name);
  if (dialect?.render.prompt) return;
  const able = registry.dialects.filter(({ render }) => render.prompt).map((one) => one.name);
  const message = dialect
    ? `${dialect.name} has no prompt of its own, which an upstream of kind completion needs`
    : 'expected a dialect, because the name of the model tells none';
  findings.add(path, { message, hint: `There are ${able.join(', ')}.` });
}
