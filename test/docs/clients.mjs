// The tables of clients and agents in the documents, made from what is tested: the clients of test/clients with the
// versions that are installed, and what `npm run test:agents` wrote to test/agents/results.json.
//
// In a document a table stands between <!-- clients --> and <!-- /clients -->, likewise `agents` and, for the long task
// in each dialect, `agent-dialects`. A new client or agent needs no line here, unless it is of a new package.

import { readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8').replaceAll('\r\n', '\n');

/** The documents that have such tables, with their language. */
export const clientDocuments = new Map([
  ['docs/gateway.md', 'en'],
  ['docs/zh-CN/clients.md', 'zh'],
]);

/** The document with its tables made anew. */
export function withClientTables(text, language) {
  const made = {
    clients: clientTable(language),
    agents: agentTable(language),
    'agent-dialects': agentDialects(language),
  };
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
    agents: [
      ...['agent', 'version', 'speaks', 'its own tools that it called'],
      ...['short tasks done', 'long task done', 'on'],
    ],
    with: ' with ',
    by: '; by ',
    comma: ', ',
    done: (some, all) => `${some} of ${all}`,
    notRun: 'not run',
    inDialects: ' dialects',
  },
  zh: {
    clients: ['客户端', '版本', '运行的内容'],
    agents: [
      ...['智能体', '版本', '使用的接口', '它调用过的自带工具'],
      ...['完成的短任务', '完成长任务', '日期'],
    ],
    with: ' 配 ',
    by: '；经 ',
    comma: '、',
    done: (some, all) => `${some} / ${all}`,
    notRun: '未运行',
    inDialects: ' 种方言',
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
  const { agents: head, comma, done, notRun, inDialects } = words[language];
  const count = (some) => done(some.filter(({ passed }) => passed).length, some.length);
  const rows = agentResults().map(({ agent, version, date, tasks, dialects }) => {
    const runs = [...tasks, ...dialects];
    if (runs.length === 0) return [agent, '–', '–', '–', notRun, notRun, date];
    const spoken = unique(runs.flatMap(({ apis: said }) => said.map((one) => apis[one.split(',')[0]])));
    const called = unique(runs.flatMap(({ calls: made }) => made)).sort();
    const short = tasks.length === 0 ? notRun : count(tasks);
    const long = dialects.length === 0 ? notRun : count(dialects) + inDialects;
    return [agent, version, spoken.join(comma), called.map(code).join(comma), short, long, date];
  });
  return table(head, rows);
}

function agentResults() {
  return JSON.parse(read('test/agents/results.json'));
}

/** A row for each agent, a column for each dialect, and below it the first fault of each run that failed. */
function agentDialects(language) {
  const rows = agentResults();
  const names = unique(rows.flatMap(({ dialects }) => dialects.map(({ dialect }) => dialect)));
  const cell = (run) => (run === undefined ? words[language].notRun : run.passed ? 'yes' : '**no**');
  const cells = rows.map(({ agent, dialects }) => [
    agent,
    ...names.map((name) => cell(dialects.find(({ dialect }) => dialect === name))),
  ]);
  const notes = rows.flatMap(agentNotes);
  return [table(['agent', ...names.map(code)], cells), ...(notes.length > 0 ? ['', ...notes] : [])].join(
    '\n',
  );
}

function agentNotes({ agent, version, fallback, why, dialects }) {
  const failed = dialects.filter(({ passed }) => !passed);
  return [
    ...(why === undefined ? [] : [`- ${agent} was not run: ${plain(why)}`]),
    ...(fallback === undefined
      ? []
      : [`- ${agent} ${version} is not the newest. ${plain(fallback.split('; ')[0])}`]),
    ...failed.map(({ dialect, faults }) => `- ${agent}, ${code(dialect)}: ${plain(faults[0])}`),
  ];
}

/** Text of a run in a line of Markdown. */
function plain(text) {
  return text.replaceAll(/[<>|`*_\n]/g, ' ').slice(0, 160);
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
