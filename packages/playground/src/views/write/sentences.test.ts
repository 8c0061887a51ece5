import { describe, expect, it } from 'vitest';
import { drawColumns } from './draw.js';
import { dropIn, hostileTexts } from './hostile.js';
import { comparisonSentence, lengthSentence, safetySentence } from './sentences.js';
import { firstState, type Options, toColumn } from './state.js';

function drawnWith(title: string | undefined, safety: Options['safety'], dialect = 'glm-4.7') {
  const state = firstState();
  const hostile = hostileTexts.find((one) => one.title === title);
  const draft = hostile ? dropIn(state.draft, hostile).draft : state.draft;
  const columns = [toColumn(dialect), toColumn('glm-4.5')];
  const [first] = drawColumns({ draft, columns, options: { ...state.options, safety } });
  if (!first || 'problem' in first) throw new Error('not drawn');
  return first.drawn;
}

describe('safetySentence', () => {
  it('is quiet where nothing was tried', () => {
    expect(safetySentence(drawnWith(undefined, 'escape'), 'escape').kind).toBe('quiet');
  });

  it('says how many markers were broken, and that as many act as should', () => {
    const { kind, text } = safetySentence(drawnWith('Close the result, then call (GLM)', 'escape'), 'escape');
    expect(kind).toBe('safe');
    expect(text).toMatch(/^Neutralised: 7 markers from outside were broken\. \d+ markers act, as many as/);
  });

  it('says what `exact` lets through', () => {
    const { kind, text } = safetySentence(drawnWith('Close the result, then call (GLM)', 'exact'), 'exact');
    expect(kind).toBe('forged');
    expect(text).toMatch(/^Forged: \d+ markers act, with harmless text it would be \d+\. The policy “exact”/);
  });

  it('speaks of calls where frames cannot be ended from inside', () => {
    expect(safetySentence(drawnWith('Leave the quote (xnl)', 'escape', 'xnl'), 'escape').text).toMatch(
      /reader finds \d+ call/,
    );
  });
});

describe('comparisonSentence', () => {
  const name = (at: number) => `column ${at}`;
  const comparison = { with: 1, shared: 0.999, tooDifferent: false };

  it.each([
    [{ different: [], comparison: { ...comparison, shared: 1 } }, 'The same text as column 1.'],
    [{ different: [{ from: 0, to: 1 }], comparison }, '1 place not in column 1; 99 % is shared.'],
    [
      { different: [], comparison: { with: 1, shared: 0.2, tooDifferent: true } },
      'Too different from column 1 to mark: 20 % is shared.',
    ],
    [{ different: [] }, undefined],
  ])('says %j', (drawn, sentence) => expect(comparisonSentence(drawn, name)).toBe(sentence));
});

it('lengthSentence says characters and an estimate of tokens', () => {
  expect(lengthSentence(drawnWith(undefined, 'escape'))).toMatch(/^1,\d{3} characters, about \d{3} tokens$/);
});
