// The pages of docs/dialects: one a dialect, made from the dialect itself, and a list of them. `npm run docs` writes
// them. A new dialect needs no line here.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { familyOf, notesOf } from './dialect-source.mjs';
import { byFamily, families, table, traitCells, vectorsFolder, vectorsOf } from './dialect-table.mjs';
import { differencesOf } from './engine-differences.mjs';
import { answer, question, results, tools } from './example-conversation.mjs';
import { nextPrompt } from './next-prompt.mjs';

export const pagesFolder = fileURLToPath(new URL('../../docs/dialects/', import.meta.url));

/** The page of test/corpus/template-table.mjs, which needs the vendors' templates. */
const TEMPLATES = 'templates.md';

/** Every page, by its name in the folder. */
export function dialectPages(core) {
  const pages = new Map([['README.md', listPage(core)]]);
  for (const dialect of core.dialects) pages.set(`${dialect.name}.md`, dialectPage(core, dialect));
  return pages;
}

/** Pages that stand there and that nothing writes any more. */
export function leftOverPages(pages) {
  const isWritten = (name) => pages.has(name) || name === TEMPLATES;
  return existsSync(pagesFolder) ? readdirSync(pagesFolder).filter((name) => !isWritten(name)) : [];
}

// --- the list ------------------------------------------------------------------------------------------

function listPage({ dialects }) {
  const rows = (members) =>
    members.map((dialect) => [
      `[${dialect.name}](${dialect.name}.md)`,
      dialect.models.join(', ') || 'none: taught by a prompt',
      dialect.aliases.map(code).join(', '),
      ...traitCells(dialect, 'en'),
    ]);
  return lines(
    '# Dialects',
    `There are ${dialects.length}. These pages are made from the code by \`npm run docs\`; \`npm test\` fails if they are out of date. [中文](../zh-CN/dialects.md)`,
    'Every dialect can be read, and taught to any chat endpoint by a prompt. Those with a whole prompt can also be written for completion endpoints. [The library](../library.md#find-the-dialect-of-a-model) and `dragoman dialects --model` find the dialect of a model.',
    ...byFamily(dialects).flatMap(([family, members]) => [
      `## ${families[family]}`,
      table(['name', 'models', 'other names', 'whole prompt', 'arguments stream', 'grammar'], rows(members)),
    ]),
    "`alkaid` and `xnl` belong to no model, so there is no vendor: the prompt that teaches them follows the documents that define them, with contradictory examples corrected. Prompts \"to the vendor's byte\" are compared with prompts made by the vendor's template or encoder (ten for GLM, thirteen for DeepSeek; for `deepseek-v3.2` and `deepseek-v4` also eight completions each, as the vendor's decoder reads them). The others are written after the published templates and tested by hand-written cases. Models that share a dialect may have different templates: for their prompts use [`renderTemplate`](../templates.md).",
    `Which whole prompts have the bytes of the vendors' chat templates: [templates](${TEMPLATES}).`,
    'By a chat template, `detect` names the right dialect for 110 of the 142 templates that llama.cpp, vLLM, SGLang and Ollama collect (August 2026), and none for the other 32, which have no calls or calls of no dialect here; `test/engines/templates.laws.test.ts` holds it, and `test/engines/names.mjs` compares the names of their parsers with ours.',
    'Names are found whatever their case, and with or without `-`, `_` and `.`; those of serving engines (`glm45`, `deepseek_v31`, `qwen3_coder`, `llama4_pythonic` …) are among them. A dialect that is not here can be [added as data](../own-dialect.md).',
    ...differences,
  );
}

