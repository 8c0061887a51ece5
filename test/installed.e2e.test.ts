// The packages as `npm pack` makes them, in an empty project outside of the clone: the command, the library in ESM and from
// CommonJS, and the types under `strict` with `skipLibCheck: false`.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFull } from './effort.js';
import { published } from './packages.js';
import { root } from './sources.js';
import { installTarballs } from './tarballs.js';

const project = mkdtempSync(join(tmpdir(), 'dragoman-installed-'));
const modules = join(project, 'node_modules');
afterAll(() => rmSync(project, { recursive: true }));

beforeAll(() => installTarballs(project));

function run(args: readonly string[], input = '') {
  const env = { ...process.env, HOME: project, OPENAI_BASE_URL: undefined, ANTHROPIC_BASE_URL: undefined };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    input,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const put = (name: string, text: string) => {
  writeFileSync(join(project, name), text);
  return name;
};

/** What a program can import, of all packages. */
const entries = published.flatMap(({ manifest }) =>
  Object.entries(manifest.exports ?? {}).flatMap(([path, target]) =>
    typeof target === 'string' ? [] : [manifest.name + path.slice(1)],
  ),
);

const call = '<tool_call>\\n{"name": "add", "arguments": {"a": 1,}}\\n</tool_call>';

describe('the packages in an empty project', () => {
  it('the command runs: parse, dialects, convert, and the check of a configuration', () => {
    const bin = join(modules, 'dragoman/bin/dragoman.js');
    const text = call.replaceAll('\\n', '\n');
    expect(run([bin, 'parse', '-d', 'hermes', '--json'], text).stdout).toContain('"name": "add"');
    expect(run([bin, '--version']).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    put('rows.jsonl', '{"messages":[{"role":"user","content":"Hi"}]}\n');
    const converted = run([bin, 'convert', 'rows.jsonl', '--from', 'openai', '--to', 'sharegpt']);
    expect(converted.stdout).toContain('"conversations"');
    expect(run([bin, 'serve', '--demo', '--check'])).toMatchObject({ status: 0 });
  });

  it('has nothing of the clone in it', () => {
    for (const { manifest } of published) {
      const { dependencies = {} } = JSON.parse(
        readFileSync(join(modules, manifest.name, 'package.json'), 'utf8'),
      );
      expect(
        Object.values(dependencies).filter((range) => /^(file|workspace|link):/.test(String(range))),
      ).toEqual([]);
    }
  });

  it('the library is imported in ESM', () => {
    const file = put(
      'esm.mjs',
      `import { parse } from '@dragoman/core';
import { dragoman } from '@dragoman/core/fetch';
import { verifyEndpoint } from '@dragoman/verify';
import { createConvertLine } from '@dragoman/convert';
import { parseConfig } from '@dragoman/gateway/config';
console.log(parse('hermes', '${call}').calls[0].name, typeof dragoman, typeof verifyEndpoint, typeof createConvertLine, typeof parseConfig);`,
    );
    expect(run([file])).toMatchObject({ status: 0, stdout: 'add function function function function\n' });
  });

  it('every entry of every package is imported', () => {
    const file = put('all.mjs', entries.map((entry) => `import '${entry}';`).join('\n'));
    expect(run([file])).toMatchObject({ status: 0, stderr: '' });
  });

  it('the library is used from CommonJS', () => {
    const file = put(
      'common.cjs',
      `import('@dragoman/core').then(({ parse }) => console.log(parse('hermes', '${call}').calls[0].name));
if (process.features.require_module) console.log(require('@dragoman/core').parse('hermes', '${call}').calls[0].name);`,
    );
    const { status, stdout } = run([file]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^(add\n){1,2}$/);
  });

  // The compiler of the build; in the full measure the one before it, too, which takes four times as long.
  it.each(['typescript', ...(isFull ? ['typescript-6'] : [])])(
    'the types hold under strict, every declaration checked by %s',
    (compiler) => {
      put(
        'use.mts',
        `import { createParser, parse, type ParseEvent } from '@dragoman/core';
import { createResponder } from '@dragoman/core/bridge';
import { dragoman } from '@dragoman/core/fetch';
import { createConvertLine } from '@dragoman/convert';
import { defineConfig } from '@dragoman/gateway';
import { verifyEndpoint } from '@dragoman/verify';

const events: ParseEvent[] = createParser('hermes').feed('x');
const text: string = parse('hermes', 'x').text;
// @ts-expect-error A text is no number.
const wrong: number = parse('hermes', 'x').text;
const config = defineConfig({ upstream: 'http://localhost:11434/v1' });
export { config, createConvertLine, createResponder, dragoman, events, text, verifyEndpoint, wrong };
${entries.map((entry, at) => `export * as entry${at} from '${entry}';`).join('\n')}
`,
      );
      const options = {
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        module: 'nodenext',
        target: 'es2023',
        lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
        types: ['node'],
        noEmit: true,
      };
      put('tsconfig.json', JSON.stringify({ compilerOptions: options, files: ['use.mts'] }));
      const { status, stdout } = run([join(root, 'node_modules', compiler, 'bin/tsc'), '-p', '.']);
      expect(stdout).toBe('');
      expect(status).toBe(0);
    },
  );
});
