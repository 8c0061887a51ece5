// Faults of the arguments of calls.

import { mapCalls, mapInput } from './answer-events.fixture.js';
import { eachArguments, oneWay } from './any-api.fixture.js';
import type { NamedFault } from './named-fault.fixture.js';

export const argumentFaults: Record<string, NamedFault> = {
  'arguments lose special tokens': {
    fails: ['special-tokens-stripped'],
    events: mapInput((text) => text.replace(/<\|[a-z_]+\|>|\[TOOL_CALLS\]/g, '')),
  },
  'arguments are cut': {
    fails: ['arguments-json'],
    // Whole messages of Anthropic have values.
    by: ['openai-chat', 'openai-responses'],
    ...oneWay(
      eachArguments((text) => text.slice(0, -1)),
      false,
    ),
    events: (events, { stream }) =>
      stream ? mapCalls((call) => ({ ...call, raw: call.raw.slice(0, -1) }))(events) : events,
  },
  'numbers become strings': {
    fails: ['arguments-schema'],
    events: mapCalls((call) => ({ ...call, raw: call.raw.replace(/: ?(-?\d[\d.]*)([,}])/g, ':"$1"$2') })),
  },
  'a required argument is missing': {
    fails: ['arguments-schema'],
    events: mapCalls((call) => ({ ...call, raw: '{}' })),
  },
  'backslashes are doubled': {
    fails: ['arguments-exact'],
    events: mapInput((text) => text.replaceAll('\\', '\\\\')),
  },
  'line breaks are lost': {
    fails: ['arguments-exact'],
    events: mapInput((text) => text.replaceAll('\n', ' ')),
  },
  'texts lose the spaces before them': {
    fails: ['arguments-exact'],
    events: mapInput((text) => text.trimStart()),
  },
  'texts are trimmed': { fails: ['arguments-exact'], events: mapInput((text) => text.trim()) },
  'entities are decoded': {
    fails: ['arguments-exact'],
    events: mapInput((text) => text.replaceAll('&lt;', '<')),
  },
  'zeros are lost': { fails: ['arguments-exact'], events: mapInput((text) => (text === '007' ? '7' : text)) },
  'large numbers become infinite': {
    fails: ['arguments-exact'],
    events: mapInput((text) => (text === '1e400' ? 'Infinity' : text)),
  },
  'emoji are broken': {
    fails: ['arguments-exact'],
    events: mapInput((text) => text.replace(/[\u{1f000}-\u{1ffff}]/gu, '\ufffd')),
  },
  'text ends at a marker': {
    fails: ['arguments-exact'],
    events: mapInput((text) => text.split('</tool_call>')[0] ?? ''),
  },
  'thoughts are cut out of arguments': {
    fails: ['arguments-exact'],
    events: mapInput((text) => text.replace(/<think>.*<\/think>/s, '')),
  },
  'numbers are rounded': {
    fails: ['arguments-exact'],
    events: mapCalls((call) => ({ ...call, raw: call.raw.replace(/(\d)\.\d+/g, '$1') })),
  },
  'lists get an item': {
    fails: ['arguments-exact'],
    events: mapCalls((call) => {
      const input = JSON.parse(call.raw || '{}');
      if (Array.isArray(input.dishes)) input.dishes = [...input.dishes, 'water'];
      return { ...call, raw: JSON.stringify(input) };
    }),
  },
  'objects within arguments are texts': {
    fails: ['arguments-schema'],
    events: mapCalls((call) => {
      const input = JSON.parse(call.raw || '{}');
      for (const key of Object.keys(input))
        if (typeof input[key] === 'object') input[key] = JSON.stringify(input[key]);
      return { ...call, raw: JSON.stringify(input) };
    }),
  },
  'arguments have entities': {
    fails: ['arguments-exact'],
    events: mapInput((text) => text.replaceAll('<', '&lt;')),
  },
  'arguments are in another encoding': {
    fails: ['arguments-exact'],
    events: mapInput((text) =>
      Buffer.from(text, 'utf8')
        .toString('latin1')
        .replace(/[\x80-\x9f]/g, '?'),
    ),
  },
};
