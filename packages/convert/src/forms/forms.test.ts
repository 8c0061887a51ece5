import { UsageError } from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { findForm, formNames, forms, type TextFormOptions } from './forms.js';

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

  it('passes options on to the forms that know them', () => {
    const conversation = {
      messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi <tool_call>.' }] }],
      tools: [{ name: 'f' }],
      toolChoice: 'auto' as const,
    };
    const write = (name: string, options: TextFormOptions) =>
      findForm(name, { dialect: 'hermes', ...options }).write({ conversation, rest: [] });
    const render = { language: 'zh', short: true, thinking: false } as const;
    expect(write('prompt', { member: 'text', render })).toMatchObject({ row: { text: expect.any(String) } });
    expect(Object.keys(write('messages', { tools: false, render }).row)).toEqual(['messages']);
    expect(() => write('messages', { render: { safety: 'reject' } })).toThrow('holds a marker');
    const exact = JSON.stringify(write('messages', { render: { safety: 'exact' } }).row);
    expect(exact).toContain('Hi <tool_call>.');
  });

  it('says that a dialect is missing', () => {
    for (const { name } of forms.filter((form) => form.needsDialect)) {
      expect(() => findForm(name)).toThrow('name the dialect');
    }
  });
});
