import { describe, expect, it } from 'vitest';
import { growthOf } from '../../../../../test/cost.js';
import { defineMarkers } from '../../engine/markers.js';
import { Writer } from '../../engine/writer.js';
import { xnlRender } from './prompt.js';

const marks = ['!quote_start', '!quote_end', '!unquote_start', '!unquote_end', '</#'];
const markers = defineMarkers(marks);

function results(outputs: readonly string[], out = new Writer(markers)): string {
  const list = outputs.map((output, at) => ({ type: 'tool-result' as const, callId: `${at}`, output }));
  xnlRender.results(out, list, { calls: [] });
  return out.text;
}

describe('results', () => {
  it('find their marker in linear time', () => {
    const find = (count: number) => {
      const text = `</#${Array.from({ length: count }, (_, at) => `#r${at}`).join('')}`;
      return () => expect(results([text])).toContain(`<tool_resp id="0" #r${count}>`);
    };
    expect(growthOf(find(80_000), find(10_000), 2.5)).toBeLessThan(2.5);
  });
});
