import { describe, expect, it } from 'vitest';
import { leastTime } from '../../../../test/cost.js';
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
      const time = leastTime(() => expect(refusalOf(template)).toBe('template-too-much-work'), 1000);
      expect(time).toBeLessThan(1000);
    });
  }
});
