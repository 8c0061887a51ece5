// Writes the documents that are made from code: the pages of docs/dialects, the tables of dialects, those of clients
// and agents, and the checks of docs/verify.md.
//
//   npm run docs              writes them
//   npm run docs -- --check   exits with 1 and names those that differ

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { clientDocuments, withClientTables } from './clients.mjs';
import { dialectDocuments, withDialectTable } from './dialect-table.mjs';
import { dialectPages, leftOverPages, pagesFolder } from './dialects.mjs';
import { withChecks } from './verify-checks.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const core = await import(new URL('../../packages/core/dist/index.js', import.meta.url).href);
const verify = await import(new URL('../../packages/verify/dist/index.js', import.meta.url).href);
const pages = dialectPages(core);
const read = (path) => readFileSync(root + path, 'utf8');
const made = [
  ...[...pages].map(([name, text]) => [pagesFolder + name, text]),
  ...[...clientDocuments].map(([path, language]) => [root + path, withClientTables(read(path), language)]),
  ...[...dialectDocuments].map(([path, language]) => [
    root + path,
    withDialectTable(core, read(path), language),
  ]),
  [`${root}docs/verify.md`, withChecks(verify, read('docs/verify.md'))],
];
const stale = made.filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text);
const extra = leftOverPages(pages);
const checks = process.argv.includes('--check');
if (checks) for (const [path] of stale) console.error(`differs: ${path.slice(root.length)}`);
else {
  mkdirSync(pagesFolder, { recursive: true });
  for (const [path, text] of stale) writeFileSync(path, text);
}
for (const name of extra) console.error(`of no dialect, delete it: ${name}`);
if (checks && stale.length + extra.length > 0) process.exitCode = 1;
console.log(`${made.length} documents, ${stale.length} ${checks ? 'differ' : 'written'}`);
