import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from '@dragoman/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LoadResult, loadConfig } from './load-config.js';
import { parseConfig } from './parse-config.js';
import { watchConfig } from './watch-config.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-dialects-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function dialect(name: string, mark: string): string {
  const keys = 'keys: { name: name, arguments: arguments }';
  const calls = `calls: { family: json, shape: object, ${keys}, open: <${mark}>, close: </${mark}> }`;
  return `name: ${name}\nabout: A JSON object in a mark.\n${calls}\n`;
}

const callIn = (mark: string) => `<${mark}>{"name": "f", "arguments": {}}</${mark}>`;
const load = () => loadConfig(folder, { env: {} });

describe('a configuration with dialects of its own', () => {
  it('knows them by name, from a file beside it', async () => {
    write('reef.yaml', dialect('config-reef', 'reef'));
    write(
      'dragoman.config.yaml',
      'upstream: http://localhost:1/v1\ndialects: reef.yaml\ndialect: config-reef',
    );
    expect(await load()).toMatchObject({
      ok: true,
      config: { models: [{ bridge: { dialect: 'config-reef' } }] },
    });
  });

  it('takes several, also in a program, and the demo plays them', async () => {
    write('a.yaml', dialect('config-shoal', 'shoal'));
    write('b.yaml', dialect('config-spit', 'spit'));
    write(
      'dragoman.config.mjs',
      "export default { dialects: ['a.yaml', './b.yaml'], models: ['demo/config-spit'] };",
    );
    expect(await load()).toMatchObject({ ok: true });
    write('dragoman.config.mjs', "export default { dialects: ['a.yaml'] };");
    const result = await load();
    const names = result.ok ? result.config.models.map(({ name }) => name) : [];
    expect(names).toEqual(
      expect.arrayContaining(['demo', 'demo/hermes', 'demo/config-shoal', 'demo/config-spit']),
    );
  });

  it('is refused with the line of the file that is missing or wrong', async () => {
    write('good.yaml', dialect('config-good', 'good'));
    write('bad.yaml', dialect('config-bad', 'bad').replace('family: json', 'family: jsn'));
    write('dragoman.config.yaml', 'port: 1\ndialects:\n  - good.yaml\n  - none.yaml\n  - bad.yaml\n');
    const result = await load();
    expect(result).toMatchObject({
      ok: false,
      problems: [
        { line: 4, path: 'dialects[1]', message: expect.stringMatching(/none\.yaml: there is no such file/) },
        { line: 5, path: 'dialects[2]', message: expect.stringMatching(/bad\.yaml: calls\.family/) },
      ],
    });
  });

  it('is told what it may name, its own too', async () => {
    write('reef.yaml', dialect('config-reef', 'reef'));
    write(
      'dragoman.config.yaml',
      'upstream: http://localhost:1/v1\ndialects: reef.yaml\ndialect: config-reaf',
    );
    const hint = expect.stringContaining('Did you mean config-reef?');
    expect(await load()).toMatchObject({ ok: false, problems: [{ line: 3, path: 'dialect', hint }] });
  });

  it('cannot bring files where there is no disk', () => {
    const result = parseConfig('dialects: reef.yaml');
    const message = 'files cannot be read here';
    expect(result).toMatchObject({ ok: false, problems: [{ line: 1, path: 'dialects', message }] });
  });

  it('reads them again when it has changed', async () => {
    write('tide.yaml', dialect('config-tide', 'ebb'));
    const path = write('dragoman.config.yaml', 'dialects: tide.yaml\n');
    expect(await load()).toMatchObject({ ok: true });
    const told: LoadResult[] = [];
    const watch = watchConfig(path, (result) => told.push(result), { env: {}, debounce: 5, poll: 0 });
    await watch.check();
    write('tide.yaml', dialect('config-tide', 'flow'));
    write('dragoman.config.yaml', 'dialects: [tide.yaml] # again\n');
    await watch.check();
    watch.close();
    expect(told).toMatchObject([{ ok: true }]);
    expect(parse('config-tide', callIn('ebb')).calls).toEqual([]);
    expect(parse('config-tide', callIn('flow')).calls).toHaveLength(1);
  });
});
