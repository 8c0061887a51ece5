import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { all, parse, UsageError } from '@dragoman/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isDialectFile, loadDialectFile } from './dialect-file.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-dialect-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const KEYS = { name: 'name', arguments: 'arguments' };

const declaration = (name: string, mark: string) => ({
  name,
  about: 'A JSON object in a mark.',
  calls: { family: 'json', shape: 'object', keys: KEYS, open: `<${mark}>`, close: `</${mark}>` },
});

const callIn = (mark: string) => `<${mark}>{"name": "f", "arguments": {"a": 1}}</${mark}>`;

describe('what stands for a dialect', () => {
  it.each(['beacon.yaml', 'beacon.YML', 'beacon.json', './beacon', 'a/b', 'a\\b'])(
    'is a file: %s',
    (name) => {
      expect(isDialectFile(name)).toBe(true);
    },
  );

  it.each(['hermes', 'glm-4.5', 'deepseek_v3.1', 'auto'])('is a name: %s', (name) => {
    expect(isDialectFile(name)).toBe(false);
  });
});

describe('a dialect from a file', () => {
  it('has the name it states, and reads calls', () => {
    const path = write('any.json', JSON.stringify(declaration('file-beacon', 'beacon')));
    const dialect = loadDialectFile(path);
    expect(dialect.name).toBe('file-beacon');
    expect(all.has('file-beacon')).toBe(false);
    expect(parse(dialect, callIn('beacon')).calls).toMatchObject([{ name: 'f', input: { a: 1 } }]);
  });

  it('may be YAML, with comments', () => {
    const calls =
      'calls: { family: json, shape: object, keys: { name: name, arguments: arguments }, open: <buoy>, close: </buoy> }';
    const dialect = loadDialectFile(write('buoy.yml', `# ours\nname: file-buoy\nabout: A buoy.\n${calls}\n`));
    expect(parse(dialect, callIn('buoy')).calls).toHaveLength(1);
  });

  it('is read anew each time', () => {
    const path = write('mast.json', JSON.stringify(declaration('file-mast', 'mast')));
    const before = loadDialectFile(path);
    write('mast.json', JSON.stringify(declaration('file-mast', 'pole')));
    const after = loadDialectFile(path, all.with(before));
    expect(parse(after, callIn('mast')).calls).toEqual([]);
    expect(parse(after, callIn('pole')).calls).toHaveLength(1);
    expect(parse(before, callIn('mast')).calls).toHaveLength(1);
  });

  it('may be a response template, and is called after its folder', () => {
    const template = {
      defaults: { role: 'assistant' },
      fields: {
        content: { close: '<|call_start|>' },
        tool_calls: { open: '<|call_start|>', close: '<|call_end|>', content: 'json', repeats: true },
      },
    };
    mkdirSync(join(folder, 'file-gull-7b'));
    const path = write('file-gull-7b/tokenizer_config.json', JSON.stringify({ response_template: template }));
    expect(loadDialectFile(path).name).toBe('file-gull-7b');
  });
});

describe('a file that gives none says so, with its name', () => {
  const refuse = (path: string, words: RegExp) => {
    expect(() => loadDialectFile(path)).toThrow(UsageError);
    expect(() => loadDialectFile(path)).toThrow(words);
    expect(() => loadDialectFile(path)).toThrow(path);
  };

  it('it is not there', () => refuse(join(folder, 'none.yaml'), /there is no such file/));
  it('it is a folder', () => refuse(folder, /cannot be read \(EISDIR\)/));
  it('it is no YAML', () => refuse(write('a.yaml', 'a: [1'), /expected YAML or JSON/));
  it('it is empty', () => refuse(write('a.yaml', ''), /expected/));

  it('a field is wrong', () => {
    const wrong = { ...declaration('file-wrong', 'wrong'), calls: { family: 'jsn' } };
    refuse(write('a.json', JSON.stringify(wrong)), /calls\.family/);
  });

  it("its name is another's alias", () => {
    refuse(write('a.json', JSON.stringify(declaration('lfm2.5', 'x'))), /lfm2 has this name, too/);
  });
});