/** What serving engines are known to do, and what is done here on purpose. */
const differences = [
  '## Where serving engines do otherwise',
  'Engines differ from each other; these are known behaviours of theirs that are not followed here. What concerns one dialect is on its page.',
  table(
    ['the model wrote', 'engines', 'here'],
    [
      [
        'a call whose arguments are complete and whose closer is missing',
        'some drop it or wait for the closer, some deliver it',
        'it is delivered, with the repair `missing-closer`; where only the closer ends the arguments (tags), it is cut off',
      ],
      [
        'a call that was cut off in its arguments',
        'return the raw text (JSON in markers, lists of expressions), close the JSON and deliver it, or leave standing what was streamed',
        'it is never delivered and never text: an issue, `incomplete-call`',
      ],
      [
        'in tags, a value whose own closer is missing, before the closer of the call',
        'leave the argument out and deliver the call without it',
        'the value ends there, with the repair `missing-closer`; at the end of the text only if all outer closers follow, and not where the token limit cut it, see [0009](../decisions/0009-what-the-end-means.md)',
      ],
      [
        'a whole call in inline code, in quotation marks or in a fence',
        'read a call: they look for markers, not at Markdown',
        'so here, where a call may stand inside a line, see [0005](../decisions/0005-code-fences.md); healing takes it for a quotation',
      ],
      [
        '`[get_time( )]`: white space where there are no arguments',
        'read text, by the pattern they look for',
        'a call, as it is one in Python',
      ],
      [
        'in harmony, a message in the channel `commentary` that names no tool',
        'drop it',
        'it stays text: nothing that was said is lost',
      ],
      [
        'a section of calls with no call in it',
        'drop the markers, or the whole section',
        'it stays text, as everything that is no call; only an empty list, which says that there are none, is dropped',
      ],
      [
        'a closer or another token of the dialect in prose',
        'some strip it',
        'it stays text; only tokens that end a turn or begin a role are dropped',
      ],
      [
        'text behind the calls',
        'most drop it, also text between two calls; some keep it when they stream',
        'in GLM and DSML it is text; where engines agree, it is set aside: marked, and not in `text`, see [0001](../decisions/0001-text-after-calls.md)',
      ],
      [
        'white space between text and a call',
        'some trim the text',
        'line breaks before a call are dropped, nothing else',
      ],
      [
        '`<tool_call>` without the line break that the template writes behind it',
        'SGLang and Dynamo read text, under the name `qwen25`',
        'a call, as in vLLM and as in `hermes`',
      ],
      [
        'bare JSON, or a bare list, that is no call of a declared tool',
        'some take any object with a name for a call, also behind prose',
        'it stays text, see [0026](../decisions/0026-calls-without-markers.md)',
      ],
      [
        'the name of a tool that was not declared',
        'SGLang drops the call, vLLM in most dialects delivers it',
        'it is delivered, with the issue `unknown-tool`',
      ],
      [
        'arguments that break the schema of the tool',
        'deliver them in silence; a few drop the call, or the keys that are not declared',
        'they are delivered, with an issue that says what is wrong',
      ],
      [
        'the same key twice',
        'the last one wins in silence; a few drop the call',
        'the last one wins, with the issue `duplicate-key`',
      ],
      [
        '`NaN` or `Infinity` in JSON',
        'some pass it on, as Python prints it',
        'no JSON value: the call is an issue, `unreadable-call`',
      ],
      [
        'in tags, a value without a schema',
        'some leave every value a string',
        'JSON where it reads as something other than a string, else the text',
      ],
      [
        'in tags, the next argument before the last one was closed',
        'end the value there',
        'so here, with the repair `missing-closer`, if the tool declares that argument and it begins a line as the vendor writes it; else the value goes on to its own closer: it may be a file about tags',
      ],
      [
        '`<think>` behind text',
        'some take it for reasoning, some for text',
        'text with both its tags: a mention; a special token such as `[THINK]` opens reasoning there, too',
      ],
      [
        '`string="true"` in DSML where the schema says number',
        'vLLM lets the schema win',
        'the attribute wins; `schemaBeatsAttribute` is a policy',
      ],
      [
        '`</think>` where nothing opened it',
        'all before it is reasoning',
        'what stands before it is text, unless the parser was told that the prompt opened it (`thinking`)',
      ],
    ],
  ),
];

// --- a page --------------------------------------------------------------------------------------------

function dialectPage(core, dialect) {
  const { messages } = core.renderMessages(dialect, { tools, messages: [question, answer, ...results] });
  const [system, , turn, back] = messages;
  return lines(
    `# ${dialect.name}`,
    inText(dialect.about),
    ...notesOf(dialect).map(inText),
    table(
      ['', ''],
      [
        ['models', dialect.models.join(', ') || 'none: it is taught by a prompt'],
        ...(dialect.aliases.length > 0 ? [['other names', dialect.aliases.map(code).join(', ')]] : []),
        ...traitRows(dialect),
        ...(dialect.render.stop.length > 0
          ? [['stop strings', dialect.render.stop.map(code).join(', ')]]
          : []),
        ['family', families[familyOf(dialect)]],
        ['grammar', dialect.constrain ? 'yes, see [grammars](../grammars.md)' : 'none'],
      ],
    ),
    '## What the model writes',
    'A sentence, then two calls of the same tool.',
    fence(turn.content),
    '## What comes back',
    `The results of both, in a message of the role \`${back.role}\` for a chat endpoint.`,
    fence(back.content),
    ...teaching(core, dialect, system.content),
    ...wholePrompt(core, dialect),
    ...engineTable(dialect),
  );
}

/** What engines do otherwise with this dialect, and why it is not followed. */
function engineTable({ name }) {
  const rows = differencesOf(name);
  if (rows.length === 0) return [];
  return [
    '## What engines do otherwise',
    'Known from the test suites of llama.cpp, Ollama, SGLang and vLLM; what concerns every dialect is in [the list](README.md).',
    table(
      ['the model wrote', 'engines', 'here'],
      rows.map((cells) => cells.map(inText)),
    ),
  ];
}

