import { type Dialect, dialects } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { type Drawn, drawColumns } from './draw.js';
import { dropIn, hostileTexts } from './hostile.js';
import { firstState, toColumn, type WriteState } from './state.js';

const everywhere = dialects.flatMap(({ name, render }) => [
  toColumn(name, 'messages'),
  ...(render.prompt ? [toColumn(name, 'prompt')] : []),
]);

/** The project's own ten dialects are first in the list. */
const isFullyTried = (dialect: Dialect) => dialects.indexOf(dialect) < 10;

/** The project's own dialects in both forms, other models' dialects in one of the two, in turn. */
function columnsFor(turn: number) {
  return dialects.flatMap((dialect, at) => {
    const both = [toColumn(dialect.name, 'messages'), toColumn(dialect.name, 'prompt')];
    if (!dialect.render.prompt) return both.slice(0, 1);
    return isFullyTried(dialect) ? both : both.filter((_, form) => form === (turn + at) % 2);
  });
}

function drawn(state: WriteState): Drawn[] {
  return drawColumns(state).map((one) => {
    if ('problem' in one) throw new Error(`${one.problem.path}: ${one.problem.message}`);
    return one.drawn;
  });
}

const withHostile = (title: string, more: Partial<WriteState> = {}): WriteState => {
  const hostile = hostileTexts.find((one) => one.title === title);
  if (!hostile) throw new Error(title);
  const first = firstState();
  return { ...first, columns: everywhere, draft: dropIn(first.draft, hostile).draft, ...more };
};

describe('drawColumns', () => {
  it('draws the example in every dialect and form, every character ours or from outside', () => {
    for (const one of drawn({ ...firstState(), columns: everywhere })) {
      const covered = [...one.ours, ...one.outside].reduce((sum, { from, to }) => sum + to - from, 0);
      expect(covered).toBe(one.characters);
      expect(one.text.length).toBe(one.characters + one.pieces.length - 1);
      expect(one.outside.some(({ from, to }) => one.text.slice(from, to).includes('Utrecht'))).toBe(true);
      expect(one.tokens).toBeGreaterThan(one.characters / 8);
      expect(one.marks.broken).toEqual([]);
      expect(one.safety.found).toBe(one.safety.expected);
    }
  });

  it.each(hostileTexts.map(({ title }, at) => [title, at] as const))(
    'forges nothing with %s, in any dialect',
    (id, at) => {
      // What two columns do not share is no matter here, and takes a third of the time.
      const options = { ...firstState().options, differences: false };
      for (const { safety, marks } of drawn(withHostile(id, { columns: columnsFor(at), options }))) {
        expect(marks.forged).toEqual([]);
        expect(safety.found).toBe(safety.expected);
      }
    },
  );

  it('shows where each text that aims at a dialect was broken', () => {
    const broken = (id: string, dialect: string) =>
      drawn(withHostile(id, { columns: [toColumn(dialect, 'messages')] }))[0]?.marks.broken.length;
    expect(broken('Close the result, then call (GLM)', 'glm-4.7')).toBe(7);
    expect(broken('A new turn (DeepSeek)', 'deepseek-v4')).toBeGreaterThanOrEqual(3);
    expect(broken('End the turn (ChatML)', 'hermes')).toBe(2);
    expect(broken('Return, then call (alkaid)', 'alkaid')).toBe(3);
    expect(broken('A marker in two halves', 'hermes')).toBe(1);
    expect(broken('Look-alike marker', 'hermes')).toBe(0);
  });

  it('shows what `exact` lets through: more frames than there should be', () => {
    const { options } = firstState();
    const columns = [toColumn('glm-4.7'), toColumn('glm-4.7', 'messages')];
    const state = withHostile('Close the result, then call (GLM)', {
      options: { ...options, safety: 'exact' },
      columns,
    });
    for (const { safety, marks } of drawn(state)) {
      expect(marks.forged.length).toBe(7);
      expect(safety.found).toBe(safety.expected + 7);
    }
  });

  it('names the field where `reject` refuses', () => {
    const { options } = firstState();
    const state = withHostile('End the turn (ChatML)', { options: { ...options, safety: 'reject' } });
    const problems = drawColumns({ ...state, columns: [toColumn('hermes', 'messages')] });
    expect(problems).toMatchObject([{ problem: { path: 'messages[4].content' } }]);
  });

  it('names the call whose arguments are no JSON, in every column', () => {
    const state = firstState();
    const call = state.draft.messages[2]?.parts[2];
    if (call?.type === 'tool-call') call.input = '{"place": }';
    const path = 'messages[2].parts[2].input';
    expect(drawColumns(state)).toMatchObject([{ problem: { path } }, { problem: { path } }]);
  });

  it('marks what two versions of a family do not share, and little else', () => {
    const columns = [toColumn('glm-4.5'), toColumn('glm-4.7')];
    const [left, right] = drawn({ ...firstState(), columns }) as [Drawn, Drawn];
    expect(left.comparison).toMatchObject({ with: 1, tooDifferent: false });
    expect(right.comparison?.shared).toBeGreaterThan(0.9);
    expect(left.different.length + right.different.length).toBeGreaterThan(0);
    expect(
      drawn({ ...firstState(), options: { ...firstState().options, differences: false } }),
    ).toMatchObject([{ different: [] }, { different: [] }]);
  });

  it('says when texts are too different to mark', () => {
    const columns = [toColumn('xnl'), toColumn('deepseek-v3.1')];
    expect(drawn({ ...firstState(), columns })).toMatchObject([
      { different: [], comparison: { tooDifferent: true } },
      { different: [], comparison: { tooDifferent: true } },
    ]);
  });

  it('takes the options', () => {
    const columns = [toColumn('alkaid')];
    const text = (options: object) =>
      drawn({ ...firstState(), columns, options: { ...firstState().options, ...options } })[0]?.text ?? '';
    expect(text({ teaching: 'short' }).length).toBeLessThan(text({}).length);
    expect(text({ language: 'zh' })).toMatch(/工具/);
    const glm = (thinking: 'on' | 'off') =>
      drawn({ ...firstState(), options: { ...firstState().options, thinking } })[1]?.text;
    expect(glm('on')).not.toBe(glm('off'));
  });
});
