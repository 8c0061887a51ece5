// Writes docs/dialects/templates.md: every chat template of a model that a dialect names, rendered with the requests of
// vendor-requests.mjs, and how many of its prompts have the same bytes here. The templates are not part of the project.
//
//   node test/corpus/template-table.mjs <folder of templates>     after `npm run build`
//
// Where transformers is at hand (transformers.mjs), it renders the same requests, and the page states how many of its
// prompts have the bytes of the evaluator here.
//
// The templates are those of vectors/prompts, and those of templates.json: `prompt` names the file of vectors that says
// how they are rendered, and the members beside it say what is different. `left` has the reasons, by request, and
// `*` that of all others.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { table } from '../docs/dialect-table.mjs';
import { askTransformers, hasTransformers, missing } from './transformers.mjs';
import { askedOf, promptOf, promptsFolder, rendering, vendorPrompt } from './vendor-prompts.mjs';

const page = fileURLToPath(new URL('../../docs/dialects/templates.md', import.meta.url));
const core = await import('../../packages/core/dist/index.js');
const { renderTemplate } = await import('../../packages/core/dist/template/template.js');

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Every template that is known here, with the prompt that it is compared with. */
function knownTemplates() {
  const held = readdirSync(promptsFolder).map((name) => {
    const { cases, ...file } = readJson(promptsFolder + name);
    return { prompt: name.slice(0, -'.json'.length), ...file };
  });
  const others = Object.entries(readJson(new URL('templates.json', import.meta.url)));
  return [
    ...held,
    ...others.map(([template, other]) => ({
      ...held.find(({ prompt }) => prompt === other.prompt),
      left: {},
      ...other,
      template,
    })),
  ].sort((a, b) => (a.template.toLowerCase() < b.template.toLowerCase() ? -1 : 1));
}

/** Renders all requests by the template and here. */
function compare(source, file) {
  const found = { tried: 0, equal: 0, refused: [], differs: [], renderings: [] };
  for (const asked of askedOf({ ...file, left: {} })) {
    const wanted = attempt(() => vendorPrompt(renderTemplate, source, file, asked));
    const where = `${file.template}, ${asked.name}`;
    found.renderings.push({ where, asked: rendering(source, file, asked), text: wanted.text });
    if (wanted.error) {
      found.refused.push(asked.name);
      continue;
    }
    found.tried++;
    const got = attempt(() => ourPrompt(file, asked));
    if (got.text === wanted.text) found.equal++;
    else found.differs.push({ name: asked.name, ...firstDifference(wanted.text, got.text ?? '') });
  }
  return found;
}

/** Renders the same by transformers: how many prompts are those of the evaluator here, and which are not. */
function compareWithTransformers(renderings) {
  const { version, answers } = askTransformers(renderings.map(({ asked }) => asked));
  const counts = { version, equal: 0, refused: 0, differs: [] };
  for (const [at, { where, text }] of renderings.entries()) {
    const theirs = answers[at];
    if (text === undefined && theirs.error !== undefined) counts.refused++;
    else if (theirs.text === text) counts.equal++;
    else counts.differs.push({ where, theirs, ...firstDifference(theirs.text ?? '', text ?? '') });
  }
  return counts;
}

function attempt(render) {
  try {
    return { text: render() };
  } catch (error) {
    return { error };
  }
}

function ourPrompt({ prompt, variables }, { request, thinking, generate, options }) {
  const { dialect, ...chosen } = promptOf(prompt);
  return core.renderPrompt(core.findDialect(dialect), request, {
    ...chosen,
    ...(thinking !== undefined && { thinking }),
    ...(generate !== undefined && { generate }),
    safety: 'exact',
    template: { ...variables, ...options },
  }).text;
}

function firstDifference(wanted, got) {
  let at = 0;
  while (at < wanted.length && wanted[at] === got[at]) at++;
  return { at, wanted: piece(wanted, at), got: piece(got, at) };
}

/** A few characters from the difference on, never half a surrogate pair. */
const piece = (text, at) => JSON.stringify(text.slice(at, at + 40).toWellFormed());

