/** Every file of the site, by its path. */
export function makeSite(root: string): Map<string, string | Buffer>;
