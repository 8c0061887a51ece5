// The pages of docs/dialects are what the dialects are now, and the tables of clients what is tested (`npm run docs`
// writes them anew); and both languages show the same.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import * as core from '@dragoman/core';
import * as verify from '@dragoman/verify';
import { describe, expect, it } from 'vitest';
import results from './agents/results.json' with { type: 'json' };
import {
  aiAnthropic,
  aiOpenAiChat,
  aiOpenAiCompatible,
  aiOpenAiResponses,
  aiOpenAiResponsesUnstored,
} from './clients/ai-providers.js';
import { anthropic } from './clients/anthropic.js';
import { openAiChat } from './clients/openai-chat.js';
import { openAiResponses } from './clients/openai-responses.js';
import { clientDocuments, testedNames, testedProviders, withClientTables } from './docs/clients.mjs';
import { dialectDocuments, withDialectTable } from './docs/dialect-table.mjs';
import { dialectPages, leftOverPages, pagesFolder } from './docs/dialects.mjs';
import { blocksOf, documents, readDocument } from './docs/documents.js';
import { differingDialects } from './docs/engine-differences.mjs';
import { headingsOf } from './docs/markdown.js';
import { withChecks } from './docs/verify-checks.mjs';
import { root } from './sources.js';

describe('docs/dialects', () => {
  const pages = dialectPages(core);

  it.each([...pages])('%s is up to date', (name, text) => {
    const path = pagesFolder + name;
    expect(existsSync(path) ? readFileSync(path, 'utf8') : 'no such page', 'run `npm run docs`').toBe(text);
  });

  it('has differences from engines of dialects that there are', () => {
    const names = core.dialects.map(({ name }) => name);
    expect([...differingDialects].filter((name) => !names.includes(name))).toEqual([]);
  });

  it('holds no page of a dialect that is not in the list', () => {
    expect(leftOverPages(pages)).toEqual([]);
  });
});

describe('docs/verify.md', () => {
  it('has every check, as it is now', () => {
    const text = readDocument('docs/verify.md');
    expect(text, 'run `npm run docs`').toBe(withChecks(verify, text));
    for (const id of verify.checkIds) expect(text).toContain(`### \`${id}\``);
  });
});

describe('docs/own-dialect.md', () => {
  it('names every key of a declaration', () => {
    const source = readFileSync(`${root}packages/core/src/engine/declaration.ts`, 'utf8');
    const keys = [...source.matchAll(/^ {2}(\w+)\??: /gm)].map(([, key]) => key as string);
    const text = readDocument('docs/own-dialect.md');
    expect(keys.length).toBeGreaterThan(60);
    expect([...new Set(keys)].filter((key) => !text.includes(`\`${key}`))).toEqual([]);
  });

  it('adds a dialect in under thirty lines', () => {
    const [first] = blocksOf(readDocument('docs/own-dialect.md'));
    expect(first?.language).toBe('yaml');
    expect(first?.code.trimEnd().split('\n').length).toBeLessThan(30);
  });
});

describe('the table of dialects', () => {
  it.each([...dialectDocuments])('of %s is up to date', (path, language) => {
    const text = readDocument(path);
    expect(text).toContain('<!-- dialects -->');
    expect(text, 'run `npm run docs`').toBe(withDialectTable(core, text, language));
  });
});

describe('the tables of clients and agents', () => {
  it.each([...clientDocuments])('of %s are up to date', (path, language) => {
    const text = readDocument(path);
    expect(text).toContain('<!-- agents -->');
    expect(text, 'run `npm run docs`').toBe(withClientTables(text, language));
  });

  it('name every client that is tested', () => {
    const named = ['openai-chat.ts', 'openai-responses.ts', 'anthropic.ts'].flatMap(testedNames);
    expect(named).toEqual([...openAiChat, ...openAiResponses, ...anthropic].map(({ name }) => name));
    const ai = [aiAnthropic, aiOpenAiChat, aiOpenAiResponses, aiOpenAiResponsesUnstored, aiOpenAiCompatible];
    const made = testedProviders().flatMap((name) => [`generateText, ${name}`, `streamText, ${name}`]);
    expect(made).toEqual(ai.flat().map(({ name }) => name));
    const rows = withClientTables('<!-- clients -->\n\n<!-- /clients -->', 'en');
    for (const name of [...named.map((one) => one.split(',')[0]), ...testedProviders()])
      expect(rows).toContain(`\`${name}\``);
  });

  it('say of every agent how many of its tasks it did, and in how many dialects the long one', () => {
    const rows = withClientTables('<!-- agents -->\n\n<!-- /agents -->', 'en').split('\n');
    const count = (some: { passed: boolean }[], what: string) =>
      some.length === 0
        ? 'not run'
        : `${some.filter(({ passed }) => passed).length} of ${some.length}${what}`;
    for (const { agent, version, tasks, dialects } of results) {
      const row = rows.find((one) => one.startsWith(`| ${agent} |`));
      expect(row).toContain(`| ${count(tasks, '')} | ${count(dialects, ' dialects')} |`);
      if (tasks.length + dialects.length > 0) expect(row).toContain(`| ${version} |`);
    }
    expect(results.length).toBeGreaterThan(0);
  });

  it('show where an agent failed in a dialect, and why', () => {
    const text = withClientTables('<!-- agent-dialects -->\n\n<!-- /agent-dialects -->', 'en');
    for (const { agent, dialects } of results) {
      const row = text.split('\n').find((one) => one.startsWith(`| ${agent} |`)) ?? '';
      expect(row.split('**no**').length - 1).toBe(dialects.filter(({ passed }) => !passed).length);
      for (const { dialect, passed } of dialects)
        expect(text.includes(`- ${agent}, \`${dialect}\`: `)).toBe(!passed);
    }
  });
});

