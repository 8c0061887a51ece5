// What the tables of dialects say of each, in two languages. The English table is the list of docs/dialects; the Chinese
// one stands in its document between <!-- dialects --> and <!-- /dialects -->, grouped by family.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { familyOf } from './dialect-source.mjs';

export const vectorsFolder = fileURLToPath(new URL('../../packages/core/corpus/vectors/', import.meta.url));

const words = {
  en: {
    families: {
      json: 'JSON in markers, or JSON alone',
      named: 'A name, then JSON',
      tags: 'Tags: one element a call, one an argument',
      expressions: 'Expressions, as in Python',
      other: 'Formats of their own',
    },
    prompt: { none: '–', written: 'yes', held: "yes, to the vendor's byte" },
    streams: { no: 'no: when the block closes', strings: 'strings', yes: 'yes' },
    grammar: { yes: 'yes', no: '–' },
  },
  zh: {
    families: {
      json: '标记之间的 JSON，或单独的 JSON',
      named: '先是名字，后是 JSON',
      tags: '标签：每个调用一个元素，每个参数一个元素',
      expressions: '表达式，如 Python',
      other: '自成一格',
    },
    count: (n) => `共 ${n} 种方言，按调用的写法分组：`,
    head: ['名称', '模型', '完整提示', '参数流式', '语法'],
    taught: '任何模型：由提示教会',
    more: (n) => `等另外 ${n} 个`,
    prompt: { none: '–', written: '有', held: '有，与厂商逐字节一致' },
    streams: { no: '否：块闭合时', strings: '字符串', yes: '是' },
    grammar: { yes: '有', no: '–' },
  },
};

/** What each family is called, in the order of the tables. */
export const families = words.en.families;

export function byFamily(dialects) {
  return Object.keys(families)
    .map((family) => [family, dialects.filter((dialect) => familyOf(dialect) === family)])
    .filter(([, members]) => members.length > 0);
}

/** The documents with a table of dialects between two marks, and the language of each. */
export const dialectDocuments = new Map([['docs/zh-CN/dialects.md', 'zh']]);

/** The text with its table of dialects as it is now. */
export function withDialectTable({ dialects }, text, language) {
  const said = words[language];
  const tables = byFamily(dialects).flatMap(([family, members]) => [
    `**${said.families[family]}**`,
    table(
      said.head,
      members.map((dialect) => [...nameCells(dialect, said), ...traitCells(dialect, language)]),
    ),
  ]);
  tables.unshift(said.count(dialects.length));
  const made = `<!-- dialects -->\n\n${tables.join('\n\n')}\n\n<!-- /dialects -->`;
  return text.replace(/<!-- dialects -->[\s\S]*?<!-- \/dialects -->/, () => made);
}

function nameCells({ name, models }, said) {
  const shown = models.slice(0, 4).join(', ');
  return [
    `[\`${name}\`](../dialects/${name}.md)`,
    models.length === 0
      ? said.taught
      : models.length > 4
        ? `${shown} ${said.more(models.length - 4)}`
        : shown,
  ];
}

/** Whether a dialect has a whole prompt, streams arguments, and has a grammar. */
export function traitCells(dialect, language) {
  const { render, traits, constrain } = dialect;
  const said = words[language];
  const strings = traits.values === 'json' ? 'yes' : 'strings';
  return [
    said.prompt[render.prompt ? (vectorsOf(dialect) ? 'held' : 'written') : 'none'],
    said.streams[traits.streams ? strings : 'no'],
    said.grammar[constrain ? 'yes' : 'no'],
  ];
}

/** The file of prompts that the vendor's own code or template made, if there is one: its path under the corpus. */
export function vectorsOf({ name }) {
  const files = [`${name}-prompts.json`, `prompts/${name}.json`];
  return files.find((file) => existsSync(vectorsFolder + file));
}

export function table(head, rows) {
  const row = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}
