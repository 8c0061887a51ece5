import type { ReplyStream } from '@dragoman/core/bridge';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Body } from './items.js';
import { keepStream } from './keep-stream.js';
import { ResponseFrames } from './response-frames.js';

const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const response = (status: string) => ({ id: 'resp_1', status, output: ['ü\n\nevent: response.completed\n'] });
const stream = [
  event('response.created', {
    type: 'response.created',
    response: response('in_progress'),
    sequence_number: 0,
  }),
  event('response.output_text.delta', { delta: 'event: response.completed\n\n' }),
  ': ping\n',
  event('response.completely.other', { delta: '你好' }),
  event('response.completed', { response: response('completed'), sequence_number: 9 }),
].join('');

/** The text in pieces, cut at these places. */
function cutAt(text: string, places: number[]): string[] {
  const sorted = [...new Set(places)].sort((a, b) => a - b);
  return [0, ...sorted].map((from, at) => text.slice(from, sorted[at]));
}

function streamOf(pieces: string[]): ReplyStream {
  const waiting = [...pieces];
  return { next: async () => waiting.shift(), cancel: () => {} };
}

async function textOf(stream: ReplyStream): Promise<string> {
  let all = '';
  for (let text = await stream.next(); text !== undefined; text = await stream.next()) all += text;
  return all;
}

const changing = (kept: Body[]) => ({
  show: (body: Body) => ({ ...body, shown: true }),
  keep: async (body: Body) => {
    kept.push(body);
    return { ...body, kept: true };
  },
});

describe('events that hold a response', () => {
  it('are found whatever the cuts, and everything else passes letter for letter', () => {
    const whole = new ResponseFrames().feed(stream);
    expect(whole.map((piece) => (typeof piece === 'string' ? '…' : piece.name))).toEqual([
      'response.created',
      '…',
      'response.completed',
    ]);
    const places = fc.array(fc.nat(stream.length), { maxLength: 40 });
    fc.assert(
      fc.property(places, (cuts) => {
        const frames = new ResponseFrames();
        const out = cutAt(stream, cuts).flatMap((piece) => frames.feed(piece));
        expect(out.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('')).toBe(stream);
        expect(out.filter((piece) => typeof piece !== 'string')).toEqual(
          whole.filter((piece) => typeof piece !== 'string'),
        );
        expect(frames.finish()).toBe('');
      }),
      { seed: 20261115, numRuns: 500 },
    );
  });

  it('alone wait: signs of life and deltas pass at once, also in the middle of a line', () => {
    const frames = new ResponseFrames();
    expect(frames.feed(': ping\n')).toEqual([': ping\n']);
    expect(frames.feed('event: response.output_text.delta\ndata: {"a')).toHaveLength(1);
    expect(frames.feed('event: response.completed\n')).toEqual(['event: response.completed\n']);
    expect(frames.feed('\nevent: respon')).toEqual(['\n']);
    expect(frames.feed('se.')).toEqual([]);
    expect(frames.feed('content_part.added\n')).toEqual(['event: response.content_part.added\n']);
  });

  it('that never end come out at the end', () => {
    const frames = new ResponseFrames();
    frames.feed('event: response.completed\ndata: {"resp');
    frames.feed('onse":');
    expect(frames.finish()).toBe('event: response.completed\ndata: {"response":');
  });
});

describe('a stream that is kept', () => {
  it('is changed where it shows a response, for every cutting', async () => {
    const expected = stream
      .replace('"]},"sequence_number":0', '"],"shown":true},"sequence_number":0')
      .replace('"]},"sequence_number":9', '"],"kept":true},"sequence_number":9');
    for (const size of [1, 2, 3, 7, 64, 100_000]) {
      const pieces: string[] = [];
      for (let at = 0; at < stream.length; at += size) pieces.push(stream.slice(at, at + size));
      const kept: Body[] = [];
      expect(await textOf(keepStream(streamOf(pieces), changing(kept)))).toBe(expected);
      expect(kept).toEqual([response('completed')]);
    }
  });

  it('shows its last event only when the response is kept, and everything before at once', async () => {
    let finish = () => {};
    const keep = () =>
      new Promise<Body>((resolve) => {
        finish = () => resolve({ id: 'resp_1' });
      });
    const watched = keepStream(streamOf([stream]), { show: (body) => body, keep });
    let text = '';
    const reading = (async () => {
      for (let next = await watched.next(); next !== undefined; next = await watched.next()) text += next;
    })();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(text).toBe(stream.slice(0, stream.lastIndexOf('event: response.completed\ndata')));
    finish();
    await reading;
    expect(text).toContain('{"response":{"id":"resp_1"},"sequence_number":9}');
  });

  it('that is cancelled cancels what it reads from, with the reason', async () => {
    let reason: unknown;
    const source: ReplyStream = {
      next: async () => ': ping\n',
      cancel(given) {
        reason = given;
      },
    };
    const kept = keepStream(source, changing([]));
    await kept.next();
    kept.cancel('gone');
    expect(reason).toBe('gone');
  });

  it('is not read ahead of its reader', async () => {
    let pulled = 0;
    const source: ReplyStream = {
      async next() {
        pulled++;
        return ': ping\n';
      },
      cancel: () => {},
    };
    await keepStream(source, changing([])).next();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(pulled).toBe(1);
  });

  it('whose data is no JSON passes as it is', async () => {
    const odd = 'event: response.completed\ndata: {"response"\n\nevent: response.failed\ndata: 5\n\n';
    const kept: Body[] = [];
    expect(await textOf(keepStream(streamOf([odd]), changing(kept)))).toBe(odd);
    expect(kept).toEqual([]);
  });
});
