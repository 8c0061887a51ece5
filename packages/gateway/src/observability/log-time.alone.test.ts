import { describe, expect, it } from 'vitest';
import { timesTheCost } from '../../../../test/cost.js';
import { createLog, type LogOptions } from './log.js';

function lines(options: Partial<LogOptions> = {}) {
  const written: string[] = [];
  const log = createLog({ level: 'debug', form: 'json', write: (line) => written.push(line), ...options });
  return { log, written, last: () => JSON.parse(written.at(-1) ?? '') };
}

describe('the log', () => {
  it('looks at every character a bounded number of times', () => {
    const { log } = lines({ secrets: [`${'a'.repeat(40)}b`, 'sk-sk-sk-sk-x', '\\\\\\\\nnnnn'] });
    const redact = (unit: string, count: number) => {
      const text = unit.repeat(count);
      return () => log.redact(text, 'json');
    };
    for (const unit of ['a', 'sk-', 'api_key=-', '\\', '\\\\n', "api_key='", 'bearer ', 'eyJ.', '\\u005c']) {
      // Sixteen times the text: 16 if each character costs the same, 256 if it costs more the more there are.
      const ratio = timesTheCost(redact(unit, 48_000), redact(unit, 3000), { limit: 80, inARow: 16 });
      expect(ratio, unit).toBeLessThan(80);
    }
  });
});
