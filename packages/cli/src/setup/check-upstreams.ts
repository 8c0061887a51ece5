// doctor: each upstream answers, takes the key, and has the models that the configuration names.

import { detectEngine, type EngineName, getJson } from '@dragoman/core/bridge';
import { wireOf } from '@dragoman/core/wire';
import type { GatewayConfig, UpstreamConfig } from '@dragoman/gateway';
import { EXIT } from '../exit-codes.js';
import { didYouMean } from '../nearest.js';
import type { Finding } from './finding.js';
import { modelNames } from './local-servers.js';

export interface CheckedUpstream {
  findings: Finding[];
  /** The models that it lists. */
  listed: string[];
  /** Where it is known. */
  engine?: EngineName;
}

/** By the names of the upstreams. */
export async function checkUpstreams(config: GatewayConfig): Promise<Map<string, CheckedUpstream>> {
  const checked = [...config.upstreams].map(
    async ([name, upstream]) =>
      [name, await checkUpstream(name, upstream, config)] as [string, CheckedUpstream],
  );
  return new Map(await Promise.all(checked));
}

async function checkUpstream(
  name: string,
  upstream: UpstreamConfig,
  config: GatewayConfig,
): Promise<CheckedUpstream> {
  const check = `upstream ${name}`;
  const { url, api, key, headers, gguf, kind } = upstream;
  if (gguf) return checkGguf(check, gguf.path);
  if (kind === 'tiny') return checkTiny(check);
  if (url === undefined)
    return { findings: [{ check, status: 'ok', text: 'the demo model, in this program' }], listed: ['demo'] };
  const address = { url, api: wireOf(api), ...(key !== undefined && { key }), headers: { ...headers } };
  const found = await getJson(address, '/models', 5000);
  const isBlocked = found === undefined && (await blocksPort(url));
  const fault = isBlocked ? blockedPort(url) : faultOf(found?.status, url, key);
  if (fault) return { findings: [{ check, ...fault }], listed: [] };
  const listed = modelNames(found?.value) ?? [];
  const root = { ...address, url: new URL(url).origin };
  const engine = await detectEngine(found?.value, async (path) => (await getJson(root, path))?.value);
  const text = `${url} answers${engine ? ` (${engine.name})` : ''}, with ${listed.length === 1 ? '1 model' : `${listed.length} models`}`;
  const findings: Finding[] = [{ check, status: 'ok', text }, ...missing(name, listed, config)];
  return { findings, listed, ...(engine && { engine: engine.name }) };
}

async function checkTiny(check: string): Promise<CheckedUpstream> {
  const { findTiny } = await import('@dragoman/gateway/tiny');
  if (findTiny() !== undefined)
    return { findings: [{ check, status: 'ok', text: 'the tiny model, in this program' }], listed: ['tiny'] };
  const finding: Finding = {
    check,
    status: 'fail',
    text: 'the tiny model is not installed',
    advice: 'npm install @dragoman/tiny',
    code: EXIT.input,
  };
  return { findings: [finding], listed: [] };
}

async function checkGguf(check: string, path: string): Promise<CheckedUpstream> {
  const { chooseDialect, ggufFiles } = await import('@dragoman/local');
  try {
    const { files } = ggufFiles(path);
    const findings = files.map((file): Finding => {
      const { dialect, reason } = chooseDialect(file);
      return { check, status: 'ok', text: `${file.name} speaks ${dialect.name}: ${reason}` };
    });
    return { findings, listed: files.map(({ name }) => name) };
  } catch (error) {
    const advice = 'Set `file` of the upstream to a GGUF file, or to a folder of them.';
    const text = (error as Error).message;
    return { findings: [{ check, status: 'fail', text, advice, code: EXIT.input }], listed: [] };
  }
}

/** The Fetch standard blocks ports of other protocols, such as 6000: no request leaves this machine. */
async function blocksPort(url: string): Promise<boolean> {
  try {
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(1000) });
    return false;
  } catch (error) {
    return ((error as Error).cause as Error | undefined)?.message === 'bad port';
  }
}

function blockedPort(url: string): Omit<Finding, 'check'> {
  return {
    status: 'fail',
    text: `${url} cannot be reached by fetch: the Fetch standard blocks its port (bad port)`,
    advice: 'Let the server listen on another port, such as 8000.',
    code: EXIT.upstream,
  };
}

function faultOf(
  status: number | undefined,
  url: string,
  key: string | undefined,
): Omit<Finding, 'check'> | undefined {
  if (status === undefined)
    return {
      status: 'fail',
      text: `${url} does not answer`,
      advice:
        'Start its server, and check the address: it ends in the version, as in http://localhost:11434/v1.',
      code: EXIT.upstream,
    };
  if (status === 401 || status === 403)
    return {
      status: 'fail',
      text: `${url} refuses ${key === undefined ? 'requests without a key' : 'the key'} (${status})`,
      advice: 'Set `key` of the upstream; docs/gateway.md shows how to take it from the environment.',
      code: EXIT.upstream,
    };
  if (status < 400) return undefined;
  return {
    status: 'warn',
    text: `${url} lists no models (${status})`,
    advice: 'Some servers have no list. If calls fail, too, check that the address ends in the version.',
  };
}

/** Models of the configuration that the upstream does not list. */
function missing(upstream: string, listed: readonly string[], { models }: GatewayConfig): Finding[] {
  if (listed.length === 0) return [];
  const own = models.filter((model) => model.upstream === upstream && model.name !== '*' && !model.pool);
  return own
    .map(({ name, model = name }) => model)
    .filter((model) => !listed.includes(model))
    .map(
      (model): Finding => ({
        check: `model ${model}`,
        status: 'warn',
        text: `${upstream} does not list it${didYouMean(model, listed)}`,
        advice: `It has ${listed.slice(0, 8).join(', ')}${listed.length > 8 ? ' …' : ''}.`,
      }),
    );
}
