// A small answer, read by a parser that was made for twenty prepared tools and by one for none, and the same through the bridge
// with fresh objects of the same tools at every request, as a client sends them. And the same answer in deepseek-v4, whose
// tags are long, against hermes.

import { createParser, type Dialect, findDialect, prepareTools } from '@dragoman/core';
import { createResponder } from '@dragoman/core/bridge';
import { writer } from './exchange.js';
import { callText, cut, fileText, prose } from './inputs.js';
import * as limits from './limits.js';
import { cpuOfAsync, race, upToThrice } from './measure.js';
import { type CheckLimit, heading, progress, table, times } from './report.js';

export interface SmallAnswer {
  name: string;
  /** Microseconds. */
  without: number;
  withTools: number;
  ratio: number;
}

const hermes = findDialect('hermes');
const answer = answerIn(hermes);

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

/** Some 120 characters of text and a call with one of 300, as they arrive. */
function answerIn(dialect: Dialect): string[] {
  const { head, argument, tail } = callText(dialect, fileText(300));
  return cut(`${prose(120)}${head}${argument}${tail}`, 4);
}

function readAnswers(dialect: Dialect, pieces: readonly string[], offered: readonly object[]): number {
  let events = 0;
  for (let n = 0; n < ANSWERS; n++) {
    const parser = createParser(dialect, { tools: offered });
    for (const piece of pieces) events += parser.feed(piece).length;
    events += parser.finish().length;
  }
  return events;
}

export function smallAnswerOfParser(): SmallAnswer {
  const read = (offered: readonly object[]) => () => readAnswers(hermes, answer, offered);
  const best = race({ without: read([]), withTools: read(prepareTools(tools)) }, 15);
  return named('the parser', best.without, best.withTools);
}

interface SmallAnswerOfDialect {
  dialect: string;
  /** Microseconds. */
  cost: number;
  toHermes: number;
}

export function smallAnswersOfDialects(hold: CheckLimit): SmallAnswerOfDialect[] {
  heading('The same small answer in the tags of deepseek-v4, with 20 prepared tools: CPU an answer');
  progress('agent: small answers of deepseek-v4');
  const offered = prepareTools(tools);
  const deepseek = findDialect('deepseek-v4');
  const pieces = answerIn(deepseek);
  const arms = {
    hermes: () => readAnswers(hermes, answer, offered),
    'deepseek-v4': () => readAnswers(deepseek, pieces, offered),
  };
  const ratioOf = (best: Record<keyof typeof arms, number>) => best['deepseek-v4'] / best.hermes;
  const best = upToThrice(
    () => race(arms, 15),
    (costs) => ratioOf(costs) <= limits.SMALL_ANSWER_TO_HERMES,
  );
  const results = Object.entries(best).map(([dialect, cost]) => ({
    dialect,
    cost: (cost * 1000) / ANSWERS,
    toHermes: cost / best.hermes,
  }));
  table(
    ['', 'CPU', '÷ hermes'],
    results.map(({ dialect, cost, toHermes }) => [dialect, `${cost.toFixed(0)} µs`, times(toHermes)]),
  );
  hold('a small answer of deepseek-v4 ÷ hermes', ratioOf(best), limits.SMALL_ANSWER_TO_HERMES, times);
  return results;
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
