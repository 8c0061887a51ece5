// The part of the bench about agents: requests with sixty tools and a long history, through the gateway and through a
// bare proxy that parses them; small answers with tools, through the parser and through the bridge; grammars of the
// tools, long arguments, cold starts, and what is kept of many requests.

import { agentGrammars, wholeArguments } from './agent-grammars.js';
import { agentMemory } from './agent-memory.js';
import { type AgentBody, AgentSession, newSession, smallSession } from './agent-requests.js';
import { coldStarts } from './cold-start.js';
import { Asker } from './gateway-client.js';
import { type LoadArm, type Stand, setUp } from './gateway-load.js';
import * as limits from './limits.js';
import { median } from './measure.js';
import { type CheckLimit, heading, note, progress, table, times } from './report.js';
import { type SmallAnswer, smallAnswerOfBridge, smallAnswerOfParser } from './small-answers.js';

const ROUNDS = 10;
/**
 * Small sessions before the first round, for each of the proxies. A gateway runs for days, and the engine compiles its
 * functions one by one: after 2,000 requests it still compiles some forty in the next 200, a tenth of their time.
 */
const WARM_UP = 5000;
/** Requests at once while it warms up. */
const AT_ONCE = 8;
/** Steps of a session: the first is not counted, and the second, which finds the first only as text, by itself. */
const STEPS = 9;
const SESSIONS = 12;
/**
 * New sessions in a round: enough for at least one collection of all garbage. The gateway has one after some 120
 * sessions, which takes as long as fifteen of them: rounds of 48, with one or with none, cost 16 or 12 ms a session.
 */
const NEW_SESSIONS = 192;

/** Microseconds a request: of a session never seen before, of the second step of one, and of those behind it. */
interface AgentCost {
  first: number;
  second: number;
  later: number;
}

export async function agentPart(hold: CheckLimit) {
  const stand = await setUp(process.env.BENCH_GATEWAY_FLAGS?.split(' ') ?? []);
  try {
    return {
      requests: await requests(stand, hold),
      small: await smallAnswers(hold),
      grammars: agentGrammars(hold),
      arguments: wholeArguments(hold),
      starts: await coldStarts(hold),
      memory: await agentMemory(hold),
    };
  } finally {
    await stand.stop();
  }
}

async function requests(stand: Stand, hold: CheckLimit) {
  const size = newSession({ model: 'chat', stream: true }, 'x').length;
  heading(`A request of an agent, ${Math.round(size / 1000)} KB: CPU of the proxy alone`);
  const arms = [...stand.bare.slice(1), ...stand.gateway.slice(1)];
  for (const arm of arms) await warmUp(stand, arm);
  const rounds: Map<string, AgentCost>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    progress(`agent: round ${round + 1} of ${ROUNDS}`);
    const costs = new Map<string, AgentCost>();
    for (const arm of round % 2 ? arms.toReversed() : arms)
      costs.set(arm.name, await agentCost(stand, arm, round));
    // The first round warms up, too.
    if (round > 0) rounds.push(costs);
  }
  await checkRecalled(stand);
  const [floor = ''] = arms.map(({ name }) => name);
  const of = (name: string, key: keyof AgentCost) =>
    median(rounds.map((costs) => costs.get(name)?.[key] ?? 0));
  const ratio = (name: string, key: keyof AgentCost) =>
    median(rounds.map((costs) => (costs.get(name)?.[key] ?? 0) / (costs.get(floor)?.[key] ?? 1)));
  const us = (value: number) => `${value.toFixed(0)} µs`;
  table(
    ['', 'a new session', '÷ parsed', 'its second step', '÷ parsed', 'a later step', '÷ parsed'],
    arms.map(({ name }) => [
      name,
      us(of(name, 'first')),
      times(ratio(name, 'first')),
      us(of(name, 'second')),
      times(ratio(name, 'second')),
      us(of(name, 'later')),
      times(ratio(name, 'later')),
    ]),
  );
  note('Parsed: node:http, undici, JSON.parse and JSON.stringify of the request and of each event.');
  note('A new session has tools and messages that the gateway never saw; a later step only a few.');
  for (const { name, says } of arms.slice(1)) {
    const { first, later } = says === 'call' ? limits.AGENT_EMULATED : limits.AGENT_NATIVE;
    hold(`a request of a new session (${name}) ÷ parsed`, ratio(name, 'first'), first, times);
    hold(`the second step of an agent (${name}) ÷ parsed`, ratio(name, 'second'), later, times);
    hold(`a later step of an agent (${name}) ÷ parsed`, ratio(name, 'later'), later, times);
  }
  return rounds.map((costs) => Object.fromEntries(costs));
}

