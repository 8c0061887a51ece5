// Laws of a dialect's grammar. Whatever the grammar lets a sampler write, the dialect's parser reads as the calls and
// values that were written, valid by their schemas and without repairs. Whatever the dialect writes, the grammar
// accepts.

import type { Dialect } from '../engine/dialect.js';
import { type ParsedAnswer, parse } from '../engine/parse.js';
import { Writer } from '../engine/writer.js';
import { callRules, samplingRules } from '../families/constrain.js';
import type { Rules } from '../grammar/node.js';
import type { HowMany } from '../grammar/spelling.js';
import type { Tool, ToolCall } from '../model/index.js';
import { prepareTools } from '../model/prepared-tools.js';
import { createValidator } from '../schema/validate.js';
import { acceptText } from './accept-text.js';
import { createDrawer } from './draw-text.js';
import { type DrawnValue, unreadValue } from './drawn-values.js';
import type { LawReport } from './laws.js';
import type { Random } from './random.js';

const SHOWN = 5;

/** A grammar cannot forbid that an id, or a key the schema does not name, occurs twice. */
const UNSAYABLE = new Set(['duplicate-key', 'duplicate-id']);

/** Text before a call, now and then, as the choice `auto` allows. */
const PROSE = 'Let me look: 1 < 2.\n\n';
const PROSE_FIRST = 0.1;

/** Texts drawn from the grammar parse as exactly the calls they were drawn with. */
export function grammarReads(
  dialect: Dialect,
  tools: readonly Tool[],
  random: Random,
  runs: number,
  howMany: HowMany = { from: 1 },
): LawReport {
  // Kept tools are accepted once, not again by the parser of each text.
  const kept = prepareTools(tools);
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
  // Of two calls with the same id a reader may take one.
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

/** The grammar accepts what the dialect's own writer writes. */
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
