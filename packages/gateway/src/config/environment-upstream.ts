// The variables that clients of OpenAI and Anthropic read, and what they mean to a gateway: its upstream, where
// nothing else is said. A key from the environment goes only to the address it belongs to.

import type { Environment } from './environment.js';
import type { Findings } from './findings.js';
import { upstreamKeyFault } from './key-faults.js';
import { isOwnAddress } from './own-address.js';
import type { UpstreamShape } from './shape.js';

const OPENAI = 'https://api.openai.com/v1';
const ANTHROPIC = 'https://api.anthropic.com';

export interface EnvironmentUpstream {
  variable: string;
  name: string;
  body: UpstreamShape;
}

/** Undefined if no address is set: a key alone could not be told from one that is meant for other programs. */
export function environmentUpstream(
  env: Environment,
  own: { host: string; port: number },
  findings: Findings,
): EnvironmentUpstream | undefined {
  const found: EnvironmentUpstream[] = [];
  for (const { variable, build } of [
    { variable: 'OPENAI_BASE_URL', build: openai },
    { variable: 'ANTHROPIC_BASE_URL', build: anthropic },
  ]) {
    const url = setting(env, variable);
    if (url === undefined) continue;
    if (isOwnAddress(url, own))
      findings.notes.push(`${variable} is this gateway's own address, and is not used.`);
    else found.push({ variable, ...build(url) });
  }
  const [first, ...others] = found;
  for (const { variable } of others)
    findings.notes.push(`${variable} is not used: ${first?.variable} is set.`);
  return first;
}

/** The key for an upstream that was named without one, if the environment holds one for that address. */
export function environmentKey(body: UpstreamShape, env: Environment, findings: Findings): UpstreamShape {
  const { url, key, headers, passKey } = body;
  if (url === undefined || key !== undefined || headers !== undefined || passKey) return body;
  const secret = (name: string) => checkedSecret(env, name, findings);
  if (isSameOrigin(url, setting(env, 'OPENAI_BASE_URL') ?? OPENAI)) return { ...body, ...openaiKey(secret) };
  if (isSameOrigin(url, setting(env, 'ANTHROPIC_BASE_URL') ?? ANTHROPIC))
    return { ...body, ...anthropicKeys(secret) };
  return body;
}

function openai(url: string) {
  return { name: 'openai', body: { url } };
}

/** Anthropic's clients add the version themselves. */
function anthropic(url: string) {
  const root = url.endsWith('/') ? url.slice(0, -1) : url;
  const versioned = root.endsWith('/v1') ? root : `${root}/v1`;
  return { name: 'anthropic', body: { url: versioned, api: 'anthropic-messages' as const } };
}

type Secret = (name: string) => string | undefined;

function openaiKey(secret: Secret): Pick<UpstreamShape, 'key'> {
  const key = secret('OPENAI_API_KEY');
  return key === undefined ? {} : { key };
}

/** As the clients do: the key in its own header, the token as a bearer. */
function anthropicKeys(secret: Secret): Pick<UpstreamShape, 'key' | 'headers'> {
  const key = secret('ANTHROPIC_API_KEY');
  const token = secret('ANTHROPIC_AUTH_TOKEN');
  return {
    ...(key !== undefined && { key }),
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  };
}

function checkedSecret(env: Environment, name: string, findings: Findings): string | undefined {
  const value = setting(env, name);
  const fault = value === undefined ? undefined : upstreamKeyFault(value);
  if (fault) {
    findings.source.elsewhere.set(name, { file: 'environment', path: name });
    findings.add([name], fault);
  }
  return value;
}

function isSameOrigin(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin;
}

/** Empty is unset. */
function setting(env: Environment, name: string): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name]?.trim() : undefined;
  return value === '' ? undefined : value;
}
