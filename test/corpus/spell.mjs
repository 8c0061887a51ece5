// Writes the Rosetta stone: every conversation of packages/core/corpus/conversations in every dialect.
//
//   <dialect>.txt            the assistant's turns as a model writes them: what a parser reads
//   <dialect>.messages.json  the messages that teach a chat endpoint and carry the conversation
//   <dialect>.prompt.txt     the whole prompt, where the dialect is a model's own
//
// The files are committed, so that a diff shows what a change does to every dialect.
//
//   npm run corpus              writes them
//   npm run corpus -- --check   exits with 1 and names the files that differ
//
// A new dialect needs no line here, unless its model writes reasoning in a layout of its own.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const conversationsFolder = fileURLToPath(
  new URL('../../packages/core/corpus/conversations/', import.meta.url),
);

/**
 * How a model writes its reasoning. A layout without the opener begins inside it: the prompt has opened it.
 * qwen3-coder is written as Qwen3.5 does; Qwen3-Coder itself does not reason.
 */
const layouts = {
  'glm-4.5': { open: '\n<think>', close: '</think>\n' },
  'glm-4.7': { open: '', close: '</think>' },
  'deepseek-v3.1': { open: '', close: '</think>' },
  'deepseek-v3.2': { open: '', close: '</think>', closeBeforeCalls: '</think>\n\n' },
  'deepseek-v4': { open: '', close: '</think>', closeBeforeCalls: '</think>\n\n' },
  'deepseek-v4.1': { open: '', close: '</think>', closeBeforeCalls: '</think>\n\n' },
  'qwen3-coder': { open: '', close: '\n</think>\n\n' },
  lfm2: { open: '<think>', close: '</think>' },
  'minimax-m3': { open: '', close: '</mm:think>' },
  gemma4: { open: '<|channel>thought\n', close: '\n<channel|>' },
};
const usualLayout = ({ open, close }) => ({ open: `${open}\n`, close: `\n${close}\n\n` });

/** What was made once for an object: tests ask for the same spelling again and again. */
function once(known, key, make) {
  if (!known.has(key)) known.set(key, make());
  return known.get(key);
}

const knownLayouts = new WeakMap();
const layoutOf = (core, dialect) => once(knownLayouts, dialect, () => findLayout(core, dialect));

/** Where answers are made of parts, no white space stands between them. */
function findLayout(core, dialect) {
  const { name, traits } = dialect;
  const { reasoning, textFrame, startsInReasoning } = traits;
  if (layouts[name] || !reasoning) return layouts[name];
  if (textFrame) return { open: startsInReasoning ? '' : reasoning.open, close: reasoning.close };
  return learntLayout(core, dialect) ?? usualLayout(reasoning);
}

/** As the vendor's template lays out an answer that it has heard: what a model was trained on. */
function learntLayout(core, dialect) {
  if (!dialect.render.prompt) return undefined;
  const thought = { type: 'reasoning', text: '\uE0A1' };
  const call = { type: 'tool-call', id: 'a', name: 'f', input: {} };
  const close = closeBefore(core, dialect, thought, { type: 'text', text: '\uE0B2' });
  const closeBeforeCalls = closeBefore(core, dialect, thought, call);
  return close && { ...close, closeBeforeCalls: closeBeforeCalls.close };
}

/** What stands before the thought, behind the prompt; and between the thought and what comes next. */
function closeBefore(core, dialect, thought, next) {
  const user = { role: 'user', parts: [{ type: 'text', text: 'u' }] };
  const render = (messages, generate) =>
    core.renderPrompt(dialect, { messages, tools: [], toolChoice: 'auto' }, { thinking: true, generate })
      .text;
  const before = render([user], true);
  const behind = render([user, { role: 'assistant', parts: [thought, next] }], false);
  const said = core.renderMessages(dialect, [{ role: 'assistant', parts: [next] }]).messages[0].content;
  const at = behind.indexOf(thought.text);
  if (at < 0 || !behind.startsWith(before)) return undefined;
  const inner = at + thought.text.length;
  return { open: behind.slice(before.length, at), close: behind.slice(inner, behind.indexOf(said, inner)) };
}

/** What a model writes of an answer: its text in a frame, where the dialect has one. */
function framed(core, dialect, message, content) {
  const parts = message.parts.filter(isText);
  const { textFrame } = dialect.traits;
  if (!textFrame || parts.length === 0) return content;
  const alone = { messages: [{ role: 'assistant', parts }], tools: [], toolChoice: 'auto' };
  const said = core.renderMessages(dialect, alone).messages[0].content;
  return textFrame.open + said + textFrame.close + content.slice(said.length);
}

export function conversationNames() {
  return readdirSync(conversationsFolder)
    .filter((name) => existsSync(`${conversationsFolder}${name}/conversation.json`))
    .sort();
}

