// The checks of order can fail: they find streams with an event missing, repeated or out of order.

import { describe, expect, it } from 'vitest';
import { type HandMade, handMade } from './hand-made.js';
import { type ClientApi, checkOrder } from './order.js';
import { readEvents } from './told.js';

const paths: Record<ClientApi, string> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
};

/** Responses number their events: a new order needs new numbers, or the numbers alone would show it. */
function check(api: ClientApi, stream: readonly string[]) {
  let number = 0;
  const numbered = stream.map((event) =>
    event.replace(/"sequence_number":\d+/, () => `"sequence_number":${number++}`),
  );
  return checkOrder[api](readEvents(numbered.join('')), false);
}

/** A delta that is lost or moved is no matter of order. */
const isDelta = (event: string) =>
  event.includes('"content":"Hi ') || event.includes('_delta') || event.includes('.delta');

describe.each(Object.keys(checkOrder) as ClientApi[])('%s', (api) => {
  const { stream, failures } = handMade[paths[api]] as HandMade;
  const said = (events: string[]) => JSON.stringify(check(api, events));

  it('takes a stream as documented', () => {
    expect(check(api, stream)).toMatchObject({
      text: 'Hi ',
      reasoning: '',
      calls: [{ id: 'x', name: 'get_weather', arguments: '{"city":"Oslo"}', complete: true }],
      error: undefined,
    });
  });

  it('takes a stream that ends with an error', () => {
    for (const failure of failures) {
      const told = check(api, [...stream.slice(0, 5), failure]);
      expect(told).toMatchObject({ error: 'it broke', finish: undefined });
    }
  });

  it('takes no stream that stops', () => {
    for (let end = 1; end < stream.length; end++) expect(() => check(api, stream.slice(0, end))).toThrow();
  });

  it('takes no stream that lacks an event', () => {
    stream.forEach((event, at) => {
      const without = stream.toSpliced(at, 1);
      if (isDelta(event) || event.includes('"arguments":')) {
        // What is said changes, where nothing else shows it.
        let found = '';
        try {
          found = said(without);
        } catch {}
        expect(found).not.toBe(said(stream));
      } else expect(() => check(api, without), event).toThrow();
    });
  });

  it('takes no event twice', () => {
    stream.forEach((event, at) => {
      let found = '';
      try {
        found = said(stream.toSpliced(at, 0, event));
      } catch {}
      expect(found, event).not.toBe(said(stream));
    });
  });

  it('takes no two events in another order', () => {
    for (let at = 0; at + 1 < stream.length; at++) {
      const [one, two] = [stream[at] as string, stream[at + 1] as string];
      // In chat, text and calls stand beside each other: only within each is there an order.
      if (one.includes('"content":"Hi "')) continue;
      let found = '';
      try {
        found = said(stream.toSpliced(at, 2, two, one));
      } catch {}
      expect(found, `${one}${two}`).not.toBe(said(stream));
    }
  });
});
