// The variables that clients of OpenAI and Anthropic read, and what they mean to a gateway: its upstream, where
// nothing else is said. A key from the environment goes only to the address it belongs to.

import type { Environment } from './environment.js';
import type { Findings } from './findings.js';
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
    else found.push({ variable, ...build(url, env) });
  }
  const [first, ...others] = found;
  for (const { variable } of others)
    findings.notes.push(`${variable} is not used: ${first?.variable} is set.`);
  return first;
}

/** The key for an upstream that was named without one, if the environment holds one for that address. */
export function environmentKey(body: UpstreamShape, env: Environment): UpstreamShape {
  const { url, key, headers, passKey } = body;
  if (url === undefined || key !== undefined || headers !== undefined || passKey) return body;
  if (isSameOrigin(url, setting(env, 'OPENAI_BASE_URL') ?? OPENAI)) return { ...body, ...openaiKey(env) };
  if (isSameOrigin(url, setting(env, 'ANTHROPIC_BASE_URL') ?? ANTHROPIC))
    return { ...body, ...anthropicKeys(env) };
  return body;
}

function openai(url: string, env: Environment) {
  return { name: 'openai', body: { url, ...openaiKey(env) } };
}

/** Anthropic's clients add the version themselves. */
function anthropic(url: string, env: Environment) {
  const root = url.endsWith('/') ? url.slice(0, -1) : url;
  const versioned = root.endsWith('/v1') ? root : `${root}/v1`;
  return {
    name: 'anthropic',
    body: { url: versioned, api: 'anthropic-messages' as const, ...anthropicKeys(env) },
  };
}

function openaiKey(env: Environment): Pick<UpstreamShape, 'key'> {
  const key = setting(env, 'OPENAI_API_KEY');
  return key === undefined ? {} : { key };
}

/** As the clients do: the key in its own header, the token as a bearer. */
function anthropicKeys(env: Environment): Pick<UpstreamShape, 'key' | 'headers'> {
  const key = setting(env, 'ANTHROPIC_API_KEY');
  const token = setting(env, 'ANTHROPIC_AUTH_TOKEN');
  return {
    ...(key !== undefined && { key }),
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  };
}

function isSameOrigin(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin;
}

/** Empty is unset. */
function setting(env: Environment, name: string): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name]?.trim() : undefined;
  return value === '' ? undefined : value;
}
