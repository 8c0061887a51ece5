import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AnswerEvent, ApiError } from '../../model/index.js';
import type { StreamEncoder } from '../../wire/index.js';
import { fromBatches } from '../upstream/batches.js';
import { type EventStreamOptions, eventStream } from './event-stream.js';

afterEach(() => void vi.useRealTimers());

const text = (said: string): AnswerEvent => ({ type: 'text-delta', text: said });

/** Shows what it is given. */
const encoder = {
  encode: (event: AnswerEvent) =>
    event.type === 'text-delta' ? event.text : event.type === 'error' ? `!${event.error.message}` : '',
  end: () => '.',
} as StreamEncoder;

function optionsOf(more: Partial<EventStreamOptions> = {}) {
  const errors: string[] = [];
  const options: EventStreamOptions = {
    encoder,
    heartbeat: { text: '~', every: 0 },
    watch: (event) => event,
    onError: ({ message }) => void errors.push(message),
    onCancel: () => {},
    ...more,
  };
  return { options, errors };
}

async function* batches(...given: (AnswerEvent[] | Error)[]): AsyncGenerator<AnswerEvent[]> {
  for (const one of given) {
    if (one instanceof Error) throw one;
    yield one;
  }
}

async function written(given: (AnswerEvent[] | Error)[], options: EventStreamOptions): Promise<string[]> {
  const stream = await eventStream(fromBatches(batches(...given)), options);
  const said: string[] = [];
  for (let piece = await stream.next(); piece !== undefined; piece = await stream.next()) said.push(piece);
  return said;
}

describe('a response that is stored', () => {
  const storing = {
    ...encoder,
    last: () => ({ id: 'r' }),
    end: (response?: Record<string, unknown>) => JSON.stringify(response),
  } as StreamEncoder;

  it('is written when it is stored, as it was given back; everything before is written at once', async () => {
    let finish = () => {};
    const keep = (response: Record<string, unknown>) =>
      new Promise<Record<string, unknown>>((resolve) => {
        finish = () => resolve({ ...response, store: true });
      });
    const { options } = optionsOf({ encoder: storing, keep });
    const stream = await eventStream(fromBatches(batches([text('a')], [text('b')])), options);
    expect([await stream.next(), await stream.next()]).toEqual(['a', 'b']);
    let last: string | undefined;
    const ended = stream.next().then((piece) => {
      last = piece;
    });
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(last).toBeUndefined();
    finish();
    await ended;
    expect(last).toBe('{"id":"r","store":true}');
    expect(await stream.next()).toBeUndefined();
  });

  it('is not stored where nobody asks for it', async () => {
    const { options } = optionsOf({ encoder: storing });
    const none = { ...storing, end: () => '.' } as StreamEncoder;
    expect(await written([[text('a')]], { ...options, encoder: none })).toEqual(['a', '.']);
  });
});

describe('what is too long to be written at once', () => {
  it('is written piece by piece, before anything else', async () => {
    const waiting = ['1', '2'];
    const long = {
      ...encoder,
      encode: (event: AnswerEvent) => {
        if (event.type === 'text-delta') waiting.push(event.text);
        return '';
      },
      rest: () => waiting.shift() ?? '',
    } as StreamEncoder;
    const { options } = optionsOf({ encoder: long });
    const given = await written([[text('a'), text('b')], [text('c')]], options);
    expect(given).toEqual(['1', '2', 'a', 'b', 'c', '.']);
  });
});

describe('events that came together', () => {
  it('are written together; what comes to nothing is not written', async () => {
    const { options } = optionsOf();
    const start: AnswerEvent = { type: 'answer-start' };
    expect(await written([[start], [text('a'), text('b')], [start], [text('c')]], options)).toEqual([
      'ab',
      'c',
      '.',
    ]);
  });

  it('are told up to an error among them, and nothing behind it', async () => {
    const { options, errors } = optionsOf();
    const error: AnswerEvent = { type: 'error', error: new ApiError('internal', 'no') };
    expect(await written([[text('a')], [text('b'), error, text('c')], [text('d')]], options)).toEqual([
      'a',
      'b!no',
    ]);
    expect(errors).toEqual(['no']);
  });

  it('are told up to one that could not be written', async () => {
    const watch = (event: AnswerEvent) => {
      if ('text' in event && event.text === 'c') throw new Error('broken');
      return event;
    };
    const { options, errors } = optionsOf({ watch });
    expect(await written([[text('a')], [text('b'), text('c')]], options)).toEqual(['a', 'b!broken']);
    expect(errors).toEqual(['broken']);
  });
});

describe('an error', () => {
  it('before the first event is thrown, and leaves no timer behind', async () => {
    vi.useFakeTimers();
    const { options, errors } = optionsOf({ heartbeat: { text: '~', every: 1000 } });
    await expect(written([new Error('no')], options)).rejects.toThrow('no');
    expect([errors, vi.getTimerCount()]).toEqual([[], 0]);
  });

  it('later is told in the stream, behind what was said', async () => {
    const { options, errors } = optionsOf({ heartbeat: { text: '~', every: 1000 } });
    vi.useFakeTimers();
    expect(await written([[text('a')], new Error('no')], options)).toEqual(['a', '!no']);
    expect([errors, vi.getTimerCount()]).toEqual([['no'], 0]);
  });
});

describe('a reader who leaves', () => {
  it('ends what is being waited for, and no timer stays', async () => {
    vi.useFakeTimers();
    let left = false;
    async function* slow(): AsyncGenerator<AnswerEvent[]> {
      try {
        yield [text('a')];
        yield [text('b')];
      } finally {
        left = true;
      }
    }
    const reasons: unknown[] = [];
    const { options } = optionsOf({
      heartbeat: { text: '~', every: 1000 },
      onCancel: (reason) => void reasons.push(reason),
    });
    const stream = await eventStream(fromBatches(slow()), options);
    expect(await stream.next()).toBe('a');
    stream.cancel('gone');
    expect(await stream.next()).toBeUndefined();
    expect([left, reasons, vi.getTimerCount()]).toEqual([true, ['gone'], 0]);
  });
});

describe('a silence', () => {
  it('is filled, and loses nothing', async () => {
    vi.useFakeTimers();
    let say = (_: AnswerEvent[]) => {};
    async function* slow(): AsyncGenerator<AnswerEvent[]> {
      yield [text('a')];
      yield await new Promise<AnswerEvent[]>((resolve) => {
        say = resolve;
      });
    }
    const { options } = optionsOf({ heartbeat: { text: '~', every: 1000 } });
    const stream = await eventStream(fromBatches(slow()), options);
    expect(await stream.next()).toBe('a');
    for (let n = 0; n < 3; n++) {
      const next = stream.next();
      await vi.advanceTimersByTimeAsync(1000);
      expect(await next).toBe('~');
    }
    const next = stream.next();
    await vi.advanceTimersByTimeAsync(10);
    say([text('b')]);
    expect(await next).toBe('b');
    expect(await stream.next()).toBe('.');
    expect(vi.getTimerCount()).toBe(0);
  });
});
