import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLog, type LogOptions } from './log.js';

function lines(options: Partial<LogOptions> = {}) {
  const written: string[] = [];
  const log = createLog({ level: 'debug', form: 'json', write: (line) => written.push(line), ...options });
  return { log, written, last: () => JSON.parse(written.at(-1) ?? '') };
}

/** A value with this text somewhere in it: as a value, a key, an error's message, JSON in a string. */
function placed(secret: string): fc.Arbitrary<unknown> {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom(secret, `before ${secret}`, `${secret} after`, `\\${secret}`, JSON.stringify(secret)),
      fc.tuple(fc.string(), fc.string()).map(([a, b]) => a + secret + b),
      fc.constant(JSON.stringify({ deep: JSON.stringify({ key: secret }) })),
      fc.constant([...secret].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')),
      fc.constant(new Error(`It said ${secret}.`)),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }),
      tie('value').map((inner) => ({ [secret]: inner })),
    ),
  }));
  return value;
}

const printable = fc.string({ unit: 'grapheme-ascii', minLength: 12, maxLength: 60 });
const secret = fc
  .oneof(
    printable,
    fc.string({ unit: 'binary', minLength: 12, maxLength: 40 }),
    fc.base64String({ minLength: 16, maxLength: 80 }),
    fc.stringMatching(/^[0-9]{12,20}$/),
  )
  .map((text) => text.trim())
  .filter((text) => new Set(text.replaceAll('\\', '')).size >= 6);

/** The text under every layer of escapes. */
function unescaped(line: string): string[] {
  const layers = [line];
  for (let layer = 0; layer < 4; layer++) {
    const before = layers.at(-1) ?? '';
    const decode = (_: string, hex?: string, one?: string) =>
      hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (escapes[one ?? ''] ?? one ?? '');
    layers.push(before.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, decode));
  }
  return layers;
}
const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

