// The pages of docs/dialects are what the dialects are now, and the tables of clients what is tested (`npm run docs`
// writes them anew); and links lead somewhere.

import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
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

describe.each(documents())('%s', (path) => {
  const text = readDocument(path);

  it('links to files that exist', () => {
    const targets = [...text.matchAll(/\]\(([^()\s#]+)(?:#[^()\s]*)?\)/g)].map(
      ([, target]) => target as string,
    );
    const local = targets.filter((target) => !/^[a-z]+:/.test(target));
    const missing = local.filter((target) => !existsSync(root + posix.join(posix.dirname(path), target)));
    expect(missing).toEqual([]);
  });
});

describe('the README', () => {
  it('shows the same examples in both languages', () => {
    const examples = (path: string) =>
      blocksOf(readDocument(path))
        .filter(({ language, code }) => /^(?:js|sh|text)$/.test(language) && !/^npm /m.test(code))
        .map(({ code }) => code);
    expect(examples('README.zh-CN.md')).toEqual(examples('README.md'));
  });

  const input = { city: 'Paris', days: 3 };
  const calls = [{ type: 'tool-call', id: 'call_1', name: 'get_weather', input }];
  const shown = [...readDocument('README.md').matchAll(/^`([a-z0-9.-]+)`\n\n```text\n([\s\S]*?)\n```$/gm)];

  it.each(shown.map(([, name, text]) => ({ name: name as string, text })))(
    'shows a call as $name writes it',
    ({ name, text }) => {
      const { messages } = core.renderMessages(name, { messages: [{ role: 'assistant', parts: calls }] });
      expect(text).toBe(messages[0]?.content);
    },
  );

  it('has a row for every dialect', () => {
    for (const path of ['README.md', 'README.zh-CN.md'])
      for (const { name } of core.dialects)
        expect(readDocument(path)).toContain(`| [\`${name}\`](docs/dialects/`);
  });
});
