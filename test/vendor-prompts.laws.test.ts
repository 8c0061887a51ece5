// Whole prompts, held to the bytes of the vendors' chat templates. The expectations were made by the templates
// (see test/corpus/vendor-prompts.mjs), which are not part of the project: DRAGOMAN_TEMPLATES names a folder that
// has them, and then they are rendered again.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { findDialect, renderPrompt } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { renderTemplate } from '../packages/core/src/template/template.js';
import { promptOf, promptsFolder, type VendorPrompts, vendorPrompt } from './corpus/vendor-prompts.mjs';

const templates = process.env.DRAGOMAN_TEMPLATES;
const names = readdirSync(promptsFolder).map((file) => file.slice(0, -'.json'.length));
const read = (name: string): VendorPrompts =>
  JSON.parse(readFileSync(`${promptsFolder}${name}.json`, 'utf8')) as VendorPrompts;

describe.each(names)('%s', (name) => {
  const { cases, ...file } = read(name);
  const { dialect, ...chosen } = promptOf(name);

  it.each(cases)(
    'writes "$name" as the template does',
    ({ request, prompt, thinking, generate, options }) => {
      const { text } = renderPrompt(findDialect(dialect), request, {
        ...chosen,
        ...(thinking !== undefined && { thinking }),
        ...(generate !== undefined && { generate }),
        safety: 'exact',
        template: { ...file.variables, ...options },
      });
      expect(text).toBe(prompt);
    },
  );

  it('is held in enough ways', () => {
    expect(cases.length).toBeGreaterThanOrEqual(8);
  });

  if (chosen.model !== undefined)
    it('is a variant of its dialect', () => {
      const variants = findDialect(dialect).render.variants ?? [];
      expect(variants.map(({ name }) => name)).toContain(chosen.model);
    });

  const path = `${templates}/${file.template}`;
  if (!templates || !existsSync(path)) {
    it.skip(`gives the same as ${file.template}, which is not here: set DRAGOMAN_TEMPLATES to its folder`);
  } else {
    it(`gives the same as ${file.template}`, () => {
      const template = readFileSync(path, 'utf8');
      for (const one of cases)
        expect(vendorPrompt(renderTemplate, template, file, one), one.name).toBe(one.prompt);
    });
  }
});
