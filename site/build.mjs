// Writes the documentation as a static site to site/dist: `npm run site`. Open site/dist/index.html.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeSite } from './site.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = join(root, 'site/dist');
rmSync(folder, { recursive: true, force: true });
const site = makeSite(root);
for (const [path, content] of site) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
console.log(`${site.size} files in site/dist; open site/dist/index.html`);
