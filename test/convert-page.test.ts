// docs/convert.md says of each form what the form does.

import {
  createConvertLine,
  findForm,
  forms,
  lossMeanings,
  rowIssueMeanings,
  rowRepairMeanings,
} from '@dragoman/convert';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyTranscript, corpusTranscripts } from '../packages/convert/src/forms/conversations.fixture.js';
import { readDocument } from './docs/documents.js';

const page = readDocument('docs/convert.md');
const transcripts = [
  ...corpusTranscripts().map(({ transcript }) => transcript),
  ...fc.sample(anyTranscript, { numRuns: 60, seed: 5 }),
];

function sectionOf(name: string): string {
  const [, section = ''] = page.split(`\n### ${name}\n`);
  return section.split(/\n##+ /)[0] ?? '';
}

function rowOf(name: string): string {
  return /```json\n([\s\S]*?)\n```/.exec(sectionOf(name))?.[1] ?? 'no row';
}

describe.each(forms.map(({ name, needsDialect }) => ({ name, needsDialect })))('the form $name', (form) => {
  const to = findForm(form.name, form.needsDialect ? { dialect: 'hermes' } : {});

  it('is shown by the row it writes', () => {
    const { text } = createConvertLine({ from: findForm('openai'), to })(rowOf('openai'));
    expect(JSON.parse(rowOf(form.name))).toEqual(JSON.parse(text));
  });

  it('loses nothing but what its section lists', () => {
    const [, list = ''] = /^Cannot say[^:]*: (.*)\.$/m.exec(sectionOf(form.name)) ?? [];
    const listed = [...list.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code);
    expect(listed.filter((code) => !Object.hasOwn(lossMeanings, code ?? ''))).toEqual([]);
    const found = new Set<string>();
    for (const transcript of transcripts) {
      try {
        for (const { kind, code } of to.write(transcript).notes) if (kind === 'loss') found.add(code);
      } catch (error) {
        expect(error).toHaveProperty('name', 'RowError');
      }
    }
    expect(found.size).toBeGreaterThan(1);
    expect([...found].filter((code) => !listed.includes(code))).toEqual([]);
  });
});

it('The page explains every code with the words of the report', () => {
  const rows = Object.entries({ ...lossMeanings, ...rowIssueMeanings, ...rowRepairMeanings });
  expect(rows.filter(([code, meaning]) => !page.includes(`| \`${code}\` | ${meaning} |`))).toEqual([]);
});
