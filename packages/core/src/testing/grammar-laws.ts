// What is true of a dialect's grammar: whatever it lets a sampler write, the dialect's own parser reads, as the calls
// and the values that were written, which satisfy their schemas, without repairs; and whatever the dialect writes, the
// grammar lets pass.

import type { Dialect } from '../engine/dialect.js';
import { type ParsedAnswer, parse } from '../engine/parse.js';
import { Writer } from '../engine/writer.js';
import { callRules, samplingRules } from '../families/constrain.js';
import type { Rules } from '../grammar/node.js';
import type { HowMany } from '../grammar/spelling.js';
import { acceptTools, type Tool, type ToolCall } from '../model/index.js';
import { keepTool } from '../model/kept-tools.js';
import { createValidator } from '../schema/validate.js';
import { acceptText } from './accept-text.js';
import { createDrawer } from './draw-text.js';
import { type DrawnValue, unreadValue } from './drawn-values.js';
import type { LawReport } from './laws.js';
import type { Random } from './random.js';

const SHOWN = 5;

/** No grammar can say that an id, or a key which the schema does not name, stands once. */
const UNSAYABLE = new Set(['duplicate-key', 'duplicate-id']);

/** What a model says before it calls, where it may: now and then, as with the choice `auto`. */
const PROSE = 'Let me look: 1 < 2.\n\n';
const PROSE_FIRST = 0.1;

/** Texts drawn from the grammar are read as calls, as they are. */
export function grammarReads(
  dialect: Dialect,
  tools: readonly Tool[],
  random: Random,
  runs: number,
  howMany: HowMany = { from: 1 },
): LawReport {
  // Kept, so that a parser for each text does not mean to read the tools for each.
  const kept = acceptTools(tools).map(keepTool);
  const rules = callRules(dialect, kept, howMany);
  const drawn: DrawnValue[] = [];
  const note = (rule: string, text: string) =>
    drawn.push({ of: rules.values.get(rule) as DrawnValue['of'], text });
  const draw = createDrawer(rules, random, { rules: rules.values, note });
  const triggers = samplingRules(dialect)?.triggers ?? [];
  const failures: string[] = [];
  for (let n = 0; n < runs; n++) {
    drawn.length = 0;
    const calls = draw();
    const mayTalk = triggers.some((trigger) => calls.startsWith(trigger));
    const prose = mayTalk && random.chance(PROSE_FIRST) ? PROSE : '';
    const text = prose + calls;
    const answer = parse(dialect, text, { tools: kept });
    const problem = troubleWith(answer, kept, prose, howMany) ?? unreadValue(answer, kept, drawn);
    if (problem && failures.length < SHOWN) failures.push(`${problem}: ${JSON.stringify(text)}`);
  }
  return { law: 'grammar reads', tried: runs, failures };
}

function troubleWith(
  answer: ParsedAnswer,
  tools: readonly Tool[],
  prose: string,
  { from, to = Number.POSITIVE_INFINITY }: HowMany,
): string | undefined {
  const [repair] = answer.repairs;
  if (repair) return `repaired (${repair.code} at ${repair.range[0]})`;
  const issue = answer.issues.find(({ code }) => !UNSAYABLE.has(code));
  if (issue) return `${issue.code}: ${issue.message}`;
  if (answer.text.trim() !== prose.trim() || answer.reasoning !== '')
    return `text is left: ${JSON.stringify(answer.text)}`;
  // Of two calls with one id a reader may take one.
  const twice = answer.issues.filter(({ code }) => code === 'duplicate-id').length;
  if (answer.calls.length + twice < from || answer.calls.length > to) return `${answer.calls.length} calls`;
  for (const { name, input } of answer.calls) {
    const tool = tools.find((one) => one.name === name);
    if (!tool) return `no tool is called ${JSON.stringify(name)}`;
    const [wrong] = createValidator(tool.parameters ?? true).check(input);
    if (wrong) return `${wrong.path} ${wrong.message}`;
  }
  return undefined;
}

/** What the dialect's own writer writes is accepted by the grammar. */
export function grammarAccepts(
  dialect: Dialect,
  turns: readonly { tools: readonly Tool[]; calls: readonly ToolCall[] }[],
): LawReport {
  const failures: string[] = [];
  const known = new Map<readonly Tool[], Rules>();
  for (const { tools, calls } of turns) {
    const rules = known.get(tools) ?? callRules(dialect, tools, { from: 1 });
    known.set(tools, rules);
    const out = new Writer(dialect.markers);
    dialect.render.calls(out, calls, { tools, afterText: false });
    const text = out.text.trim();
    const accepted = acceptText(rules, text);
    if (accepted === true || failures.length >= SHOWN) continue;
    const near = `${JSON.stringify(text.slice(0, accepted))} … ${JSON.stringify(text.slice(accepted, accepted + 40))}`;
    failures.push(`accepted only to ${near}`);
  }
  return { law: 'grammar accepts', tried: turns.length, failures };
}
