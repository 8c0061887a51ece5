// Reads the variables of the vendors' own clients (OPENAI_BASE_URL, ANTHROPIC_API_KEY …) for the upstream, if none is
// configured. A key from the environment is only sent to the address it belongs to.

import { type WireVendor, wires } from '@dragoman/core/wire';
import type { Environment } from './environment.js';
import type { Findings } from './findings.js';
import { upstreamKeyFault } from './key-faults.js';
import { isOwnAddress } from './own-address.js';
import type { UpstreamShape } from './shape.js';

const vendors = wires.flatMap(({ name: api, vendor }) => (vendor ? [{ api, vendor }] : []));

export interface EnvironmentUpstream {
  variable: string;
  name: string;
  body: UpstreamShape;
}

/** Gives the upstream; undefined if no address is set: a key alone may be meant for other programs. */
export function environmentUpstream(
  env: Environment,
  own: { host: string; port: number },
  findings: Findings,
): EnvironmentUpstream | undefined {
  const found: EnvironmentUpstream[] = [];
  for (const { api, vendor } of vendors) {
    const variable = vendor.variables.url;
    const url = setting(env, variable);
    if (url === undefined) continue;
    if (isOwnAddress(url, own))
      findings.notes.push(`${variable} is this gateway's own address, and is not used.`);
    else found.push({ variable, name: vendor.name, body: { url: versioned(url, vendor), api } });
  }
  const [first, ...others] = found;
  for (const { variable } of others)
    findings.notes.push(`${variable} is not used: ${first?.variable} is set.`);
  return first;
}

/** Adds a key from the environment to an upstream without one, if the environment has one for its address. */
export function environmentKey(body: UpstreamShape, env: Environment, findings: Findings): UpstreamShape {
  const { url, key, headers, passKey } = body;
  if (url === undefined || key !== undefined || headers !== undefined || passKey) return body;
  const owner = vendors.find(({ vendor }) =>
    isSameOrigin(url, setting(env, vendor.variables.url) ?? vendor.url),
  );
  return owner ? { ...body, ...keysOf(owner.vendor, (name) => checkedSecret(env, name, findings)) } : body;
}

function versioned(url: string, { addsVersion }: WireVendor): string {
  if (!addsVersion) return url;
  const root = url.endsWith('/') ? url.slice(0, -1) : url;
  return root.endsWith('/v1') ? root : `${root}/v1`;
}

/** Gives the keys as the vendor's clients send them: a key in the API's header, a token as a bearer. */
function keysOf(
  { variables }: WireVendor,
  secret: (name: string) => string | undefined,
): Pick<UpstreamShape, 'key' | 'headers'> {
  const key = secret(variables.key);
  const token = variables.token === undefined ? undefined : secret(variables.token);
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

/** Gives a variable; an empty one counts as unset. */
function setting(env: Environment, name: string): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name]?.trim() : undefined;
  return value === '' ? undefined : value;
}
