import { describe, expect, it } from 'vitest';
import { firstState, forLink, toTryState } from './state.js';

describe('the state of Try in a link', () => {
  it('comes back as it was', () => {
    const state = {
      model: 'demo/hermes',
      others: ['demo/xnl'],
      system: 'Be brief.',
      question: 'And in Oslo?',
      tools: '[]',
      messages: [
        { role: 'user' as const, content: 'Hi' },
        {
          role: 'assistant' as const,
          content: '',
          tool_calls: [{ id: 'a', type: 'function' as const, function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool' as const, tool_call_id: 'a', content: 'ok' },
      ],
    };
    expect(toTryState(JSON.parse(JSON.stringify(forLink(state))))).toEqual(state);
  });

  it.each([
    [undefined],
    [null],
    ['text'],
    [[]],
    [{ model: 5, messages: {} }],
    [{ messages: [{ role: 'assistant', content: 'x', tool_calls: [{}] }] }],
    [{ messages: [{ role: 'root', content: 'x' }] }],
  ])('is as at the first visit where a link says %j', (value) => {
    expect(toTryState(value)).toEqual(firstState());
  });

  it('leaves a conversation behind that is too long for a link', () => {
    const messages = [{ role: 'user' as const, content: 'x'.repeat(50_000) }];
    expect(forLink({ ...firstState(), messages }).messages).toEqual([]);
  });

  it('goes back to the question where calls still wait for their results', () => {
    const calls = [{ id: 'a', type: 'function' as const, function: { name: 'f', arguments: '{}' } }];
    const messages = [
      { role: 'user' as const, content: 'Hi' },
      { role: 'assistant' as const, content: 'Hello.' },
      { role: 'user' as const, content: 'Look it up.' },
      { role: 'assistant' as const, content: '', tool_calls: calls },
    ];
    const waiting = { ...firstState(), question: '', messages };
    expect(forLink(waiting)).toEqual({ ...waiting, question: 'Look it up.', messages: messages.slice(0, 2) });
    expect(toTryState(waiting)).toEqual(forLink(waiting));
  });

  it('has no place for a key', () => {
    expect(Object.keys(toTryState({ key: 'secret', authorization: 'secret' }))).toEqual(
      Object.keys(firstState()),
    );
  });
});
