// The tables of clients and agents in the documents, made from what is tested: the clients of test/clients with the
// versions that are installed, and what `npm run test:agents` wrote to test/agents/results.json.
//
// In a document a table stands between <!-- clients --> and <!-- /clients -->, or <!-- agents --> and
// <!-- /agents -->. A new client or agent needs no line here, unless it is of a new package.

import { readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8').replaceAll('\r\n', '\n');

/** The documents that have such tables, with their language. */
export const clientDocuments = new Map([
  ['README.md', 'en'],
  ['README.zh-CN.md', 'zh'],
  ['docs/gateway.md', 'en'],
]);

/** The document with its tables made anew. */
export function withClientTables(text, language) {
  const made = { clients: clientTable(language), agents: agentTable(language) };
  return Object.entries(made).reduce((whole, [name, table]) => replaced(whole, name, table), text);
}

function replaced(text, name, table) {
  const [open, close] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
  const start = text.indexOf(open);
  const end = text.indexOf(close, start);
  if (start < 0 || end < 0) return text;
  return `${text.slice(0, start + open.length)}\n${table}\n${text.slice(end)}`;
}

// --- clients -------------------------------------------------------------------------------------------

/** Each row: the packages, the files that test them, and the names of theirs that are meant. */
const clients = [
  { packages: ['openai'], files: ['openai-chat.ts', 'openai-responses.ts'] },
  { packages: ['@anthropic-ai/sdk'], files: ['anthropic.ts'] },
  { packages: ['ai', '@ai-sdk/openai-compatible'], provider: 'openai-compatible' },
  { packages: ['ai', '@ai-sdk/openai'], provider: 'openai.' },
  { packages: ['ai', '@ai-sdk/anthropic'], provider: 'anthropic' },
];

const words = {
  en: {
    clients: ['client', 'version', 'what is run'],
    agents: ['agent', 'version', 'speaks', 'its own tools that it called', 'tasks done', 'on'],
    with: ' with ',
    by: '; by ',
    comma: ', ',
    done: (some, all) => `${some} of ${all}`,
    notRun: 'not run',
  },
  zh: {
    clients: ['客户端', '版本', '运行的内容'],
    agents: ['智能体', '版本', '使用的接口', '它调用过的自带工具', '完成的任务', '日期'],
    with: ' 配 ',
    by: '；经 ',
    comma: '、',
    done: (some, all) => `${some} / ${all}`,
    notRun: '未运行',
  },
};

function clientTable(language) {
  const { clients: head, with: and, comma } = words[language];
  const rows = clients.map((row) => [
    row.packages.map(code).join(and),
    row.packages.map(versionOf).join(comma),
    row.provider === undefined ? methods(row, comma) : calls(row, words[language]),
  ]);
  return table(head, rows);
}

function versionOf(name) {
  return JSON.parse(read('package.json')).devDependencies[name];
}

/** Streamed or not is said of all of them. */
function methods({ files }, comma) {
  const names = files.flatMap(testedNames).map((name) => name.split(',')[0]);
  return [...new Set(names)].map(code).join(comma);
}

function calls({ provider }, { by, comma }) {
  const made = [...read('test/clients/ai-sdk.ts').matchAll(/^ +name: `(\w+), \$\{name\}`,$/gm)];
  const functions = made.map(([, name]) => code(name)).join(comma);
  const providers = testedProviders().filter((name) => name.startsWith(provider));
  return `${functions}${by}${providers.map(code).join(comma)}`;
}

/** How a user would call it, as the tests of a file name it. */
export function testedNames(file) {
  return [...read(`test/clients/${file}`).matchAll(/^ {2}name: '([^']+)',$/gm)].map(([, name]) => name);
}

export function testedProviders() {
  return [...read('test/clients/ai-providers.ts').matchAll(/aiClients\(\s*'([^']+)'/g)].map(
    ([, name]) => name,
  );
}

// --- agents --------------------------------------------------------------------------------------------

const apis = { chat: 'Chat Completions', responses: 'Responses', messages: 'Messages' };

function agentTable(language) {
  const { agents: head, comma, done, notRun } = words[language];
  const rows = JSON.parse(read('test/agents/results.json')).map(({ agent, version, date, tasks }) => {
    if (tasks.length === 0) return [agent, '–', '–', '–', notRun, date];
    const spoken = unique(tasks.flatMap(({ apis: said }) => said.map((one) => apis[one.split(',')[0]])));
    const called = unique(tasks.flatMap((task) => task.calls)).map(code);
    const passed = tasks.filter((task) => task.passed).length;
    return [agent, version, spoken.join(comma), called.join(comma), done(passed, tasks.length), date];
  });
  return table(head, rows);
}

function unique(some) {
  return [...new Set(some)];
}

// --- Markdown ------------------------------------------------------------------------------------------

function table(head, rows) {
  const row = (cells) => `| ${cells.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

function code(text) {
  return `\`${text}\``;
}
