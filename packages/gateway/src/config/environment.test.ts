// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of a configuration.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expand } from './environment.js';
import { parseConfig } from './parse-config.js';

const env = { HOST: '127.0.0.1', PORT: '9000', YES: 'true', KEY: '123456789', EMPTY: '', TWICE: '${HOST}' };

describe('a variable', () => {
  it.each([
    ['${HOST}', '127.0.0.1'],
    ['http://${HOST}:${PORT}/v1', 'http://127.0.0.1:9000/v1'],
    ['${NONE:-default}', 'default'],
    ['${NONE:-}', ''],
    ['${EMPTY:-default}', 'default'],
    ['${EMPTY}', ''],
    ['${HOST:-default}', '127.0.0.1'],
    ['${NONE:-http://a:1/v1}', 'http://a:1/v1'],
    ['$${HOST}', '${HOST}'],
    ['$$${HOST}', '$${HOST}'],
    ['$HOST $ {HOST}', '$HOST $ {HOST}'],
    ['${TWICE}', '${HOST}'],
  ])('in %s gives %s', (written, text) => {
    expect(expand(written, env)).toMatchObject({ text, faults: [] });
  });

  it.each([
    ['${NONE}', 'NONE'],
    ['${constructor}', 'constructor'],
    ['${__proto__}', '__proto__'],
    ['${a b}', undefined],
    ['${}', undefined],
    ['${NONE:?no}', undefined],
    ['${open', undefined],
  ])('cannot be filled in: %s', (written, name) => {
    const { faults } = expand(written, env);
    expect(faults).toHaveLength(1);
    expect(faults[0]?.name).toBe(name);
  });

  it('leaves text without one alone, and whatever is doubled comes back', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'A', ':', '-') }), (text) => {
        // A dollar before the brace would be doubled with it, so such texts are not the claim here.
        fc.pre(!text.includes('$${'));
        expect(
          expand(
            text.replaceAll('${', () => '$${'),
            env,
          ),
        ).toEqual({ text, names: [], faults: [] });
      }),
      { seed: 7, numRuns: 2000 },
    );
  });
});

describe('in a configuration', () => {
  const configOf = (text: string) => {
    const result = parseConfig(text, { env });
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    return result.config;
  };

  it('numbers, choices and times can be variables', () => {
    const config = configOf(
      'port: ${PORT}\nreport: ${YES}\nheartbeat: ${NONE:-20s}\nlog: ${NONE:-debug}\ninspect: "${NONE:-3}"',
    );
    expect(config).toMatchObject({
      port: 9000,
      report: true,
      heartbeat: 20_000,
      log: { level: 'debug' },
      inspect: 3,
    });
  });

  it('a key of digits stays text', () => {
    expect(configOf('keys: ["${KEY}"]').keys).toEqual([{ key: '123456789' }]);
  });

  it('an empty variable is no key', () => {
    const result = parseConfig('upstream:\n  url: http://a/v1\n  key: ${EMPTY}', { env });
    expect(result).toMatchObject({
      ok: false,
      problems: [
        { line: 3, column: 8, message: 'expected a key that is not empty, found what ${EMPTY} holds' },
      ],
    });
  });

  it('names are not filled in', () => {
    expect(configOf('upstream: demo\nmodels: { "${HOST}": {} }').models[0]?.name).toBe('${HOST}');
  });
});
