// doctor: which model is called, and whether one of its upstreams is well.

import { detect } from '@dragoman/core';
import type { EngineName } from '@dragoman/core/bridge';
import type { GatewayConfig, ModelConfig } from '@dragoman/gateway';
import { preferredModel } from '../preferred-model.js';
import type { CheckedUpstream } from './check-upstreams.js';
import type { Finding } from './finding.js';

/** By the names of the upstreams. */
type Checked = ReadonlyMap<string, CheckedUpstream>;

export type ModelToCall =
  | { model: string; engine: EngineName | undefined }
  /** Why nothing is called. */
  | { skipped: Finding };

/** `named`: the model that was asked for. Else one whose upstream is well is preferred. */
export function modelToCall(config: GatewayConfig, checked: Checked, named: string | undefined): ModelToCall {
  const model = named ?? chosenModel(config, checked);
  if (model === undefined) return { skipped: noModel(checked) };
  const upstreams = upstreamsOf(config, model);
  const well = upstreams.find((name) => isWell(checked.get(name)));
  // The gateway itself says that it has no model of this name.
  if (well === undefined && upstreams.length > 0)
    return { skipped: skipped(`${model} is at ${inWords(upstreams)}`) };
  return { model, engine: checked.get(well ?? '')?.engine };
}

function chosenModel(config: GatewayConfig, checked: Checked): string | undefined {
  const all = config.models.flatMap((model) => {
    const names = model.name === '*' ? listedFor(model, checked) : [model.name];
    return names.map((name) => ({ name, dialect: dialectOf(model, name) }));
  });
  const well = all.filter(({ name }) => upstreamsOf(config, name).some((one) => isWell(checked.get(one))));
  return (preferredModel(well) ?? preferredModel(all))?.name;
}

function listedFor(model: ModelConfig, checked: Checked): string[] {
  return upstreamNames(model).flatMap((name) => checked.get(name)?.listed ?? []);
}

function dialectOf({ bridge, model }: ModelConfig, name: string): string | undefined {
  const { dialect = 'auto' } = bridge;
  if (dialect === 'auto') return detect({ model: model ?? name })?.dialect.name;
  return typeof dialect === 'string' ? dialect : dialect.name;
}

/** As the gateway routes: a name or an alias, else what takes any name. */
function upstreamsOf({ models }: GatewayConfig, asked: string): string[] {
  const model =
    models.find(({ name, aliases }) => name === asked || aliases.includes(asked)) ??
    models.find(({ name }) => name === '*');
  return model ? upstreamNames(model) : [];
}

function upstreamNames({ upstream, pool }: ModelConfig): string[] {
  return pool ? pool.endpoints.map((endpoint) => endpoint.upstream) : [upstream];
}

function isWell(upstream: CheckedUpstream | undefined): boolean {
  return upstream?.findings.every(({ status }) => status !== 'fail') ?? false;
}

function noModel(checked: Checked): Finding {
  const faulty = [...checked].filter(([, upstream]) => !isWell(upstream)).map(([name]) => name);
  if (faulty.length > 0) return skipped(`the models are those of ${inWords(faulty)}`);
  return { check: 'call', status: 'warn', text: 'no model to call', advice: 'Name one with --model.' };
}

function skipped(why: string): Finding {
  return {
    check: 'call',
    status: 'warn',
    text: `skipped, because ${why}, which cannot be used`,
    advice: 'Follow the advice for that upstream above, or name a model of another one with --model.',
  };
}

function inWords(upstreams: readonly string[]): string {
  return `the ${upstreams.length === 1 ? 'upstream' : 'upstreams'} ${upstreams.join(', ')}`;
}
