// The page as `npm run build` has left it.

import { existsSync } from 'node:fs';

export const built = new URL('../../packages/gateway/page/', import.meta.url);

export function expectBuilt(): void {
  if (!existsSync(new URL('index.html', built)))
    throw new Error('The page is not built. Run `npm run build` first, then this test.');
}
