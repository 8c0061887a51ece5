// Writes the prompts of packages/core/corpus/vectors/prompts: what the vendors' own chat templates make of the
// requests of vendor-requests.mjs. The templates are not part of the project.
//
//   node test/corpus/vendor-prompts.mjs <folder of templates> [name…]     writes them, after `npm run build`
//
// A file is named after its dialect (`hermes.json`), or after a variant of its prompt (`hermes@qwq.json`, which is rendered
// with the model `qwq`). It says by itself how it is made; a new one begins without cases:
//
//   template    the file of the template, which names the model
//   variables   what the template takes in every case: bos_token, eos_token, date_string; ours is told the same. With
//               `defaultSystem` ours writes the system text of the template where none is given
//   now         what its clock says, if it asks for it
//   settings    ways to ask, beside the default: { name, thinking, options }, with the options of the template
//   named       the results carry the names of their tools
//   reasoning   what the template calls reasoning, if not `reasoning_content`; where it takes it as a part of the content,
//               how it writes that: `[THINK]{reasoning}[/THINK]` (the content that it gets has it so written)
//   arguments   `text`: the template takes the arguments of a call as JSON text
//   definitions the requests that show how definitions of many kinds are told, too
//   system      the system text of requests that have none, where the template has a default that is not ours to write
//   left        requests that are left out, and why
//   cases       written here
//
// What a template refuses is left out, and said. One that changes lists, which the evaluator refuses, makes new ones.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { definitions, requests } from './vendor-requests.mjs';

export const promptsFolder = fileURLToPath(
  new URL('../../packages/core/corpus/vectors/prompts/', import.meta.url),
);

/** The dialect of a file, and the model that chooses its prompt there. */
export function promptOf(name) {
  const [dialect, variant] = name.split('@');
  return { dialect, ...(variant !== undefined && { model: variant }) };
}

/** What is asked in every setting beside the default. */
const inSettings = new Set([
  'user only',
  'system and tools',
  'reasoning of the last turn',
  'reasoning of earlier turns',
]);

/** The prompt of one case, by the vendor's template. */
export function vendorPrompt(renderTemplate, source, file, asked) {
  const { template, request, variables, generate, now } = rendering(source, file, asked);
  return renderTemplate(template, request, {
    addGenerationPrompt: generate,
    variables,
    ...(now && { now: new Date(now) }),
  }).text;
}

/** What a template is rendered with in one case, here and by transformers (transformers.mjs). */
export function rendering(source, file, { request, generate = true, options }) {
  const { variables, now } = file;
  return {
    template: withoutMutation(source),
    request: requestFor(request, file),
    variables: { ...variables, ...options },
    generate,
    ...(now && { now }),
  };
}

function requestFor(request, { arguments: given, reasoning }) {
  if (reasoning?.includes('{reasoning}')) return withThoughts(request, reasoning);
  return given === 'text' ? withTexts(request) : request;
}

/** Puts reasoning into the content, as the template writes it there. */
function withThoughts(request, pattern) {
  const messages = request.messages.map(({ reasoning_content: thought, ...message }) =>
    thought === undefined
      ? message
      : { ...message, content: pattern.replace('{reasoning}', thought) + message.content },
  );
  return { ...request, messages };
}

/** The evaluator refuses to change a list, as that of transformers does; some templates keep a queue in one. */
function withoutMutation(template) {
  return template
    .replace(/\{%- set _ = ([\w.]+)\.append\((\w+)\) -%\}/g, '{%- set $1 = $1 + [$2] -%}')
    .replace(/\{%- set (\w+) = ([\w.]+)\.pop\(0\) -%\}/g, '{%- set $1 = $2[0] -%}{%- set $2 = $2[1:] -%}');
}

/** Arguments are parsed on their way to a template: what shall arrive as a text is a JSON string. */
function withTexts(request) {
  const inText = ({ function: { arguments: given, ...named }, ...call }) => ({
    ...call,
    function: { ...named, arguments: JSON.stringify(spaced(JSON.parse(given))) },
  });
  const messages = request.messages.map((message) =>
    message.tool_calls ? { ...message, tool_calls: message.tool_calls.map(inText) } : message,
  );
  return { ...request, messages };
}

/** JSON as Python spells it. */
function spaced(value) {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${spaced(member)}`);
  return `{${members.join(', ')}}`;
}

function casesOf(renderTemplate, template, file, refused) {
  const cases = [];
  for (const asked of askedOf(file)) {
    try {
      cases.push({ ...asked, prompt: vendorPrompt(renderTemplate, template, file, asked) });
    } catch (error) {
      refused.push(`${asked.name}: ${error.message}`);
    }
  }
  return cases;
}

/** The requests that a file asks for, without those that it leaves out. */
export function askedOf(file) {
  const cases = [];
  for (const { name: setting, ...settings } of [{ name: '' }, ...(file.settings ?? [])]) {
    for (const { name, generate, ...request } of [...requests, ...(file.definitions ? definitions : [])]) {
      if (file.left?.[name] || (setting && !inSettings.has(name))) continue;
      cases.push({
        name: setting ? `${name}, ${setting}` : name,
        ...(generate !== undefined && { generate }),
        ...settings,
        request: { ...request, messages: messagesFor(request.messages, file) },
      });
    }
  }
  return cases;
}

/** Most APIs give the name of a tool with its result; some templates take it for the name of a role. */
function messagesFor(messages, { named, system, reasoning = 'reasoning_content' }) {
  const reasoningKey = reasoning.includes('{reasoning}') ? 'reasoning_content' : reasoning;
  const lead =
    system !== undefined && messages[0].role !== 'system' ? [{ role: 'system', content: system }] : [];
  const rest = messages.map(({ name, reasoning_content, ...message }) => ({
    ...message,
    ...(reasoning_content !== undefined && { [reasoningKey]: reasoning_content }),
    ...(named && name !== undefined && { name }),
  }));
  return [...lead, ...rest];
}

async function main([folder, ...only]) {
  const { renderTemplate } = await import('../../packages/core/dist/template/template.js');
  const names = only.length > 0 ? only : readdirSync(promptsFolder).map((name) => name.slice(0, -5));
  for (const name of names) {
    const path = `${promptsFolder}${name}.json`;
    const file = JSON.parse(readFileSync(path, 'utf8'));
    const template = readFileSync(`${folder}/${file.template}`, 'utf8');
    const refused = [];
    const cases = casesOf(renderTemplate, template, file, refused);
    writeFileSync(path, `${JSON.stringify({ ...file, cases }, null, 1)}\n`);
    console.log(`${name}: ${cases.length} prompts`);
    for (const line of refused) console.log(`  refused: ${line}`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2));
