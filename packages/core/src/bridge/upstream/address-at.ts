/** Gives the address of a path behind the version; a query of the URL stays at the end. */
export function addressAt(url: string, path: string): string {
  const [address = '', ...query] = url.split('?');
  const root = address.endsWith('/') ? address.slice(0, -1) : address;
  return [root + path, ...query].join('?');
}