const knownConversations = new WeakMap();

/** The conversation with its digits as they are written. The same object each time: nobody is to change it. */
export function readConversation(core, name) {
  const known = once(knownConversations, core.acceptConversation, () => new Map());
  return once(known, name, () => conversationOf(core, name));
}

function conversationOf(core, name) {
  const file = core.parseExact(readFileSync(`${conversationsFolder}${name}/conversation.json`, 'utf8'));
  const { messages, tools, toolChoice } = file;
  return core.acceptConversation({ messages, tools, toolChoice });
}

const reasoningOf = (message) =>
  message.parts
    .filter((part) => part.type === 'reasoning')
    .map((part) => part.text)
    .join('');
const isText = (part) => part.type === 'text' && part.text !== '';

const knownTurns = new WeakMap();

/** The assistant's turns as the dialect's model writes them, and whether each begins inside its reasoning. */
export function spellTurns(core, dialect, conversation) {
  const known = once(knownTurns, conversation, () => new Map());
  return once(known, dialect, () => turnsOf(core, dialect, conversation));
}

function turnsOf(core, dialect, conversation) {
  const { reasoning: frame } = dialect.traits;
  const layout = layoutOf(core, dialect);
  const answers = conversation.messages.filter((message) => message.role === 'assistant');
  const rendered = core.renderMessages(dialect, conversation).messages;
  const contents = rendered.filter((message) => message.role === 'assistant');
  return answers.map((message, at) => {
    const content = framed(core, dialect, message, contents[at].content);
    const reasoning = reasoningOf(message);
    if (reasoning === '' || !layout) return { message, text: content, thinking: false };
    const close = message.parts.some(isText) ? layout.close : (layout.closeBeforeCalls ?? layout.close);
    const text = layout.open + reasoning + close + content;
    return { message, text, thinking: !layout.open.includes(frame.open) };
  });
}

export function joinTurns(turns) {
  return turns.map(({ text }, at) => (at === 0 ? text : `\n=== assistant ${at + 1} ===\n${text}`)).join('');
}

const knownFiles = new WeakMap();

/** The files of one conversation in one dialect, by name. */
export function spell(core, dialect, conversation) {
  const known = once(knownFiles, conversation, () => new Map());
  return once(known, dialect, () => filesOf(core, dialect, conversation));
}

function filesOf(core, dialect, conversation) {
  const thinking = conversation.messages.some(
    (message) => message.role === 'assistant' && reasoningOf(message) !== '',
  );
  const { messages, stop } = core.renderMessages(dialect, conversation);
  const plain = { messages: messages.map(({ role, content }) => ({ role, content })), stop };
  const files = {
    [`${dialect.name}.txt`]: joinTurns(spellTurns(core, dialect, conversation)),
    [`${dialect.name}.messages.json`]: `${JSON.stringify(plain, null, 2)}\n`,
  };
  if (dialect.render.prompt) {
    const { text } = core.renderPrompt(dialect, conversation, { generate: true, thinking });
    files[`${dialect.name}.prompt.txt`] = text;
  }
  return files;
}

/** Every file of the stone, by its path under the folder of conversations. */
export function spellAll(core) {
  const files = new Map();
  for (const name of conversationNames()) {
    const conversation = readConversation(core, name);
    for (const dialect of core.dialects)
      for (const [file, text] of Object.entries(spell(core, dialect, conversation)))
        files.set(`${name}/${file}`, text);
  }
  return files;
}

/** Files that stand there and that nothing writes any more: of a dialect that was renamed or is gone. */
export function leftOver(files) {
  return conversationNames().flatMap((name) =>
    readdirSync(conversationsFolder + name)
      .map((file) => `${name}/${file}`)
      .filter((path) => !path.endsWith('/conversation.json') && !files.has(path)),
  );
}

async function main() {
  const core = await import(new URL('../../packages/core/dist/index.js', import.meta.url).href);
  const files = spellAll(core);
  const stale = [...files].filter(([path, text]) => {
    const full = conversationsFolder + path;
    return !existsSync(full) || readFileSync(full, 'utf8') !== text;
  });
  const extra = leftOver(files);
  if (process.argv.includes('--check')) {
    for (const [path] of stale) console.error(`differs: ${path}`);
    for (const path of extra) console.error(`of no dialect: ${path}`);
    process.exitCode = stale.length + extra.length > 0 ? 1 : 0;
  } else {
    for (const [path, text] of stale) writeFileSync(conversationsFolder + path, text);
    for (const path of extra) console.error(`of no dialect, delete it: ${path}`);
  }
  console.log(
    `${files.size} files, ${stale.length} ${process.argv.includes('--check') ? 'differ' : 'written'}`,
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
