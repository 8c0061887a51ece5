// A page on the web can make a browser ask any address, and a name on the web can be made to mean loopback. What
// gives it away is the Host it names.

const loopback = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

function isLoopback(host: string): boolean {
  return loopback.has(host) || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host) || host.endsWith('.localhost');
}

/** Whether a request may name this host. Bound to the open, any name may lead here, unless names are listed. */
export function createHostCheck(bound: string, listed: readonly string[]): (host: string | null) => boolean {
  const known = new Set([bound, ...listed].map((name) => name.toLowerCase()));
  const anyName = !isLoopback(bound) && listed.length === 0;
  return (host) => {
    if (anyName) return true;
    const name = hostName(host);
    return name !== undefined && (isLoopback(name) || known.has(name));
  };
}

/** Without the port. */
function hostName(host: string | null): string | undefined {
  if (!host) return undefined;
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':');
  return (end > 0 ? host.slice(0, end) : host).toLowerCase();
}
