import { beforeAll, describe, expect, it } from 'vitest';
import { timesTheCost } from '../../../../test/cost.js';
import { withoutColors } from '../terminal.js';
import { explanationAnswer } from './explain-answer.js';
import { explainText } from './explain-text.js';
import { showExplanation } from './explain-view.js';

// Without colours, as in any terminal.
beforeAll(withoutColors);

const hermes = (args: string, name = 'add') =>
  `<tool_call>\n{"name": "${name}", "arguments": ${args}}\n</tool_call>`;

describe('a megabyte', () => {
  const long = (n: number) =>
    `Look.\n${hermes(`{"a": "${'日x '.repeat(n / 4)}",}`)}\nDone. ${'word '.repeat(n / 5)}`;

  it('costs four times what a quarter of it costs, and not sixteen', () => {
    const explaining = (n: number) => () => {
      const explanation = explainText(long(n), {});
      showExplanation(explanation, 80);
      explanationAnswer(explanation);
    };
    expect(timesTheCost(explaining(400_000), explaining(100_000), { limit: 9, inARow: 4 })).toBeLessThan(9);
  });
});
