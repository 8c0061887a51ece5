// publint over every package that is published.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../packages/', import.meta.url));
const publint = fileURLToPath(new URL('../node_modules/publint/src/cli.js', import.meta.url));

for (const name of readdirSync(packages)) {
  if (JSON.parse(readFileSync(`${packages}${name}/package.json`, 'utf8')).private) continue;
  execFileSync(process.execPath, [publint, 'run', packages + name, '--strict'], { stdio: 'inherit' });
}
