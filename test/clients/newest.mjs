// Runs the cases of this folder with the newest clients of the registry, under a newer Node than the project asks
// for. The clients that the tests use are older: they must run on Node 20. Also frameworks that are no dependencies, and
// a configuration in TypeScript, which Node 20 cannot read.
//
//   npm run test:newest-clients
//
// Needs a registry. Works in a folder of its own, which is removed at the end (`--keep` leaves it there).

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE = '24';
const clients = [
  'openai',
  '@anthropic-ai/sdk',
  'ai',
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  '@ai-sdk/anthropic',
  'zod',
  '@openai/agents',
  '@langchain/core',
  '@langchain/openai',
  '@langchain/anthropic',
  '@mastra/core',
];

const configuration = `import { defineConfig, type GatewayConfig } from '@dragoman/gateway';

interface Team { name: string; key: string }
const teams: readonly Team[] = [{ name: 'a', key: 'a-key-for-team-a' }];

export default defineConfig({
  upstream: 'demo',
  keys: teams.map(({ name, key }: Team) => ({ name, key })),
  inspect: 3 satisfies GatewayConfig['inspect'],
});
`;

const project = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'newest-clients-'));
try {
  process.exitCode = main();
} finally {
  if (process.argv.includes('--keep')) console.log(`kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}

function main() {
  writeFileSync(
    join(folder, 'package.json'),
    '{ "name": "newest-clients", "private": true, "type": "module" }\n',
  );
  if (!run('npm', ['run', 'build'], project)) return fail('core does not build');
  for (const client of clients)
    if (!install(`${client}@latest`)) return fail(`${client} could not be installed`);
  const node = installNode();
  if (!node) return fail(`node@${NODE} could not be installed`);
  layOut();
  console.log(`Node ${versionOf(node)}`);
  for (const client of clients) console.log(`${client} ${packageOf(client).version}`);
  const report = join(folder, 'report.json');
  const vitest = join(project, 'node_modules/vitest/vitest.mjs');
  const options = ['run', '--root', folder, '--reporter=json', `--outputFile=${report}`];
  run(node, [vitest, ...options], folder);
  if (!existsSync(report)) return fail('the tests did not run');
  const typeScript = readsTypeScript(node);
  console.log(`a configuration in TypeScript: ${typeScript ? 'read' : 'NOT READ'}`);
  return tell(JSON.parse(readFileSync(report, 'utf8'))) || (typeScript ? 0 : 1);
}

/** As it is written, and not when it is wrong. */
function readsTypeScript(node) {
  symlinkSync(join(project, 'packages/gateway'), join(folder, 'node_modules/@dragoman/gateway'));
  writeFileSync(join(folder, 'dragoman.config.ts'), configuration);
  writeFileSync(join(folder, 'wrong.ts'), configuration.replace('inspect: 3', 'inspekt: 3'));
  const check = [join(project, 'packages/cli/dist/main.js'), 'serve', '--check'];
  return run(node, check, folder) && !run(node, [...check, '--config', 'wrong.ts'], folder);
}

/** The tests as they are, beside the newest clients; the library from its sources. */
function layOut() {
  for (const part of ['clients', 'scripted'])
    cpSync(join(project, 'test', part), join(folder, 'test', part), { recursive: true });
  // They name dialects and read the corpus by their paths.
  symlinkSync(join(project, 'packages'), join(folder, 'packages'));
  mkdirSync(join(folder, 'node_modules/@dragoman'), { recursive: true });
  symlinkSync(join(project, 'packages/core'), join(folder, 'node_modules/@dragoman/core'));
  symlinkSync(join(project, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  // One core for all of them: what the cases name dialects by, and what they test.
  const own = JSON.stringify(join(project, 'vitest.config.ts'));
  const config = `import own from ${own};
const test = { include: ['test/clients/*.test.ts', 'test/clients/*.newest.mjs'], testTimeout: 60_000 };
export default { resolve: own({ mode: 'test' }).resolve, test };
`;
  writeFileSync(join(folder, 'vitest.config.mjs'), config);
}

function install(name) {
  return run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', name], folder);
}

/** The package `node` fetches the binary of this machine's kind when it is installed. */
function installNode() {
  if (!install(`node@${NODE}`)) return undefined;
  const node = join(folder, 'node_modules/node/bin/node');
  return existsSync(node) && versionOf(node).startsWith(`v${NODE}.`) ? node : undefined;
}

function versionOf(node) {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? '';
}

function packageOf(name) {
  return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
}

function run(command, options, cwd) {
  return spawnSync(command, options, { cwd, stdio: 'inherit' }).status === 0;
}

function fail(reason) {
  console.error(`Nothing was tested: ${reason}.`);
  return 1;
}

/** What ran, file by file, and what did not do. */
function tell({ testResults, numPassedTests, numTotalTests }) {
  for (const { name, assertionResults, message } of testResults) {
    const passed = assertionResults.filter(({ status }) => status === 'passed').length;
    console.log(`${name.slice(name.lastIndexOf('/') + 1)}: ${passed} of ${assertionResults.length} pass`);
    if (assertionResults.length === 0) console.log(`  did not run: ${message}`);
    for (const { status, fullName, failureMessages } of assertionResults)
      if (status !== 'passed')
        console.log(`  ${status}: ${fullName}\n    ${failureMessages?.[0]?.split('\n')[0] ?? ''}`);
  }
  console.log(`${numPassedTests} of ${numTotalTests} pass`);
  return numPassedTests === numTotalTests && numTotalTests > 0 ? 0 : 1;
}
