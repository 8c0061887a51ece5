import { beforeAll, describe, expect, it } from 'vitest';
import { withoutColors } from '../terminal.js';
import { type ExplainOptions, explainText } from './explain-text.js';
import { showExplanation } from './explain-view.js';

// Without colours, as in any terminal.
beforeAll(withoutColors);

const show = (text: string, options: ExplainOptions = {}) => showExplanation(explainText(text, options), 80);
const hermes = (args: string, name = 'add') =>
  `<tool_call>\n{"name": "${name}", "arguments": ${args}}\n</tool_call>`;

describe('a megabyte', () => {
  const long = (n: number) =>
    `Look.\n${hermes(`{"a": "${'日x '.repeat(n / 4)}",}`)}\nDone. ${'word '.repeat(n / 5)}`;

  it('is shown in part, and what is left out is counted', () => {
    const shown = show(long(1_000_000));
    expect(shown.split('\n').length).toBeLessThan(200);
    expect(shown).toMatch(/⋮ [\d,]+ rows not shown/);
    expect(shown).toContain('more lines: see --json');
    expect(shown).toContain('trailing-comma');
    expect(shown).toMatch(/│ .*",\}\}/);
  });
});
