import { readFileSync, writeFileSync } from 'node:fs';
import { Validator } from '@cfworker/json-schema';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { configJsonSchema } from './json-schema.js';

const file = new URL('../../dragoman.config.schema.json', import.meta.url);
const example = new URL('../../dragoman.config.example.yaml', import.meta.url);

if (process.env.DRAGOMAN_WRITE) writeFileSync(file, `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
const written = JSON.parse(readFileSync(file, 'utf8'));
const check = (value: unknown) => new Validator(written, '7').validate(value).valid;

it('is what the shape says (DRAGOMAN_WRITE=1 writes it anew)', () => {
  expect(written).toEqual(configJsonSchema());
});

it('takes the example', () => {
  expect(check(parse(readFileSync(example, 'utf8')))).toBe(true);
});

it('takes variables where numbers stand', () => {
  expect(check({ port: `\${PORT:-8787}`, limits: { bodyBytes: '64MB' } })).toBe(true);
});

it('refuses what the gateway refuses', () => {
  expect(check({ prot: 8787 })).toBe(false);
  expect(check({ port: 70_000 })).toBe(false);
  expect(check({ models: [{ name: 'a', delivery: 'fast' }] })).toBe(false);
});