/** Later steps bring back what the model wrote: to find it is part of their cost. */
async function checkRecalled({ gateway: [arm] }: Stand): Promise<void> {
  const text = await (await fetch(`${arm?.process.url}/metrics`)).text();
  const known = Number(/^dragoman_recalled_turns_total\{known="yes"\} (.*)$/m.exec(text)?.[1] ?? 0);
  if (known === 0) throw new Error('the gateway has recalled no turn of the sessions');
}

async function warmUp({ upstream }: Stand, arm: LoadArm): Promise<void> {
  progress(`agent: warming up ${arm.name}`);
  await upstream.ask('behave', { hold: false, says: arm.says });
  const asker = new Asker(arm.process.url);
  let left = WARM_UP;
  const ask = async () => {
    while (left-- > 0)
      await asker.whole(smallSession({ model: arm.model, stream: true }, `Small ${arm.name} ${left}. `));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  await asker.close();
}

async function agentCost({ upstream }: Stand, arm: LoadArm, round: number): Promise<AgentCost> {
  await upstream.ask('behave', { hold: false, says: arm.says });
  const asker = new Asker(arm.process.url);
  const body: AgentBody = { model: arm.model, stream: true };
  const cost: AgentCost = { first: 0, second: 0, later: 0 };
  const measured = async (ask: () => Promise<void>) => {
    const before = await arm.process.cpu();
    await ask();
    return (await arm.process.cpu()) - before;
  };
  const names = Array.from({ length: SESSIONS }, (_, session) => `Session ${arm.name} ${round} ${session}. `);
  for (const name of names) {
    const session = new AgentSession(body, name, STEPS);
    const step = async () => session.add(await asker.whole(session.body));
    await step();
    cost.second += (await measured(step)) / SESSIONS;
    const later = STEPS - 2;
    const all = async () => {
      for (let at = 0; at < later; at++) await step();
    };
    cost.later += (await measured(all)) / later / SESSIONS;
  }
  // Together: to tell its CPU takes a process a tenth of a millisecond.
  const others = Array.from(
    { length: NEW_SESSIONS },
    (_, session) => `Another ${arm.name} ${round} ${session}. `,
  );
  const bodies = others.map((name) => newSession(body, name));
  const fresh = async () => {
    for (const one of bodies) await asker.whole(one);
  };
  cost.first = (await measured(fresh)) / NEW_SESSIONS;
  await asker.close();
  return cost;
}

async function smallAnswers(hold: CheckLimit): Promise<SmallAnswer[]> {
  heading('An answer of 500 characters as hermes, with 20 tools and without: CPU an answer');
  progress('agent: small answers');
  const results = [smallAnswerOfParser(), await smallAnswerOfBridge()];
  const us = (value: number) => `${value.toFixed(0)} µs`;
  table(
    ['', 'without tools', 'with 20 tools', 'ratio'],
    results.map(({ name, without, withTools, ratio }) => [name, us(without), us(withTools), times(ratio)]),
  );
  for (const { name, ratio } of results)
    hold(`${name}: 20 tools ÷ none`, ratio, limits.SMALL_ANSWER_TOOLS, times);
  return results;
}
