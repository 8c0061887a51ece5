import { describe, expect, it } from 'vitest';
import { UsageError } from '../model/index.js';
import { renderTemplate } from './template.js';

const request = { messages: [{ role: 'user', content: 'x' }] };

function costOf(template: string): { code: string | undefined; time: number } {
  const start = performance.now();
  let code: string | undefined;
  try {
    renderTemplate(template, request);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    code = error.code;
  }
  return { code, time: performance.now() - start };
}

const inLoop = (body: string) => `{% set a = 'x ' * 500000 %}{% for i in range(100000) %}${body}{% endfor %}`;
const grow = (body: string, start: string) =>
  `{% set ns = namespace(x=${start}) %}{% for i in range(100) %}{% set ns.x = ${body} %}{% endfor %}{{ ns.x }}`;

const costly: Record<string, string> = {
  'nested loops': '{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}',
  'a long range': '{% for a in range(1000000) %}x{% endfor %}',
  'a macro that calls itself': '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}',
  'a macro that calls itself twice':
    '{% macro m(n) %}{% if n < 99 %}{{ m(n + 1) }}{{ m(n + 1) }}{% endif %}{% endmacro %}{{ m(0) }}',
  'text that doubles': grow('ns.x ~ ns.x', "'ab'"),
  'text that doubles with plus': grow('ns.x + ns.x', "'ab'"),
  'a list that holds itself twice': grow('[ns.x, ns.x]', '[1]'),
  'a repeated text': "{{ 'x' * 1000000000 }}",
  'a repeated list': '{{ [0] * 1000000000 }}',
  'a wide text': "{{ 'x'.ljust(1000000000) }}",
  'a wide indent': "{{ {'a': 1} | tojson(indent=1000000000) }}",
  'a text joined by itself': "{% set a = 'x' * 1000000 %}{{ a | join(a) }}",
  'a text replaced by itself': "{% set a = 'x' * 1000000 %}{{ a.replace('x', a) }}",
  'characters of a long text': inLoop('{{ a[5] }}'),
  'lengths of a long text': inLoop('{{ a | length }}'),
  'titles of a long text': inLoop('{% set b = a.title() %}'),
  'words of a long text': inLoop('{% set b = a.split() %}'),
  'searches in a long text': inLoop("{% set b = 'y' in a %}"),
  'comparisons of a long text': inLoop("{% set b = a < a ~ 'y' %}"),
};

describe('the bound on work', () => {
  for (const [name, template] of Object.entries(costly)) {
    it(`ends ${name} in well under a second`, () => {
      const { code, time } = costOf(template);
      expect(code).toBe('template-too-much-work');
      expect(time).toBeLessThan(2_000); // A loaded machine is several times slower than an idle one.
    });
  }

  it('ends what is nested too deep', () => {
    for (const deep of [`{{ ${'('.repeat(9999)}1${')'.repeat(9999)} }}`, '{% if 1 %}'.repeat(9999)]) {
      expect(costOf(deep).code).toBe('bad-template');
    }
    const list =
      '{% set ns = namespace(x=[]) %}{% for i in range(90000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}';
    expect(costOf(list).code).toBe('template-too-much-work');
  });

  it('keeps integers small', () => {
    expect(costOf('{{ 2 ** 1000000000 }}').code).toBe('bad-template');
    expect(costOf(grow('ns.x * ns.x', '3')).code).toBe('bad-template');
  });

  it('grows with the request, and can be set', () => {
    const messages = Array.from({ length: 2_000 }, () => ({ role: 'user', content: 'x'.repeat(5_000) }));
    const template = '{% for m in messages %}{{ m.content.strip() | upper | trim }}{% endfor %}';
    expect(renderTemplate(template, { messages }).text).toHaveLength(10_000_000);
    expect(() => renderTemplate(template, { messages }, { maxWork: 1_000 })).toThrow('more than 1000 steps');
    expect(() => renderTemplate(template, { messages }, { maxWork: 0 })).toThrow('options.maxWork');
  });
});
