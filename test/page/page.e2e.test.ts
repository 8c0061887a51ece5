// The page in a real Chromium: each view used as a person would, in light and dark and on a phone.

import { mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { dialects } from '@dragoman/core';
import type { Gateway } from '@dragoman/gateway';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { corpusOutputs } from '../../packages/playground/src/reading/corpus.fixture.js';
import { collectExamples } from '../../packages/playground/src/views/read/example-files.js';
import { firstExample } from '../../packages/playground/src/views/read/examples.js';
import { oneOf } from '../effort.js';
import { built } from './built.js';
import { comeBack } from './coming-back.js';
import { tryEveryDialect, writeEveryDialect } from './every-dialect.js';
import { seeEveryLook } from './every-look.js';
import { firstLoad } from './first-load.js';
import { drawSigns } from './fonts.js';
import { sendSample, walkInspect } from './inspect-walk.js';
import { followLink, visits } from './links.js';
import { desk, phone } from './looks.js';
import { asDrawn, readByLibrary, readByWorker, readFromScreen } from './ranges.js';
import { readFaults, touchRead } from './read-faults.js';
import { walkRead } from './read-walk.js';
import { soon } from './soon.js';
import { findChromium, Stage, screenshots, startGateway } from './stage.js';
import { serveFiles } from './static-server.js';
import { walkTry } from './try-walk.js';
import { walkVerify } from './verify-walk.js';
import type { WatchedPage } from './watched-page.js';
import { walkWrite } from './write-walk.js';

const manifest = createRequire(import.meta.url)('../../package.json') as Record<string, string>;

/** Views that show what anybody asks the gateway. */
const showsOthers = new Set(['read', 'inspect']);

const walks = { read: walkRead, write: walkWrite, try: walkTry, inspect: walkInspect, verify: walkVerify };

const chromium = await findChromium();

let stage: Stage;

const it = test.extend<{ open: Stage['page']; otherGateway: () => Promise<string> }>({
  /** Pages of one test, closed when it is over. */
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what is needed
  open: async ({}, use) => {
    const opened: WatchedPage[] = [];
    await use(async (...given) => {
      const watched = await stage.page(...given);
      opened.push(watched);
      return watched;
    });
    await Promise.all(opened.map((one) => one.close()));
  },
  /** One that nobody else asks. */
  // biome-ignore lint/correctness/noEmptyPattern: the same
  otherGateway: async ({}, use) => {
    const started: Gateway[] = [];
    await use(async () => {
      const gateway = await startGateway();
      started.push(gateway);
      return `${gateway.url}/`;
    });
    await Promise.all(started.map((one) => one.close()));
  },
});

describe.skipIf(!chromium)('the page', { timeout: 540_000 }, () => {
  beforeAll(async () => {
    rmSync(screenshots, { recursive: true, force: true });
    mkdirSync(screenshots, { recursive: true });
    stage = await Stage.open(chromium as string);
  });
  afterAll(async () => {
    await stage?.close();
    console.log(`Screenshots of the page: ${fileURLToPath(screenshots)}`);
  });

  // Several at once: much of each is waiting.
  describe.concurrent('used', () => {
    describe.for([desk, phone])('$name', (look) => {
      it.for(Object.entries(walks))(
        '%s can be used by a person, nothing complains, and axe finds no barrier',
        async ([name, walk], { open, otherGateway }) => {
          const watched = await open(look, showsOthers.has(name) ? await otherGateway() : stage.url);
          await walk(watched).catch(async (error) => {
            await watched.shoot(`${name} failed`);
            throw error;
          });
          expect(await watched.breaches()).toEqual([]);
          expect(watched.complaints).toEqual([]);
        },
      );
    });

    it.for(Object.entries(readFaults))('in Read, %s', async ([, meet], { open }) => {
      const watched = await open(desk);
      await meet(watched);
      expect(watched.complaints).toEqual([]);
    });

    it('writes in every dialect', async ({ open }) => {
      const watched = await open(desk);
      await writeEveryDialect(watched);
      expect(watched.complaints).toEqual([]);
    });

    it('asks a model of every dialect, several at once', async ({ open }) => {
      const watched = await open(desk);
      await tryEveryDialect(watched);
      expect(watched.complaints).toEqual([]);
    });

    it('in Inspect, an empty list teaches, and a sample fills it', async ({ open, otherGateway }) => {
      const watched = await open(desk, await otherGateway());
      await sendSample(watched);
      expect(watched.complaints).toEqual([]);
    });

    it('in Read, a thumb reaches the player and what was read', async ({ open }) => {
      const watched = await open(phone);
      await touchRead(watched);
      expect(watched.complaints).toEqual([]);
    });

    it('fits every width, in every view and language', async ({ open }) => {
      const watched = await open(desk);
      const { page } = watched;
      for (const language of ['zh', 'en']) {
        await page.getByRole('combobox', { name: /^(Language|语言)$/ }).selectOption(language);
        for (const key of ['1', '2', '3', '4', '5']) {
          await page.locator('h1').click();
          await page.keyboard.press(key);
          await page.locator('.bar').waitFor();
          const links = await page
            .getByRole('link')
            .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
          // Elsewhere only to the documentation, and where package.json says that the repository is.
          expect(
            links.filter(
              (to) => !to?.startsWith('#') && !to?.startsWith('site/') && to !== manifest.repository,
            ),
          ).toEqual([]);
          for (const width of [390, 768, 1440, 1920]) {
            await page.setViewportSize({ width, height: 900 });
            await soon(() => watched.sticksOut()).toEqual([]);
          }
        }
      }
      expect(watched.complaints).toEqual([]);
    });

    it.for(['en', 'zh'])(
      'is open to everybody in every view, width and theme: %s',
      async (language, { open, otherGateway }) => {
        const watched = await open(desk, await otherGateway());
        await seeEveryLook(watched, language);
        expect(watched.complaints).toEqual([]);
      },
    );

    it('leads to its documentation, which can be searched, and to the project', async ({ open }) => {
      const watched = await open(desk);
      const { page } = watched;
      const readCalls = async () => {
        await page.locator('.call').first().waitFor();
        await watched.loaded();
      };
      await readCalls();
      await page.getByRole('banner').getByRole('link', { name: 'Docs' }).click();
      await soon(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Documentation');
      await page.getByRole('searchbox').fill('prefix cache');
      await soon(() => page.locator('#found a').count()).toBeGreaterThan(2);
      await watched.loaded();
      await page.goBack();
      await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
      await readCalls();
      await page.getByRole('banner').getByRole('link', { name: '文档' }).click();
      await soon(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('文档');
      expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN');
      await watched.loaded();
      await page.goBack();
      await readCalls();
      const { repository } = manifest;
      const project = page.getByRole('banner').getByRole('link', { name: repository ? '代码仓库' : '项目' });
      if (repository) expect(await project.getAttribute('href')).toMatch(/^https:/);
      else {
        await project.click();
        await soon(() => page.getByRole('heading', { level: 1 }).textContent()).toContain('Dragoman');
      }
      expect(await watched.breaches()).toEqual([]);
      expect(watched.complaints).toEqual([]);
    });

    it('draws the signs of every dialect with fonts of its own', async ({ open }) => {
      const watched = await open(desk);
      await drawSigns(watched);
      expect(watched.complaints).toEqual([]);
    });

    it('loads less than 200 KB before its first calls are seen', async ({ open }) => {
      const watched = await open(desk);
      await watched.firstCall().waitFor();
      const loaded = await watched.page.evaluate(() =>
        performance.getEntriesByType('resource').map(({ name }) => name),
      );
      // The scripts of the worker are not among the resources of the page.
      const size = await firstLoad(loaded, watched.page.workers()[0]?.url() as string);
      console.log(`The first load of the page: ${(size / 1024).toFixed(1)} KB compressed`);
      expect(size).toBeLessThan(200 * 1024);
    });

    it('names its parts for screen readers, and is reached with the keyboard', async ({ open }) => {
      const { page, complaints } = await open(desk);
      expect(await page.getByRole('banner').getByRole('heading', { level: 1 }).textContent()).toBe(
        'Dragoman',
      );
      expect(await page.getByRole('main').count()).toBe(1);
      const views = page.getByRole('navigation', { name: 'Views' }).getByRole('link');
      expect(await views.allTextContents()).toEqual(['Read', 'Write', 'Try', 'Inspect', 'Verify']);
      const focused = () => page.evaluate(() => document.activeElement?.textContent);
      await page.keyboard.press('Tab');
      expect(await focused()).toBe('Read');
      for (const title of ['Write', 'Try', 'Inspect', 'Verify']) {
        await page.keyboard.press('Tab');
        expect(await focused()).toBe(title);
        await page.keyboard.press('Enter');
        await soon(() => page.locator('[aria-current=page]').textContent()).toBe(title);
        await soon(() => page.url()).toContain(`#${title.toLowerCase()}`);
        expect(await focused()).toBe(title);
      }
      expect(complaints).toEqual([]);
    });

    it('stands under a strict policy, which holds', async ({ open }) => {
      const { headers } = await fetch(stage.url);
      const policy = new Map(
        (headers.get('content-security-policy') ?? '').split('; ').map((part): [string, string] => {
          const [name = '', ...sources] = part.split(' ');
          return [name, sources.join(' ')];
        }),
      );
      expect(policy.get('default-src')).toBe("'none'");
      for (const name of ['script-src', 'worker-src', 'connect-src', 'font-src'])
        expect(policy.get(name)).toBe("'self'");
      const watched = await open(desk);
      const ran = await watched.page.evaluate(async () => {
        const script = document.createElement('script');
        script.textContent = 'window.forged = true';
        document.body.append(script);
        const sent = await fetch('http://127.0.0.1:9/').then(
          () => true,
          () => false,
        );
        return { forged: 'forged' in window, sent };
      });
      expect(ran).toEqual({ forged: false, sent: false });
      await soon(() => watched.breaches()).toEqual([
        expect.stringMatching(/^script-src/),
        expect.stringMatching(/^connect-src/),
      ]);
    });

    it.for(Object.entries(visits))(
      'a link carries the whole state of %s',
      async ([title, visit], { open }) => {
        const watched = await open(desk);
        await followLink(watched, title, visit);
        expect(watched.complaints).toEqual([]);
      },
    );

    it('shows each view as it was left', async ({ open }) => {
      const watched = await open(desk);
      await comeBack(watched);
      expect(watched.complaints).toEqual([]);
    });

    describe('as files of a plain server', () => {
      it('reads and writes, and says what needs a gateway', async ({ open }) => {
        const files = await serveFiles(built);
        try {
          const { page, complaints } = await open(desk, files.url);
          const views = page.getByRole('navigation', { name: 'Views' });
          await soon(() =>
            page
              .getByRole('tabpanel', { name: /^Calls/ })
              .locator('.call')
              .count(),
          ).toBe(3);
          await views.getByRole('link', { name: 'Write' }).click();
          await soon(() => page.locator('.write-verdict').count()).toBe(2);
          expect(complaints).toEqual([]);
          for (const title of ['Try', 'Inspect']) {
            await views.getByRole('link', { name: title }).click();
            await soon(() => page.getByRole('alert').textContent()).toMatch(
              /^No gateway\..*dragoman serve --demo/,
            );
          }
          // What was asked for and is not there; nothing else.
          const others = complaints.filter(
            (one) => !/ 404 .*\/some\/where\/(v1\/|inspector\/|tiny\.gguf)/.test(one),
          );
          expect(others).toEqual([]);
        } finally {
          files.close();
        }
      });
    });

    describe('the colours', () => {
      it('are the ranges of the library, for every output of the corpus', async ({ open }) => {
        const { page } = await open(desk);
        await soon(() => page.workers().length).toBe(1);
        const script = page.workers()[0]?.url() as string;
        const outputs = corpusOutputs().map(
          ({ name, dialect, text, options: { tools = [], thinking = false } }) => ({
            name,
            dialect,
            text,
            tools,
            thinking,
          }),
        );
        const asked = outputs.map(({ name: _, dialect, ...rest }) => ({ ...rest, dialect: dialect.name }));
        const read = await readByWorker(page, script, asked);
        expect(outputs.length).toBeGreaterThan(500);
        const wrong = outputs.filter(
          ({ dialect, text, tools, thinking }, at) =>
            read[at] !== readByLibrary(dialect, text, { tools, thinking }),
        );
        expect(wrong.map(({ name }) => name)).toEqual([]);
      });

      it('are drawn so, for every example', async ({ open }) => {
        const { page } = await open(desk);
        const examples = [...oneOf(4, collectExamples()), firstExample];
        for (const { title, dialect: name, text, tools, thinking } of examples) {
          const dialect = dialects.find((one) => one.name === name)!;
          await page.getByRole('combobox', { name: 'Example' }).selectOption({ label: `${title} (${name})` });
          const expected = asDrawn(text, readByLibrary(dialect, text, { tools, thinking }));
          await soon(async () => {
            const drawn = await readFromScreen(page);
            return drawn.length > Math.min(100, expected.length - 1) && expected.startsWith(drawn)
              ? ''
              : drawn;
          }).toBe('');
        }
      });
    });
  });
});