describe('the log', () => {
  it.each(['json', 'text'] as const)('G3: lets no configured secret out, at any depth (%s)', (form) => {
    const cases = secret.chain((key) => fc.tuple(fc.constant(key), placed(key), fc.constantFrom('', key)));
    fc.assert(
      fc.property(cases, ([key, value, said]) => {
        const { log, written } = lines({ form, secrets: [key] });
        log.debug({ value }, `message ${said}`);
        expect(written).toHaveLength(1);
        for (const layer of unescaped(written[0] ?? '')) expect(layer.includes(key)).toBe(false);
        if (form === 'json') expect(JSON.parse(written[0] ?? '')).toHaveProperty('msg');
      }),
      { seed: 4, numRuns: 1000 },
    );
  });

  it('G3: hides what a client sent, while its request lasts and after', () => {
    const { log, written } = lines();
    const letGo = log.hide('plain-words-of-a-client');
    log.info({ body: 'plain-words-of-a-client' }, 'in');
    letGo();
    log.info({ body: 'plain-words-of-a-client' }, 'after');
    expect(written.join('')).not.toContain('plain-words-of-a-client');
    expect(written.join('').match(/\[hidden\]/g)).toHaveLength(2);
  });

  it('forgets what clients sent long ago, never what a request holds', () => {
    const { log, last } = lines();
    const letGo = log.hide('the-old-secret-that-goes');
    letGo();
    log.hide('the-old-secret-that-stays');
    for (let n = 0; n < 3000; n++) log.hide(`another-client-key-${n}`)();
    log.info({ a: 'the-old-secret-that-goes', b: 'the-old-secret-that-stays' }, 'x');
    expect(last()).toMatchObject({ a: 'the-old-secret-that-goes', b: '[hidden]' });
  });

  it('lets no client blot out short words', () => {
    const { log, last } = lines();
    log.hide('127.0.0.1');
    log.hide('info');
    log.info({ from: '127.0.0.1' }, 'info');
    expect(last()).toMatchObject({ level: 'info', from: '127.0.0.1', msg: 'info' });
  });

  it.each([
    ['{"x-api-key":"short"}', { headers: { 'x-api-key': 'short' } }, 'short'],
    ['a bearer', { h: 'Authorization: Bearer abcdefgh12345' }, 'abcdefgh12345'],
    ['Basic', { h: 'authorization: Basic dXNlcjpwYXNz and more' }, 'dXNlcjpwYXNz'],
    ['raw headers', { h: ['Api-Key', 'swordfish-1'] }, 'swordfish-1'],
    ['a query', { url: '/v1?api_key=swordfish&x=1' }, 'swordfish'],
    [
      'JSON in JSON',
      { body: JSON.stringify({ a: JSON.stringify({ 'x-api-key': 'swordfish' }) }) },
      'swordfish',
    ],
    ['escapes', { body: 'sk\\u002dproj\\u002dabcdefgh1234' }, 'abcdefgh1234'],
    ['slashes', { body: 'Bearer ab\\/cdefghijklmnop' }, 'cdefghijklmnop'],
    ['a vendor key', { error: new Error('Incorrect key sk-ant-api03-Abc123456789_x.') }, 'Abc123456789'],
    ['a number', { api_key: 123456 }, '123456'],
    ['an unclosed quote', { msg2: "api_key='abc", next: 'sk-abcdefgh12345678' }, 'abcdefgh12345678'],
  ])('hides key-like words: %s', (_, fields, hidden) => {
    for (const form of ['json', 'text'] as const) {
      const { log, written } = lines({ form });
      log.info(fields, 'said');
      expect(written[0]).toContain('[hidden]');
      expect(written[0]).not.toContain(hidden);
      if (form === 'json') expect(JSON.parse(written[0] ?? '').msg).toBe('said');
    }
  });

  it.each([
    'The model claude-sonnet-4-5-20250929 does not exist.',
    'A task-list-with-a-long-name, a disk-image-of-some-size, the bearer of bad news.',
    'max_tokens must be at most 4096; see the authorization header',
    'C:\\new\\table "quoted"',
  ])('leaves %j alone', (text) => {
    const { log, last } = lines({ secrets: ['an-unrelated-secret'] });
    log.info({ text }, text);
    expect(last()).toMatchObject({ text, msg: text });
  });

  it('keeps a line of JSON whole where a secret is a part of a number', () => {
    const { log, last } = lines({ secrets: ['4567890'] });
    log.info({ n: 1234567890123, deep: [{ m: 4567890 }], s: 'x4567890x' }, 'x');
    expect(last()).toMatchObject({ n: '[hidden]', deep: [{ m: '[hidden]' }], s: 'x[hidden]x' });
  });

  it('holds what was given as an error, and adds nothing to it', () => {
    const { log, last } = lines();
    for (const error of [{ code: 'bad-request', message: 'n: no', more: { stack: 'x' } }, 'plain', 7, null]) {
      log.info({ error, err: error }, 'x');
      expect(last()).toMatchObject({ error, err: error });
      expect(Object.keys(Object(last().error))).toEqual(Object.keys(Object(error)));
    }
  });

  it('writes an Error out, without what it says among the frames of its stack', () => {
    const { log, last } = lines();
    const said = 'the user wrote:\n    at evil (/etc/passwd:1:1)\nand more';
    const cause = Object.assign(new TypeError('deeper'), { code: 'ECONNRESET' });
    const error = new RangeError(said, { cause });
    log.error({ error }, 'x');
    expect(last().error).toMatchObject({ type: 'RangeError', message: said });
    expect(last().error.cause).toMatchObject({ type: 'TypeError', message: 'deeper', code: 'ECONNRESET' });
    expect(last().error.frames.length).toBeGreaterThan(0);
    expect(last().error.frames.join()).toContain('log.test');
    expect(JSON.stringify(last()).split('evil')).toHaveLength(2);
    // Changed behind the stack's back: nothing tells its frames from text.
    error.message = 'other';
    log.error({ error }, 'x');
    expect(last().error.frames).toBeUndefined();
    expect(JSON.stringify(last())).not.toContain('evil');
  });

  it('takes an Error in place of fields, and one that is its own cause', () => {
    const { log, last } = lines();
    const error: Error & { cause?: unknown } = new Error('round');
    error.cause = error;
    log.warn(error, 'x');
    expect(last()).toMatchObject({ msg: 'x', err: { message: 'round', cause: { message: 'round' } } });
  });

  it('is silent below its level, and at silent', () => {
    const { log, written } = lines({ level: 'warn' });
    log.debug({}, 'no');
    log.info({}, 'no');
    log.warn({}, 'yes');
    expect(written).toHaveLength(1);
    const silent = lines({ level: 'silent' });
    silent.log.error({}, 'no');
    expect(silent.written).toHaveLength(0);
  });

  it('never throws, whatever the fields are', () => {
    const { log, written } = lines();
    const circle: Record<string, unknown> = { big: 1n };
    circle.self = circle;
    let deep: unknown = 'bottom';
    for (let level = 0; level < 50_000; level++) deep = [deep];
    const hostile = {
      get trap(): string {
        throw new Error('sprung');
      },
    };
    for (const fields of [circle, { deep }, hostile, { toJSON: () => circle }, { f() {} }])
      log.info(fields, 'x');
    expect(written).toHaveLength(5);
    for (const line of written) expect(JSON.parse(line).msg).toBe('x');
  });

  it('cuts a line that is too long, and says so', () => {
    const { log, last, written } = lines();
    log.info({ body: 'x'.repeat(1_000_000) }, 'big');
    expect(last()).toMatchObject({ level: 'info', msg: 'big' });
    expect(last().cut).toBeGreaterThan(1_000_000);
    expect(written[0]?.length).toBeLessThan(10_000);
  });

  it('writes one line for people, which moves no cursor', () => {
    const { log, written } = lines({ form: 'text' });
    log.warn({ port: 8787, name: 'a b', odd: '\u001b[2J\u009b\n', ok: 'word' }, 'It\nlistens.');
    expect(written[0]).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} warn {2}It\\u000alistens\. port=8787 name="a b" odd="/,
    );
    for (const control of '\n\u001b\u009b') expect(written[0]?.trimEnd()).not.toContain(control);
  });
});
