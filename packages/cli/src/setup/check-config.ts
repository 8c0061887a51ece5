// doctor: the configuration is there and valid, and so are the variables it names.

import type { GatewayConfig } from '@dragoman/gateway';
import { configFromFlags, findConfig, formatProblems, loadConfig } from '@dragoman/gateway/config';
import { EXIT } from '../exit-codes.js';
import type { Finding } from './finding.js';

export async function checkConfig(
  named: string | undefined,
): Promise<{ config?: GatewayConfig; finding: Finding }> {
  const check = 'configuration';
  const path = named ?? (await findConfig());
  const result = path === undefined ? configFromFlags({}, process.env) : await loadConfig(path, {});
  if (!result.ok) {
    const text = `${path ?? 'the environment'} is invalid\n\n${formatProblems(result.problems)}`;
    return { finding: { check, status: 'fail', text, code: EXIT.input } };
  }
  const { config } = result;
  const count = config.models.length === 1 ? '1 model' : `${config.models.length} models`;
  if (path !== undefined)
    return { config, finding: { check, status: 'ok', text: `${path} is valid: ${count}` } };
  const isDemo = [...config.upstreams.values()].every(({ kind }) => kind === 'demo');
  const text = isDemo
    ? 'none is here, so the demo model is served'
    : 'none is here; the environment names the upstream';
  const advice = isDemo
    ? '`dragoman init` finds the model servers of this machine and writes one.'
    : undefined;
  return { config, finding: { check, status: isDemo ? 'warn' : 'ok', text, ...(advice && { advice }) } };
}
