import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { all, defineDialect, dialects, parse, type Registry } from '@dragoman/core';
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

/** The dialects that a configuration found right can name. */
function registryOf(result: LoadResult | undefined): Registry {
  if (!result?.ok) throw new Error('the configuration was refused');
  return result.config.dialects ?? all;
}

const readIn = (result: LoadResult | undefined, name: string, mark: string) =>
  parse(registryOf(result).find(name), callIn(mark)).calls.length;

describe('a configuration with dialects of its own', () => {
  it('knows them by name, from a file beside it', async () => {
    write('reef.yaml', dialect('config-reef', 'reef'));
    write(
      'dragoman.config.yaml',
      'upstream: http://localhost:1/v1\ndialects: reef.yaml\ndialect: config-reef',
    );
    const result = await load();
    expect(result).toMatchObject({
      ok: true,
      config: { models: [{ bridge: { dialect: 'config-reef' } }] },
    });
    expect(readIn(result, 'Config_Reef', 'reef')).toBe(1);
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
    expect(names).toEqual(['demo', ...dialects.map(({ name }) => `demo/${name}`), 'demo/config-shoal']);
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

  it('brings them to itself alone: another knows nothing of them', async () => {
    write('reef.yaml', dialect('config-reef', 'reef'));
    write('dragoman.config.yaml', 'dialects: reef.yaml\n');
    expect(registryOf(await load()).has('config-reef')).toBe(true);
    expect(all.has('config-reef')).toBe(false);
    write('dragoman.config.yaml', 'upstream: http://localhost:1/v1\ndialect: config-reef\n');
    expect(await load()).toMatchObject({ ok: false, problems: [{ path: 'dialect' }] });
  });

  it('can name those that the program gives, and is refused one whose name is taken', async () => {
    const calls = { family: 'json', open: '<g>', close: '</g>', shape: 'object' };
    const gull = defineDialect({
      name: 'gull',
      aliases: ['tern'],
      about: 'A gull.',
      calls: { ...calls, keys: { name: 'name', arguments: 'arguments' } },
    });
    write('dragoman.config.yaml', 'upstream: http://localhost:1/v1\ndialect: tern\n');
    expect(await loadConfig(folder, { env: {}, dialects: all.with(gull) })).toMatchObject({ ok: true });
    write('tern.yaml', dialect('tern', 't'));
    write('dragoman.config.yaml', 'dialects: tern.yaml\n');
    expect(await loadConfig(folder, { env: {}, dialects: all.with(gull) })).toMatchObject({
      ok: false,
      problems: [
        { path: 'dialects', message: expect.stringMatching(/tern\.yaml: .*gull has this name, too/) },
      ],
    });
  });

  it('says which files it named, right or wrong', async () => {
    write('good.yaml', dialect('config-good', 'good'));
    write('dragoman.config.yaml', 'dialects: [good.yaml, sub/none.yaml]\n');
    expect((await load()).dialectFiles).toEqual([
      join(folder, 'good.yaml'),
      join(folder, 'sub', 'none.yaml'),
    ]);
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
    expect(readIn(told[0], 'config-tide', 'ebb')).toBe(0);
    expect(readIn(told[0], 'config-tide', 'flow')).toBe(1);
  });

  it('is read again when the file of a dialect has changed, in its folder or another, and by itself', async () => {
    mkdirSync(join(folder, 'models'));
    write('models/swell.yaml', dialect('config-swell', 'low'));
    const path = write('dragoman.config.yaml', 'dialects: models/swell.yaml\n');
    const { dialectFiles } = await load();
    const told: LoadResult[] = [];
    let heard: (() => void) | undefined;
    const watch = watchConfig(
      path,
      (result) => {
        told.push(result);
        heard?.();
      },
      { env: {}, debounce: 5, poll: 20, dialectFiles },
    );
    await watch.check();
    expect(told).toEqual([]);
    const changed = new Promise<void>((resolve) => {
      heard = resolve;
    });
    write('models/swell.yaml', dialect('config-swell', 'high'));
    await changed;
    expect(readIn(told.at(-1), 'config-swell', 'high')).toBe(1);

    // A file that was not named before is watched from then on; one that is wrong changes nothing.
    write('dragoman.config.yaml', 'dialects: [models/swell.yaml, surf.yaml]\n');
    await watch.check();
    expect(told.at(-1)).toMatchObject({ ok: false });
    write('surf.yaml', dialect('config-surf', 'surf'));
    await watch.check();
    watch.close();
    expect(told.at(-1)).toMatchObject({ ok: true });
    expect(readIn(told.at(-1), 'config-surf', 'surf')).toBe(1);
  });
});
