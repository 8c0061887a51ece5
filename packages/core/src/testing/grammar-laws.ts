// What is true of a dialect's grammar: whatever it lets a sampler write, the dialect's own parser reads, as calls that
// satisfy their schemas, without repairs; and whatever the dialect writes, the grammar lets pass.

import { callRules } from '../codec/constrain.js';
import type { Dialect } from '../codec/dialect.js';
import { parse } from '../codec/parse.js';
import type { HowMany } from '../codec/spelling.js';
import { createValidator } from '../codec/validate.js';
import { Writer } from '../codec/writer.js';
import type { Tool, ToolCall } from '../model/index.js';
import { acceptText } from './accept-text.js';
import { createDrawer } from './draw-text.js';
import type { LawReport } from './laws.js';
import type { Random } from './random.js';

const SHOWN = 5;

/** No grammar can say that an id, or a key which the schema does not name, stands once. */
const UNSAYABLE = new Set(['duplicate-key', 'duplicate-id']);

/** Texts drawn from the grammar are read as calls, as they are. */
export function grammarReads(
  dialect: Dialect,
  tools: readonly Tool[],
  random: Random,
  runs: number,
  howMany: HowMany = { from: 1 },
): LawReport {
  const draw = createDrawer(callRules(dialect, tools, howMany), random);
  const failures: string[] = [];
  for (let n = 0; n < runs; n++) {
    const text = draw();
    const problem = troubleWith(dialect, tools, text, howMany);
    if (problem && failures.length < SHOWN) failures.push(`${problem}: ${JSON.stringify(text)}`);
  }
  return { law: 'grammar reads', tried: runs, failures };
}

function troubleWith(
  dialect: Dialect,
  tools: readonly Tool[],
  text: string,
  { from, to = Number.POSITIVE_INFINITY }: HowMany,
): string | undefined {
  const answer = parse(dialect, text, { tools });
  const [repair] = answer.repairs;
  if (repair) return `repaired (${repair.code} at ${repair.range[0]})`;
  const issue = answer.issues.find(({ code }) => !UNSAYABLE.has(code));
  if (issue) return `${issue.code}: ${issue.message}`;
  if (answer.text !== '' || answer.reasoning !== '') return `text is left: ${JSON.stringify(answer.text)}`;
  if (answer.calls.length < from || answer.calls.length > to) return `${answer.calls.length} calls`;
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
  for (const { tools, calls } of turns) {
    const out = new Writer(dialect.markers);
    dialect.render.calls(out, calls, { tools, afterText: false });
    const text = out.text.trim();
    const accepted = acceptText(callRules(dialect, tools, { from: 1 }), text);
    if (accepted === true || failures.length >= SHOWN) continue;
    const near = `${JSON.stringify(text.slice(0, accepted))} … ${JSON.stringify(text.slice(accepted, accepted + 40))}`;
    failures.push(`accepted only to ${near}`);
  }
  return { law: 'grammar accepts', tried: turns.length, failures };
}
