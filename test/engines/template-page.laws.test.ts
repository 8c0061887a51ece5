// docs/dialects/templates.md has every chat template of the engines' collections: compared, or with the reason why it is
// not. The templates are not part of the project: DRAGOMAN_TEMPLATES names a folder that has them, and then every row is
// made again.

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NO_REASON, page, tablesOf } from '../corpus/template-table.mjs';
import { table } from '../docs/dialect-table.mjs';

const folder = process.env.DRAGOMAN_TEMPLATES;
const text = readFileSync(page, 'utf8');
const rows = text.split('\n').filter((line) => /^\| `[^`]+\.jinja2?` \|/.test(line));
const cells = rows.map((row) => row.slice(2, -2).split(/(?<!\\) \| /));
const compared = cells.filter((row) => row.length === 6);
const absent = cells.filter((row) => row.length === 3);
const total = (column: number) => compared.reduce((sum, row) => sum + Number(row[column]), 0);

describe('the page of templates', () => {
  it('counts its rows', () => {
    expect(compared.length + absent.length).toBe(rows.length);
    expect(text).toContain(
      `${rows.length} templates: ${compared.length} are compared here, and ${absent.length} are not.`,
    );
    expect(text).toContain(`${total(2)} conversations, ${total(3)} with the same bytes.`);
  });

  it('has a reason for every difference and for every template that is not compared', () => {
    expect(text).not.toContain(NO_REASON);
    for (const row of compared) if (row[2] !== row[3]) expect(row[5], row[0]).not.toBe('');
    for (const row of absent) expect(row[2], row[0]).not.toBe('');
  });

  if (folder === undefined || !existsSync(folder)) {
    it.skip('has every template; NOT TESTED: set DRAGOMAN_TEMPLATES to a folder that has them');
    return;
  }
  it('has every template of the folder, as it is rendered now', { timeout: 300_000 }, () => {
    const made = tablesOf(folder);
    for (const row of [...made.rows, ...made.absent])
      expect(rows).toContain(table([], [row]).split('\n').at(-1));
    expect(made.rows.length + made.absent.length).toBeGreaterThan(0);
  });
});
