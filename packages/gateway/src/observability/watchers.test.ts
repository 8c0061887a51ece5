import { describe, expect, it } from 'vitest';
import type { ExchangeWatch, Log, Watcher } from '../services.js';
import { joinWatchers } from './watchers.js';

const exchange = { id: 'req_1', api: 'chat' as const };
const event = { type: 'tools-refused', message: 'no' } as const;

function noted(said: string[], name: string): Watcher {
  const note = (what: string) => () => void said.push(`${name} ${what}`);
  return {
    begin: () => {
      said.push(`${name} begin`);
      return { model: note('model'), event: note('event'), firstByte: note('first'), end: note('end') };
    },
  };
}

function run(watch: ExchangeWatch | undefined): void {
  watch?.model?.({ name: 'm', upstream: 'u' });
  watch?.event?.(event);
  watch?.event?.(event);
  watch?.firstByte?.();
  watch?.end?.({ status: 200 });
}

function quietLog(lines: unknown[]): Log {
  const line = (fields: object, message: string) => void lines.push({ ...fields, message });
  return { debug: line, info: line, warn: line, error: line };
}

describe('joinWatchers', () => {
  it('tells each of them everything, in their order', () => {
    const said: string[] = [];
    run(joinWatchers([noted(said, 'a'), noted(said, 'b')]).begin(exchange));
    const each = ['begin', 'model', 'event', 'event', 'first', 'end'];
    expect(said).toEqual(each.flatMap((what) => [`a ${what}`, `b ${what}`]));
  });

  it('gives no watch where nobody watches, and only the members somebody listens by', () => {
    expect(joinWatchers([]).begin(exchange)).toBeUndefined();
    expect(joinWatchers([{ begin: () => undefined }]).begin(exchange)).toBeUndefined();
    const watch = joinWatchers([{ begin: () => ({ end() {} }) }]).begin(exchange);
    expect(Object.keys(watch ?? {})).toEqual(['end']);
  });

  it('leaves one that throws out of that exchange, says it once, and tells the others', () => {
    const [said, lines]: [string[], unknown[]] = [[], []];
    let calls = 0;
    const broken: Watcher = {
      begin: () => ({
        event: () => {
          calls++;
          throw new Error('broken');
        },
        end: () => void calls++,
      }),
    };
    const joined = joinWatchers([noted(said, 'a'), broken, noted(said, 'b')], quietLog(lines));
    run(joined.begin(exchange));
    expect(calls).toBe(1);
    expect(said.filter((one) => one.startsWith('b'))).toHaveLength(6);
    run(joined.begin(exchange));
    expect(calls).toBe(2);
    expect(lines).toHaveLength(1);
  });

  it('goes on without one that throws at the start', () => {
    const [said, lines]: [string[], unknown[]] = [[], []];
    const broken: Watcher = {
      begin: () => {
        throw new Error('broken');
      },
    };
    run(joinWatchers([broken, noted(said, 'a')], quietLog(lines)).begin(exchange));
    expect([said.length, lines.length]).toEqual([6, 1]);
  });
});
