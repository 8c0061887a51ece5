// What the first answer of an endpoint says about all others.

import { type Endpoint, type Exchange, shownUrl } from './endpoint.js';

/** Why all other requests would fail as the first did; '': they may not. */
export function reachProblem(
  exchange: Exchange,
  failure: string,
  { url, wire: { path } }: Endpoint,
  temperature: number | null = 0,
): string {
  const { status, error, location, type } = exchange;
  if (status === 0) return `cannot be reached: ${error?.message ?? 'no answer came.'}`;
  if (status >= 300 && status < 400)
    return `redirects to ${shownUrl(location ?? 'another address')} (HTTP ${status}): give that address.`;
  const isBare = new URL(url).pathname === '/';
  if (status === 404 && isBare)
    return `has nothing there. Its address mostly ends in the version: ${shownUrl(url)}/v1. ${failure}`;
  const before = beforePath(url, path);
  if ((status === 404 || status === 405) && before !== undefined)
    return `has nothing there. Its address ends before the path of the API: ${before}. ${failure}`;
  if ([401, 403, 404].includes(status)) return `refuses the request. ${failure}`;
  if ((status === 400 || status === 422) && temperature !== null && /temperature/i.test(failure))
    return `refuses the temperature ${temperature}: send none (--temperature default). ${failure}`;
  return type.includes('text/html')
    ? 'answers with a web page: the address must end before the path of the API.'
    : '';
}

/** The address without the path of the API, where it has it. */
function beforePath(url: string, path: string): string | undefined {
  const shown = shownUrl(url);
  return shown.endsWith(path) ? shown.slice(0, -path.length) : undefined;
}

/** What to say of an endpoint that answers one request like the other. */
export function refusal(status: number, failure: string): string {
  return `${status < 500 ? 'refuses' : 'fails on'} every request. ${failure}`;
}
