// Formats an explanation for people: the dialect, the text, the calls, issues and repairs, and the correct spelling.

import type { CallEnd, CallError, Issue } from '@dragoman/core';
import { meaningOfIssue, meaningOfRepair, recognises, verdictWords } from '@dragoman/core/internal';
import { spell } from '../example.js';
import { withDialect } from '../find-dialect.js';
import { didYouMean } from '../nearest.js';
import { showList, showPlace } from '../notes-view.js';
import { prettyJson } from '../parse-view.js';
import { Places } from '../places.js';
import { colors } from '../terminal.js';
import { cutLines, indent, visibleLine, visibleText, wrapWords } from '../visible-text.js';
import type { Explanation } from './explain-text.js';
import { showShouldBe } from './should-be-view.js';
import { showText } from './text-view.js';

export function showExplanation(explanation: Explanation, width: number): string {
  const places = new Places(explanation.text);
  const { best } = explanation.verdict;
  const parts = [
    titled('Which dialect', whichDialect(explanation, width)),
    ...(explanation.text === '' ? [] : [titled('How each character was read', readAs(explanation, width))]),
    ...calls(explanation, places, width),
    ...(best.issues.length > 0 ? [issues(explanation, places, width)] : []),
    ...(best.repairs.length > 0 ? [repairs(explanation, places, width)] : []),
    ...(explanation.left.length > 0 ? [leftovers(explanation, places, width)] : []),
    ...advice(explanation, places, width),
    ...showShouldBe(explanation, places, width),
  ];
  return parts.join('\n\n');
}

function titled(title: string, text: string): string {
  return `${colors.bold(title)}\n${text}`;
}

function paragraphs(sentences: readonly string[], width: number): string {
  return sentences
    .flatMap((sentence) => wrapWords(visibleLine(sentence), width - 2))
    .map((line) => `  ${line}`)
    .join('\n');
}

function whichDialect({ verdict, told }: Explanation, width: number): string {
  const [answer = '', ...more] = verdictWords(verdict, told);
  const { thinking, dialect } = verdict.best;
  const close = dialect.traits.reasoning?.close ?? '';
  const thought = `Read as if the prompt had opened the reasoning, because the text has ${close} without its opening tag; --no-thinking reads it otherwise.`;
  const begun = thinking && verdict.confidence !== 'none' ? [thought] : [];
  const lines = wrapWords(visibleLine(answer), width - 2).map((line) => `  ${colors.bold(line)}`);
  return [lines.join('\n'), ...[paragraphs([...more, ...begun], width)].filter((text) => text !== '')].join(
    '\n',
  );
}

function readAs({ text, spans, verdict: { best } }: Explanation, width: number): string {
  const faults = best.issues.map(({ range }) => range);
  const mended = best.repairs.map(({ range }) => range);
  return showText({ text, spans, faults, mended }, width);
}

// --- lists ---------------------------------------------------------------------------------------------------

function calls({ verdict: { best } }: Explanation, places: Places, width: number): string[] {
  const show = (call: CallEnd | CallError) => showCall(call, nameRange(best.events, call), places, width);
  return [
    ...(best.calls.length > 0 ? [showList('call', best.calls, show)] : []),
    ...(best.lost.length > 0 ? [showList('call not delivered', best.lost, show, 'calls not delivered')] : []),
  ];
}

/** Gives the range of the tool's name; of a call without one, that of its first issue. */
function nameRange(events: Explanation['verdict']['best']['events'], call: CallEnd | CallError) {
  const start = events.find(
    (event) => event.type === 'call-start' && event.id === call.id && call.id !== undefined,
  );
  return start && start.range[1] > start.range[0] ? start.range : (call.issues?.[0]?.range ?? call.range);
}

/** Lines of arguments that are shown. */
const MOST_LINES = 20;

