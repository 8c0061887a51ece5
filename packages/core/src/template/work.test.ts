import { describe, expect, it } from 'vitest';
import { UsageError } from '../model/index.js';
import { renderTemplate } from './template.js';

const request = { messages: [{ role: 'user', content: 'x' }] };

function refusalOf(template: string): string | undefined {
  try {
    renderTemplate(template, request);
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.code;
  }
}

const grow = (body: string, start: string) =>
  `{% set ns = namespace(x=${start}) %}{% for i in range(100) %}{% set ns.x = ${body} %}{% endfor %}{{ ns.x }}`;

describe('the bound on work', () => {
  it('ends what is nested too deep', () => {
    for (const deep of [`{{ ${'('.repeat(9999)}1${')'.repeat(9999)} }}`, '{% if 1 %}'.repeat(9999)]) {
      expect(refusalOf(deep)).toBe('bad-template');
    }
    const list =
      '{% set ns = namespace(x=[]) %}{% for i in range(90000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}';
    expect(refusalOf(list)).toBe('template-too-much-work');
  });

  it('keeps integers small', () => {
    expect(refusalOf('{{ 2 ** 1000000000 }}')).toBe('bad-template');
    expect(refusalOf(grow('ns.x * ns.x', '3'))).toBe('bad-template');
  });

  it('grows with the request, and can be set', () => {
    const messages = Array.from({ length: 2_000 }, () => ({ role: 'user', content: 'x'.repeat(5_000) }));
    const template = '{% for m in messages %}{{ m.content.strip() | upper | trim }}{% endfor %}';
    expect(renderTemplate(template, { messages }).text).toHaveLength(10_000_000);
    expect(() => renderTemplate(template, { messages }, { maxWork: 1_000 })).toThrow('more than 1000 steps');
    expect(() => renderTemplate(template, { messages }, { maxWork: 0 })).toThrow('options.maxWork');
  });
});