function traitRows({ traits }) {
  const values = {
    json: 'the value says it itself',
    attribute:
      'an attribute of the tag says whether it is a string; where it is missing, the schema of the tool',
    schema:
      'the schema of the tool says it; without one, text that is JSON other than a string is that value',
  };
  const streams =
    traits.values === 'json'
      ? 'as they are written'
      : 'strings as they are written, other values when they close';
  return [
    [
      'ids',
      traits.ids
        ? 'on the wire; results are matched by them'
        : 'none on the wire: they are made, and results follow the order of the calls',
    ],
    ['type of a value', values[traits.values]],
    ['arguments are delivered', traits.streams ? streams : 'whole, when the block has closed'],
    ...(traits.reasoning ? [['reasoning', reasoning(traits)]] : []),
    [
      'text behind the calls',
      traits.textAfterCalls === 'text'
        ? 'is part of the answer'
        : 'is set aside: in `parts`, marked `aside`, not in `text`',
    ],
    [
      'a string where the schema says number',
      traits.coercesStrings ? 'becomes the number, as a repair' : stringStays(traits),
    ],
    ...(traits.namespace
      ? [['tool names', `that are no dotted path go under ${code(`${traits.namespace}.`)}`]]
      : []),
  ];
}

function stringStays({ values }) {
  if (values === 'schema') return 'all values are text: the schema decides';
  if (values === 'attribute') return 'stays a string, since the attribute says so';
  return 'stays a string';
}

function reasoning({ reasoning: { open, close }, startsInReasoning, callsInReasoning }) {
  const start = startsInReasoning
    ? 'with `thinking: true` the text begins inside it'
    : 'the model opens it, unless `thinking: true` states that the prompt did';
  const calls =
    callsInReasoning === 'never'
      ? 'a call in it never counts'
      : 'a call in it counts only if it never closes';
  return `${code(open)} to ${code(close)}; ${start}; ${calls}`;
}

function teaching(core, dialect, full) {
  const system = (options) =>
    core.renderMessages(dialect, { tools, messages: [question] }, options).messages[0].content;
  const chinese = system({ language: 'zh' });
  const short = system({ short: true });
  const languages = chinese === full ? '' : ` In Chinese (\`language: 'zh'\`) it has ${chinese.length}.`;
  return [
    '## The message that teaches it',
    `With one tool, \`get_weather\`, the system message has ${full.length} characters.${languages} With \`short: true\` it has ${short.length}:`,
    fence(short),
  ];
}

function wholePrompt(core, dialect) {
  if (!dialect.render.prompt) return ['## The whole prompt', withoutPrompt(dialect)];
  const { text } = core.renderPrompt(dialect, [
    question,
    answer,
    ...results,
    { role: 'user', content: 'Thanks.' },
  ]);
  return [
    '## The whole prompt',
    'The same conversation for a completion endpoint, without its tool definitions.',
    fence(text),
    evidence(vectorsOf(dialect)),
    ...variants(dialect),
    '### The next prompt',
    nextPrompt(core, dialect),
  ];
}

/** The prompts that a model's name chooses. */
function variants({ name, render: { variants = [] } }) {
  if (variants.length === 0) return [];
  const row = (variant) => [
    code(variant.name),
    variant.models.join(', '),
    evidence(vectorsOf({ name: `${name}@${variant.name}` })),
  ];
  return [
    '### The prompts of other models',
    "These models write the same calls in other turns. The model's name (`model` in the options, or of the request) chooses, and so does the name of the variant.",
    table(['variant', 'models', 'compared with'], variants.map(row)),
  ];
}

function withoutPrompt({ models }) {
  return models.length === 0
    ? "None: it is no model's own format. Use `renderMessages`."
    : "Not written here. Use `renderTemplate` with the model's own chat template, or `renderMessages`.";
}

/** What the prompt is compared with. */
function evidence(file) {
  if (!file)
    return "It is written after the vendor's published format and tested by hand-written cases; no prompt made by the vendor's own code is kept here.";
  const {
    cases,
    template,
    left = {},
    system,
    variables,
  } = JSON.parse(readFileSync(vectorsFolder + file, 'utf8'));
  const place = `\`packages/core/corpus/vectors/${file}\``;
  if (!template)
    return `Held byte for byte to ${cases.length} prompts made by the vendor's own code (${place}).`;
  return [
    `Held byte for byte to ${cases.length} prompts that the vendor's chat template, \`${template}\`, makes of the project's requests (${place}).`,
    ...(system === undefined
      ? []
      : ['Where no system text is given, the template writes one of its own, which is not written here.']),
    ...(variables?.defaultSystem === true
      ? [
          "The template's own system text, where none is given, is written with `template: { defaultSystem: true }`.",
        ]
      : []),
    ...notCompared(left),
  ].join(' ');
}

/** The requests whose prompts are not compared, by the reason. */
function notCompared(left) {
  const reasons = new Map();
  for (const [name, why] of Object.entries(left)) reasons.set(why, [...(reasons.get(why) ?? []), name]);
  return [...reasons].map(([why, names]) => `Not compared (${why}): ${names.join('; ')}.`);
}

// --- Markdown ------------------------------------------------------------------------------------------

function lines(...blocks) {
  return `${blocks.join('\n\n')}\n`;
}

const code = (text) => `\`${text}\``;

/** Tags in a sentence would be taken for HTML. */
function inText(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((piece, at) => (at % 2 === 1 ? piece : piece.replace(/<[^<>\n]{1,40}>/g, (tag) => code(tag))))
    .join('');
}

/** Longer than any fence inside. */
function fence(text) {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}text\n${text}${text.endsWith('\n') ? '' : '\n'}${mark}`;
}