function showCall(call: CallEnd | CallError, range: CallEnd['range'], places: Places, width: number): string {
  const isWhole = call.type === 'call-end';
  const name = colors.bold(visibleLine(call.name ?? 'without a name'));
  const head = isWhole
    ? `${colors.green('call')} ${name}  ${colors.dim(visibleLine(call.id))}`
    : `${colors.red('lost')} ${name}`;
  const raw = isWhole ? prettyJson(call.raw) : (call.raw ?? '');
  const lines = raw === '' ? [] : cutLines(visibleText(raw), width - 4);
  const shown = lines.slice(0, MOST_LINES);
  const more = lines.length - shown.length;
  return [
    showPlace(head, [], range, places, width),
    ...(shown.length > 0 ? [indent(shown.join('\n'), 4)] : []),
    ...(more > 0 ? [colors.dim(`    and ${more} more lines: see --json`)] : []),
  ].join('\n');
}

function issues({ verdict: { best }, toolNames }: Explanation, places: Places, width: number): string {
  const named = new Map<Issue, string>();
  for (const { name, issues = [] } of best.calls) for (const issue of issues) named.set(issue, name);
  return showList('issue', best.issues, (issue) => {
    const said = [issue.message, `${meaningOfIssue(issue)}${hint(issue, named.get(issue), toolNames)}`];
    return showPlace(colors.red(issue.code), said, issue.range, places, width);
  });
}

function hint({ code }: Issue, name: string | undefined, toolNames: readonly string[] | undefined): string {
  if (code !== 'unknown-tool' || name === undefined || !toolNames || toolNames.length === 0) return '';
  const near = didYouMean(name, toolNames).replace('; did', ' Did');
  return near || ` There are ${toolNames.slice(0, 10).join(', ')}.`;
}

function repairs({ verdict: { best } }: Explanation, places: Places, width: number): string {
  return showList('repair', best.repairs, ({ code, range }) =>
    showPlace(colors.yellow(code), [meaningOfRepair(code)], range, places, width),
  );
}

function leftovers({ left }: Explanation, places: Places, width: number): string {
  return showList(
    'marker left in the text',
    left,
    ({ range, why }) => showPlace(colors.yellow('no call'), [why], range, places, width),
    'markers left in the text',
  );
}

// --- when nothing was found ----------------------------------------------------------------------------------

function advice({ text, verdict, signs }: Explanation, places: Places, width: number): string[] {
  if (recognises(verdict.best)) return [];
  const count = withDialect(verdict.best.dialect).dialects.length;
  const looked = `Looked for the calls of all ${count} dialects; \`dragoman dialects\` lists them.`;
  const found = signs.map(({ at, words }) =>
    at === undefined
      ? paragraphs([words], width)
      : showPlace(colors.yellow('unknown format'), [words], [at, at + 1], places, width),
  );
  const nothing = signs.length === 0 && verdict.best.left.length === 0;
  const isEmpty = text.trim() === '';
  const plain = isEmpty ? EMPTY : PLAIN;
  const example = spell(verdict.best.dialect).call;
  const asked = `A call of ${verdict.best.dialect.name} looks like this:`;
  return [
    [
      colors.bold('Why there is no call'),
      paragraphs([...(isEmpty ? [] : [looked]), ...(nothing ? [plain] : [])], width),
      ...found,
    ].join('\n'),
    [
      colors.bold('What to try'),
      paragraphs(TRY, width),
      ...(verdict.confidence === 'asked' ? [paragraphs([asked], width), indent(example, 4)] : []),
    ].join('\n'),
  ];
}

const EMPTY = 'The text is empty: the model wrote nothing, or its text was lost on the way.';
const PLAIN = 'Nothing in it looks like a tool call: the model answered in words.';
const TRY = [
  'Check that the request offered tools, and that this is the raw text: a server may have taken reasoning and calls out of it.',
  '`dragoman render --messages` writes the prompt that teaches a dialect; `dragoman dialects` lists them.',
];
