// Pages of other origins: none may ask, unless it is listed. The browser of whoever looks at a page would else send
// its requests to loopback, and some of them without asking first. Cookies are never wanted, so credentials are never
// allowed.

export interface CrossOrigin {
  /** The answer for a page that may not ask, or that asks whether it may. Undefined: go on. */
  refuse(request: Request): Response | undefined;
  /** Lets a page that may ask read the answer. */
  show(request: Request, response: Response): Response;
}

const readable = 'retry-after, x-dragoman, x-request-id, x-should-retry';
const methods = 'DELETE, GET, POST';

export function createCrossOrigin(listed: readonly string[]): CrossOrigin {
  const known = new Set(listed.map((origin) => origin.toLowerCase()));
  const mayAsk = (origin: string) => known.has(origin.toLowerCase());
  return {
    refuse(request) {
      const origin = request.headers.get('origin');
      if (origin === null || isOwn(origin, request)) return undefined;
      if (!mayAsk(origin)) return refusal();
      return isPreflight(request) ? preflight(origin, request) : undefined;
    },
    show(request, response) {
      if (known.size === 0) return response;
      response.headers.append('vary', 'origin');
      const origin = request.headers.get('origin');
      if (origin === null || !mayAsk(origin)) return response;
      response.headers.set('access-control-allow-origin', origin);
      response.headers.set('access-control-expose-headers', readable);
      return response;
    },
  };
}

/** A page that this gateway served. The host was checked before. */
function isOwn(origin: string, request: Request): boolean {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  return origin === `http://${host}` || origin === `https://${host}`;
}

function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('access-control-request-method');
}

function preflight(origin: string, request: Request): Response {
  const asked = request.headers.get('access-control-request-headers');
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': methods,
      // Clients send many headers of their own; what they say is theirs to choose.
      ...(asked !== null && { 'access-control-allow-headers': asked }),
      'access-control-max-age': '600',
      vary: 'origin, access-control-request-headers',
    },
  });
}

function refusal(): Response {
  return new Response('Pages of this origin may not ask: add it to `origins` in the configuration.\n', {
    status: 403,
  });
}
