// publint over every package that is published.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const packages = fileURLToPath(new URL('../packages/', import.meta.url));

for (const name of readdirSync(packages)) {
  const manifest = JSON.parse(readFileSync(`${packages}${name}/package.json`, 'utf8'));
  if (manifest.private) continue;
  const { messages } = await publint({ pkgDir: packages + name, strict: true });
  for (const message of messages)
    console.log(`${manifest.name}: ${message.type}: ${formatMessage(message, manifest)}`);
  if (messages.some(({ type }) => type === 'error')) process.exitCode = 1;
}
