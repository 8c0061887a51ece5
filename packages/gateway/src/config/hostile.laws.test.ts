import { describe, expect, it } from 'vitest';
import { parseConfig } from './parse-config.js';

function problemsOf(text: string) {
  const result = parseConfig(text);
  return result.ok ? [] : result.problems.map(({ line, path, message }) => `${line} ${path}: ${message}`);
}

describe('a file cannot act', () => {
  it('aliases cannot grow without bound', () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const items =
        level === 0
          ? '"lol"'
          : Array(10)
              .fill(`*a${level - 1}`)
              .join(', ');
      return `  a${level}: &a${level} [${items}]`;
    });
    const found = problemsOf(`upstreams:\n${levels.join('\n')}`);
    expect(found.some((problem) => problem.includes('too many values'))).toBe(true);
    expect(found.length).toBeLessThan(20);
  });

  it('an alias that holds itself ends', () => {
    expect(problemsOf('models: &a [*a]').join()).toContain('levels of nesting');
    expect(problemsOf('log: &a { level: *a }').join()).toContain('levels of nesting');
  });

  it('nesting ends in a problem, not in a stack', () => {
    for (const text of ['['.repeat(10_000), `${'{a: '.repeat(5_000)}1`, `a:${' -'.repeat(5_000)}`]) {
      expect(problemsOf(text).length).toBeGreaterThan(0);
      expect(parseConfig(text, { form: 'json' }).ok).toBe(false);
    }
  });

  it('a file has a largest length', () => {
    expect(problemsOf(`#${'x'.repeat(1024 * 1024)}`)).toEqual([
      '1 : expected at most 1048576 characters, found 1048577',
    ]);
  });

  it('thousands of models are no burden', () => {
    const names = Array.from({ length: 5000 }, (_, at) => `m${at}`);
    const result = parseConfig(`upstream: demo\nmodels:\n${names.map((name) => `  ${name}:\n`).join('')}`);
    expect(result.ok && result.config.models.map(({ name }) => name)).toEqual(names);
  });

  it('thousands of problems are told up to a hundred, and that there are more', () => {
    const text = `models: [${'5, '.repeat(5000)}]`;
    const result = parseConfig(text);
    expect(result.ok ? [] : result.problems).toHaveLength(101);
    expect(result.ok ? '' : result.problems[100]?.message).toBe('there are more problems behind these');
  });

  it.each([
    '__proto__: { insecure: true }',
    '{ "__proto__": { "insecure": true } }',
    'log: { __proto__: { level: debug } }',
    'upstreams: { __proto__: demo }',
    'models: { __proto__: {} }',
  ])('prototypes are not touched: %s', (text) => {
    expect(problemsOf(text).join()).toContain('nothing can have this name');
    expect(({} as { insecure?: unknown }).insecure).toBeUndefined();
    expect(({} as { level?: unknown }).level).toBeUndefined();
  });

  it('names that objects have are names like others', () => {
    const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];
    const text = `upstreams: { constructor: demo }\nmodels: { ${names.map((name) => `${name}: {}`).join(', ')} }`;
    const result = parseConfig(text);
    expect(result.ok && result.config.models.map(({ name }) => name)).toEqual(names);
    expect(problemsOf('constructor: 1\ntoString: 2')).toHaveLength(2);
  });

  it('merge keys are refused, in old YAML, too', () => {
    const text = 'timeouts: &t { idle: 1s }\nupstream:\n  url: http://a/v1\n  timeouts: { <<: *t }';
    expect(problemsOf(text)).toEqual(['4 upstream.timeouts["<<"]: merge keys (<<) are not read']);
    expect(problemsOf(`%YAML 1.1\n---\n${text}`)).toEqual([
      '6 upstream.timeouts["<<"]: merge keys (<<) are not read',
    ]);
  });

  it.each([
    '!!js/function "() => 1"',
    '!!js/undefined ""',
    '!!python/object:os.system x',
    '!!binary aGk=',
    '!x y',
    '!!set { a }',
  ])('tags are refused: %s', (value) => {
    expect(problemsOf(`host: ${value}`).join()).toContain('tags are not read here');
  });

  it('plain tags and aliases are read', () => {
    const text =
      'host: !!str 127.0.0.1\ntimeouts: &t { idle: 1s }\nupstream: { url: http://a/v1, timeouts: *t }';
    const result = parseConfig(text);
    expect(result.ok && result.config.upstreams.get('default')?.timeouts.idle).toBe(1000);
  });

  it('an alias without an anchor is a problem', () => {
    expect(problemsOf('host: *nowhere')).toEqual(['1 host: this alias means nothing']);
  });

  it('dates and old words for yes stay text', () => {
    const result = parseConfig('%YAML 1.1\n---\nmodels: [2001-01-01]');
    expect(result.ok && result.config.models[0]?.name).toBe('2001-01-01');
    expect(problemsOf('report: yes')).toEqual(['1 report: expected true or false, found "yes"']);
  });
});