// --- the page ------------------------------------------------------------------------------------------

function row({ template, prompt, left = {} }, { tried, equal, refused, differs }) {
  const [first] = differs;
  const shown = first ? `${first.name}, at ${first.at}: ${code(first.wanted)}, here ${code(first.got)}` : '';
  return [code(template), code(prompt), `${tried}`, `${equal}`, shown, reasons(left, refused, differs)];
}

/** Why prompts differ, each reason once. */
function reasons(left, refused, differs) {
  const why = ({ name }) => left[name] ?? left[name.split(', ')[0]] ?? left['*'] ?? 'no reason stated';
  const counts = new Map();
  for (const differing of differs) counts.set(why(differing), (counts.get(why(differing)) ?? 0) + 1);
  const stated = [...counts].map(([reason, count]) => `${reason} (${count})`);
  return [...stated, ...(refused.length > 0 ? [`the template refuses ${refused.length}`] : [])].join('; ');
}

const code = (text) => `\`${text.replaceAll('`', 'ˋ')}\``;

function againstTransformers({ version, equal, refused, differs }) {
  const others = differs.length === 0 ? 'none differs' : `${differs.length} differ`;
  return `transformers ${version} renders the same templates with the same requests: ${equal} prompts have the bytes of the evaluator here, both refuse ${refused}, and ${others}.`;
}

function pageOf(rows, theirs) {
  const total = (column) => rows.reduce((sum, cells) => sum + Number(cells[column]), 0);
  return `${[
    "# Whole prompts beside the vendors' templates",
    "Each chat template was rendered with the requests of `test/corpus/vendor-requests.mjs`, by this project's own evaluator ([templates](../templates.md) says how that one is compared with jinja2), and so was the prompt of its dialect, or of the variant behind the `@`. The templates are those of llama.cpp, vLLM, SGLang and Ollama whose models a dialect names; they are not part of the project. `node test/corpus/template-table.mjs <folder of templates>` writes this page, and compares the evaluator with transformers where `DRAGOMAN_PYTHON` names a Python that has it.",
    `${rows.length} templates, ${total(2)} conversations, ${total(3)} with the same bytes. The last column has the reasons, and how many conversations each concerns.`,
    ...(theirs ? [againstTransformers(theirs)] : []),
    table(['template', 'prompt', 'conversations', 'equal', 'first difference', 'why'], rows),
    'Two public templates of named models have no prompt here, so they have no row:',
    table(['template', 'dialect', 'why'], absent),
  ].join('\n\n')}\n`;
}

/** Templates of models that a dialect names, without a whole prompt here. */
const absent = [
  [
    '`tencent-Hy3.jinja`',
    '`hunyuan-3`',
    'it spells every tag with the suffix of the open weights (`<tool_calls:opensource>`), and hosted models without it; one prompt fits one of them only. For chat endpoints nothing is missing',
  ],
  [
    '`HuggingFaceTB-SmolLM3-3B.jinja`',
    '`hermes`',
    'it rewrites the system text (it takes the words `/think` and `/no_think` out of it, and puts it under headings of its own), which a prompt here never does to text from outside. A completion endpoint gets the turns of Qwen3, which have the same ChatML tokens',
  ],
];

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder of the templates');
const rows = [];
const renderings = [];
for (const file of knownTemplates()) {
  const path = `${folder}/${file.template}`;
  if (!existsSync(path)) console.error(`not in the folder, and left out: ${file.template}`);
  else {
    const found = compare(readFileSync(path, 'utf8'), file);
    renderings.push(...found.renderings);
    rows.push(row(file, found));
  }
}
const theirs = hasTransformers() ? compareWithTransformers(renderings) : undefined;
writeFileSync(page, pageOf(rows, theirs));
for (const [template, prompt, tried, equal] of rows) console.log(`${equal}/${tried} ${template} ${prompt}`);
console.log(theirs ? againstTransformers(theirs) : missing);
for (const { where, theirs: answer, at, wanted, got } of theirs?.differs ?? [])
  console.log(`${where}, at ${at}: ${answer.error ?? wanted}, here ${got}`);
