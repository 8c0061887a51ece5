import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDialect, knownDialects, parse, UsageError } from '@dragoman/core';
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

  it('leaves nothing behind where it is refused, neither new dialects nor changed ones', async () => {
    write('kept.yaml', dialect('config-kept', 'before'));
    write('dragoman.config.yaml', 'upstream: http://localhost:1/v1\ndialects: kept.yaml\n');
    expect(await load()).toMatchObject({ ok: true });
    const known = knownDialects();
    write('kept.yaml', dialect('config-kept', 'after'));
    write('new.yaml', `${dialect('config-new', 'new')}aliases: [config-newest]\n`);
    for (const wrong of ['port: high', 'dialects: [kept.yaml, new.yaml, none.yaml]', 'dialect: config-nwe']) {
      const start = wrong.startsWith('dialects') ? '' : 'dialects: [kept.yaml, new.yaml]\n';
      write('dragoman.config.yaml', `upstream: http://localhost:1/v1\n${start}${wrong}\n`);
      expect(await load(), wrong).toMatchObject({ ok: false });
      expect(knownDialects()).toEqual(known);
      for (const name of ['config-new', 'config-newest'])
        expect(() => findDialect(name), wrong).toThrow(UsageError);
      expect(parse('config-kept', callIn('before')).calls).toHaveLength(1);
      expect(parse('config-kept', callIn('after')).calls).toEqual([]);
    }
  });

  it('says which files it named, right or wrong', async () => {
    write('good.yaml', dialect('config-good', 'good'));
    write('dragoman.config.yaml', 'dialects: [good.yaml, sub/none.yaml]\n');
    expect((await load()).dialects).toEqual([join(folder, 'good.yaml'), join(folder, 'sub', 'none.yaml')]);
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

  it('is read again when the file of a dialect has changed, in its folder or another, and by itself', async () => {
    mkdirSync(join(folder, 'models'));
    write('models/swell.yaml', dialect('config-swell', 'low'));
    const path = write('dragoman.config.yaml', 'dialects: models/swell.yaml\n');
    const { dialects } = await load();
    const told: LoadResult[] = [];
    let heard: (() => void) | undefined;
    const watch = watchConfig(
      path,
      (result) => {
        told.push(result);
        heard?.();
      },
      { env: {}, debounce: 5, poll: 20, dialects },
    );
    await watch.check();
    expect(told).toEqual([]);
    const changed = new Promise<void>((resolve) => {
      heard = resolve;
    });
    write('models/swell.yaml', dialect('config-swell', 'high'));
    await changed;
    expect(parse('config-swell', callIn('high')).calls).toHaveLength(1);

    // A file that was not named before is watched from then on; one that is wrong changes nothing.
    write('dragoman.config.yaml', 'dialects: [models/swell.yaml, surf.yaml]\n');
    await watch.check();
    expect(told.at(-1)).toMatchObject({ ok: false });
    write('surf.yaml', dialect('config-surf', 'surf'));
    await watch.check();
    watch.close();
    expect(told.at(-1)).toMatchObject({ ok: true });
    expect(parse('config-surf', callIn('surf')).calls).toHaveLength(1);
  });
});
