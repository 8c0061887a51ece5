import { describe, expect, it } from 'vitest';
import { UsageError } from '../model/index.js';
import { findForm, formNames, forms } from './forms.js';

describe('the list of forms', () => {
  it('holds each name once', () => {
    expect(new Set(formNames).size).toBe(forms.length);
    expect(formNames).toEqual(expect.arrayContaining(['openai', 'anthropic']));
  });

  it('gives a form by its name, in a dialect where it is text', () => {
    for (const { name, needsDialect } of forms) {
      const form = findForm(name, needsDialect ? { dialect: 'hermes' } : {});
      expect([form.name, form.needsDialect]).toEqual([name, needsDialect]);
    }
  });

  it('teaches the names to who does not know them', () => {
    expect(() => findForm('chatml')).toThrow(UsageError);
    for (const name of formNames) expect(() => findForm('chatml')).toThrow(`'${name}'`);
  });

  it('says that a dialect is missing', () => {
    for (const { name } of forms.filter((form) => form.needsDialect)) {
      expect(() => findForm(name)).toThrow('name the dialect');
    }
  });
});
