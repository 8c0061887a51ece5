// A small answer, read by a parser that was made for twenty prepared tools and by one for none, and the same through the bridge
// with fresh objects of the same tools at every request, as a client sends them.

import { createParser, findDialect, prepareTools } from '@dragoman/core';
import { createResponder } from '@dragoman/core/bridge';
import { writer } from './exchange.js';
import { callText, cut, fileText, prose } from './inputs.js';
import { cpuOfAsync, race } from './measure.js';

export interface SmallAnswer {
  name: string;
  /** Microseconds. */
  without: number;
  withTools: number;
  ratio: number;
}

const dialect = findDialect('hermes');
const { head, argument, tail } = callText(dialect, fileText(300));
const answer = cut(`${prose(120)}${head}${argument}${tail}`, 4);

const tools = Array.from({ length: 20 }, (_, at) => ({
  name: at === 0 ? 'write_file' : `tool_${at}`,
  description: prose(80, at + 1),
  parameters: {
    type: 'object',
    properties: {
      text: { type: 'string', description: prose(40, at + 2) },
      from: { type: 'integer', minimum: 0 },
      mode: { type: 'string', enum: ['one', 'two', 'three'] },
    },
    required: ['text'],
  },
}));

const ANSWERS = 300;

export function smallAnswerOfParser(): SmallAnswer {
  const read = (offered: readonly object[]) => () => {
    let events = 0;
    for (let n = 0; n < ANSWERS; n++) {
      const parser = createParser(dialect, { tools: offered });
      for (const piece of answer) events += parser.feed(piece).length;
      events += parser.finish().length;
    }
    return events;
  };
  const best = race({ without: read([]), withTools: read(prepareTools(tools)) }, 15);
  return named('the parser', best.without, best.withTools);
}

export async function smallAnswerOfBridge(): Promise<SmallAnswer> {
  const respond = createResponder({ mode: 'emulate', dialect: 'hermes', upstream: writer(answer) });
  const ask = (offered: object[]) => async () => {
    let characters = 0;
    for (let n = 0; n < ANSWERS; n++)
      characters += (await (await respond(requestWith(offered))).text()).length;
    return characters;
  };
  const arms = { without: ask([]), withTools: ask(tools) };
  const best = { without: Number.POSITIVE_INFINITY, withTools: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 12; round++)
    for (const name of ['without', 'withTools'] as const)
      best[name] = Math.min(best[name], await cpuOfAsync(arms[name]));
  return named('the bridge', best.without, best.withTools);
}

function named(name: string, without: number, withTools: number): SmallAnswer {
  const each = 1000 / ANSWERS;
  return { name, without: without * each, withTools: withTools * each, ratio: withTools / without };
}

function requestWith(offered: object[]): Request {
  const messages = [{ role: 'user', content: 'Write it.' }];
  const listed = offered.map((tool) => ({ type: 'function', function: tool }));
  const body = { model: 'some-model', stream: true, messages, ...(listed.length > 0 && { tools: listed }) };
  return new Request('http://bridge.test/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
