// Writes docs/dialects/templates.md: every chat template of a folder, rendered with the requests of vendor-requests.mjs,
// and how many of its prompts have the same bytes here; or why it is not compared. The templates are not part of the
// project: collect-templates.mjs makes the folder.
//
//   node test/corpus/template-table.mjs <folder of templates>     after `npm run build`
//
// Where transformers is at hand (transformers.mjs), it renders the same requests, and the page states how many of its
// prompts have the bytes of the evaluator here.
//
// The templates are those of vectors/prompts, and those of templates.json: `prompt` names the file of vectors that says
// how they are rendered, and the members beside it say what is different. `left` has the reasons, by request, and
// `*` that of all others. absent-templates.json has the reasons of those that are not compared, by their dialect or each.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { table } from '../docs/dialect-table.mjs';
import { askTransformers, hasTransformers, missing } from './transformers.mjs';
import { askedOf, promptOf, promptsFolder, rendering, vendorPrompt } from './vendor-prompts.mjs';

export const page = fileURLToPath(new URL('../../docs/dialects/templates.md', import.meta.url));
const core = await import('../../packages/core/dist/index.js');
const { renderTemplate } = await import('../../packages/core/dist/template/template.js');

/** What no row may say: the test of the page looks for it. */
export const NO_REASON = 'no reason stated';

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
  ];
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
  const why = ({ name }) => left[name] ?? left[name.split(', ')[0]] ?? left['*'] ?? NO_REASON;
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

function pageOf({ rows, absent }, theirs) {
  const total = (column) => rows.reduce((sum, cells) => sum + Number(cells[column]), 0);
  return `${[
    "# Whole prompts beside the vendors' templates",
    "Each chat template was rendered with the requests of `test/corpus/vendor-requests.mjs`, by this project's own evaluator ([templates](../templates.md) says how that one is compared with jinja2), and so was the prompt of its dialect, or of the variant behind the `@`. The templates are all that llama.cpp, vLLM, SGLang and Ollama collect; they are not part of the project. `node test/corpus/collect-templates.mjs` makes a folder of them, `node test/corpus/template-table.mjs <folder of templates>` writes this page, and compares the evaluator with transformers where `DRAGOMAN_PYTHON` names a Python that has it.",
    `${rows.length + absent.length} templates: ${rows.length} are compared here, and ${absent.length} are not.`,
    `${rows.length} templates, ${total(2)} conversations, ${total(3)} with the same bytes. The last column has the reasons, and how many conversations each concerns.`,
    ...(theirs ? [againstTransformers(theirs)] : []),
    table(['template', 'prompt', 'conversations', 'equal', 'first difference', 'why'], rows),
    `These ${absent.length} templates are not compared, since no dialect here has a whole prompt for their models. For chat endpoints nothing is missing: the server renders the template. \`renderTemplate\` renders any of them ([templates](../templates.md)).`,
    table(['template', 'dialect', 'why'], absent),
  ].join('\n\n')}\n`;
}

// --- templates that are not compared --------------------------------------------------------------------

const reasonsOfAbsent = readJson(new URL('absent-templates.json', import.meta.url));

/** Why a template is not compared, with its dialect. */
function absence(template, source) {
  const detected = core.detect({ template: source })?.dialect;
  const { dialect = detected?.name ?? '', why } = reasonsOfAbsent.templates[template] ?? {};
  return [code(template), dialect && code(dialect), why ?? absenceOf(detected, source)];
}

function absenceOf(dialect, source) {
  if (dialect && !dialect.render.prompt) return reasonsOfAbsent.dialects[dialect.name] ?? NO_REASON;
  return dialect === undefined && !/tool/i.test(source) ? 'it knows no tools' : NO_REASON;
}

/** The rows of both tables for the templates of a folder, and what was rendered for the first. */
export function tablesOf(folder) {
  const known = new Map(knownTemplates().map((file) => [file.template, file]));
  const tables = { rows: [], absent: [], renderings: [] };
  for (const template of templatesOf(folder)) {
    const source = readFileSync(`${folder}/${template}`, 'utf8');
    const file = known.get(template);
    if (file === undefined) tables.absent.push(absence(template, source));
    else {
      const found = compare(source, file);
      tables.renderings.push(...found.renderings);
      tables.rows.push(row(file, found));
    }
  }
  return tables;
}

function templatesOf(folder) {
  const names = readdirSync(folder).filter((name) => /\.jinja2?$/.test(name));
  return names.sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
}

function main([folder]) {
  if (folder === undefined) throw new Error('name the folder of the templates');
  for (const { template } of knownTemplates())
    if (!existsSync(`${folder}/${template}`)) console.error(`not in the folder, and left out: ${template}`);
  const tables = tablesOf(folder);
  const theirs = hasTransformers() ? compareWithTransformers(tables.renderings) : undefined;
  writeFileSync(page, pageOf(tables, theirs));
  for (const [template, prompt, tried, equal] of tables.rows)
    console.log(`${equal}/${tried} ${template} ${prompt}`);
  console.log(theirs ? againstTransformers(theirs) : missing);
  for (const { where, theirs: answer, at, wanted, got } of theirs?.differs ?? [])
    console.log(`${where}, at ${at}: ${answer.error ?? wanted}, here ${got}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