describe('both languages', () => {
  const engines = readdirSync(`${root}docs/engines`).map((file) => `engines/${file.replace('.md', '')}`);
  const named = [
    'command',
    'library',
    'limits',
    'guarantees',
    'troubleshooting',
    'recipes',
    'glossary',
    'local-models',
  ];
  const pages = [...named, ...engines];
  const pairs = pages.map((name) => [`docs/${name}.md`, `docs/zh-CN/${name}.md`]);

  it.each([['README.md', 'README.zh-CN.md'], ...pairs])('show the same in %s and %s', (english, chinese) => {
    const [one, other] = [english, chinese].map((path) => {
      const text = readDocument(path as string);
      const examples = blocksOf(text).filter(({ language }) => /^(?:js|sh|text)$/.test(language));
      return {
        levels: headingsOf(text).map(({ level }) => level),
        rows: text.split('\n').filter((line) => /^(?:\||- |\d+\. )/.test(line)).length,
        // Comments behind commands of npm are in the language of the page.
        examples: examples.map(({ code }) => (/^npm /m.test(code) ? code.replaceAll(/ +# .*$/gm, '') : code)),
      };
    });
    expect(other).toEqual(one);
  });
});

describe('the words of the Chinese documents', () => {
  const chinese = documents().filter((path) => path.includes('zh-CN'));

  // 代理 is a proxy here: with one word for both, a sentence about the costs of a proxy read as one about agents.
  it.each(chinese)('%s calls an agent 智能体, and only a proxy 代理', (path) => {
    expect(readDocument(path).match(/(?:编程|编码|代码|AI|LLM|自主|智能|用户)\s?代理/g)).toBe(null);
  });
});

describe('the figures of the README', () => {
  const [english, chinese] = ['README.md', 'README.zh-CN.md'].map(readDocument);
  const wild = readdirSync(`${root}packages/core/corpus/wild`, { recursive: true, encoding: 'utf8' });
  const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const outputs = wild.filter((path) => path.endsWith('.json')).length;

  it.each([
    ['28 checks', '28 项检查', verify.checkIds.length === 28],
    ['more than fifty', '五十多种', core.dialects.length > 50],
    ['over 900 outputs', '九百多条', outputs > 900],
    ['six agents', '六个智能体', results.length === 6],
    ['eight dialects', '八种方言', results.every(({ dialects }) => dialects.length === 8)],
    ['that each finish', '完成', results.every(({ dialects }) => dialects.every(({ passed }) => passed))],
    ['eight laws', '八条定律', listed('docs/guarantees.md') === 8],
    ['twelve turns', '十二轮', results.every(({ dialects }) => dialects.every(({ turns }) => turns === 12))],
    ['[8 MB]', '[8 MB]', Math.round(statSync(`${root}packages/tiny/model/tiny.gguf`).size / 1e6) === 8],
    [
      'Node 20.19+, 22.12+ or 24+',
      'Node 20.19+、22.12+ 或 24+',
      manifest.engines.node === '^20.19.0 || ^22.12.0 || >=24.0.0',
    ],
  ])('say %s', (said, inChinese, isTrue) => {
    expect(english).toContain(said);
    expect(chinese).toContain(inChinese);
    expect(isTrue).toBe(true);
  });

  it('say how often the tiny model is wrong as its own README does', () => {
    const table = readDocument('packages/tiny/README.md').matchAll(
      /^\| unseen \w+, (\w+) \| (\d+) \| [\d.]+ % \| [\d.]+ % \| ([\d.]+) % \|/gm,
    );
    const rows = [...table].map(([, language, calls, exact]) => ({
      language,
      calls: Number(calls),
      wrong: Number(calls) * (1 - Number(exact) / 100),
    }));
    const wrongOfTen = (some: typeof rows) => {
      const sum = (of: 'calls' | 'wrong') => some.reduce((total, row) => total + row[of], 0);
      return Math.round((10 * sum('wrong')) / sum('calls'));
    };
    expect(rows.length).toBe(4);
    const inChinese = rows.filter(({ language }) => language === 'Chinese');
    expect([wrongOfTen(rows), wrongOfTen(inChinese)]).toEqual([1, 2]);
    expect(english).toContain('about one call in ten wrong, in Chinese one in five');
    expect(chinese).toContain('大约每十次写错一次，中文每五次一次');
  });

  // docs/limits.md is where a new measurement is written first.
  it('that were measured are those of docs/limits.md', () => {
    const measured = readDocument('docs/limits.md');
    const [, request] = /\(about ([\d.]+) ms for a small one\)/.exec(measured) ?? [];
    const [, event] = /, ([\d.]+) times an event that arrives by itself/.exec(measured) ?? [];
    expect([request, event]).toEqual([expect.any(String), expect.any(String)]);
    expect(english).toContain(
      `about ${request} ms of CPU for a small request, ${event} times a bare proxy for each streamed event`,
    );
    expect(chinese).toContain(`小请求约 ${request} 毫秒 CPU，每个流式事件是最简代理的 ${event} 倍`);
    const agent =
      /costs ([\d.]+ to [\d.]+) times that proxy when tools and history are new.*? to ([\d.]+) times at the second step.*?, and ([\d.]+ to [\d.]+) times at every later/;
    const [, first = '', second, later = ''] = agent.exec(measured) ?? [];
    expect([first, second]).toEqual([expect.stringMatching(/\d/), expect.any(String)]);
    expect(english).toContain(
      `costs ${first} times that proxy in a new session, up to ${second} times at its second step and ${later} times at every later one`,
    );
    const [chineseFirst, chineseLater] = [first, later].map((range) => range.replace('to', '到'));
    expect(chinese).toContain(
      `在新会话里是该代理的 ${chineseFirst} 倍，第二步最多 ${second} 倍，之后每一步 ${chineseLater} 倍`,
    );
  });
});

describe('docs/limits.md', () => {
  /** The numbers of each paragraph, item and row, in any order: the languages order their words differently. */
  const numbers = (path: string) =>
    readDocument(path)
      .split('\n')
      .map((line) => (line.replaceAll(/\]\([^)]*\)/g, ']').match(/\d[\d,.]*(?<=\d)/g) ?? []).toSorted());

  it('has the same figures in both languages, line by line', () => {
    const english = numbers('docs/limits.md');
    expect(english.flat().length).toBeGreaterThan(80);
    expect(numbers('docs/zh-CN/limits.md')).toEqual(english);
  });

  it.each(['docs/limits.md', 'docs/zh-CN/limits.md'])('names every part of the bench: %s', (path) => {
    const [, body = ''] = /const parts = \{\n(.*?)\n\};/s.exec(readDocument('bench/src/run.ts')) ?? [];
    const parts = [...body.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
    expect(parts).toContain('herd');
    const [, listed = ''] =
      /npm run bench -- promises +# .*?(?: part: |：)(.*)/.exec(readDocument(path)) ?? [];
    expect(listed.split(/, |、| or | 或 /)).toEqual(parts);
  });
});

describe('before the first release', () => {
  const ours = /(?:npm install|pip install)[^\n`]* (?:dragoman|dragoman-client|@dragoman\/\w+)\b/;

  it.each(documents().filter((path) => ours.test(readDocument(path))))(
    '%s says so before it shows how to install',
    (path) => {
      const text = readDocument(path);
      expect(text.slice(0, text.search(ours))).toMatch(/(?:[Bb]efore the first|no) release/);
    },
  );

  const readmes = documents().filter((path) => /^(?:packages|clients)\//.test(path));
  it.each(readmes.filter((path) => ours.test(readDocument(path))))('%s says it as the others do', (path) => {
    expect(readDocument(path)).toContain(
      '\nThere is no release yet: work [in a clone](../../README.md#start). ',
    );
  });
});

function listed(path: string): number {
  return readDocument(path).match(/^\d+\. /gm)?.length ?? 0;
}

describe.each(['docs/library.md', 'docs/zh-CN/library.md'])('%s', (path) => {
  const input = { city: 'Paris', days: 3 };
  const calls = [{ type: 'tool-call', id: 'call_1', name: 'get_weather', input }];
  const shown = [...readDocument(path).matchAll(/^`([a-z0-9.-]+)`\n\n```text\n([\s\S]*?)\n```$/gm)];

  it('shows a call in five dialects', () => {
    expect(shown.length).toBe(5);
  });

  it.each(shown.map(([, name, text]) => ({ name: name as string, text })))(
    'shows a call as $name writes it',
    ({ name, text }) => {
      const { messages } = core.renderMessages(name, { messages: [{ role: 'assistant', parts: calls }] });
      expect(text).toBe(messages[0]?.content);
    },
  );
});

describe('the lists of dialects', () => {
  it('have a row for every dialect', () => {
    for (const { name } of core.dialects) {
      expect(readDocument('docs/dialects/README.md')).toContain(`| [${name}](${name}.md) |`);
      expect(readDocument('docs/zh-CN/dialects.md')).toContain(`| [\`${name}\`](../dialects/${name}.md) |`);
    }
  });
});
