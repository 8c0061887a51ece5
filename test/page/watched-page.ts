// A page of the browser that keeps what it must not do: errors, failed requests, requests elsewhere, breaches of the
// policy.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { BrowserContext, Locator, Page, Request } from 'playwright-core';
import type { Look, Scheme } from './looks.js';
import { soon } from './soon.js';
import { screenshots } from './stage.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What a page of the tests has beside its own. */
declare global {
  interface Window {
    breaches: string[];
    axe: { run(options: object): Promise<AxeResults> };
  }
}

export class WatchedPage {
  readonly complaints: string[] = [];
  /** Requests that have not ended. */
  readonly #loading = new Set<Request>();
  #shots = 0;

  private constructor(
    readonly page: Page,
    readonly look: Look,
    readonly url: string,
  ) {
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        this.complaints.push(`console: ${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => this.complaints.push(`thrown: ${error.stack ?? error.message}`));
    page.on('requestfinished', (request) => this.#loading.delete(request));
    page.on('requestfailed', (request) => {
      this.#loading.delete(request);
      if (!isEnded(request)) this.complaints.push(`failed: ${request.url()} ${request.failure()?.errorText}`);
    });
    page.on('request', (request) => {
      this.#loading.add(request);
      const { origin } = new URL(request.url());
      if (origin !== new URL(url).origin) this.complaints.push(`sent elsewhere: ${request.url()}`);
    });
  }

  static async open(context: BrowserContext, look: Look, url: string): Promise<WatchedPage> {
    await context.addInitScript(() => {
      window.breaches = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
        window.breaches.push(`${effectiveDirective} ${blockedURI} ${sample}`),
      );
    });
    const watched = new WatchedPage(await context.newPage(), look, url);
    await watched.page.goto(url);
    return watched;
  }

  /** In Read, which the page begins with. */
  firstCall(): Locator {
    return this.page
      .getByRole('tabpanel', { name: /^Calls/ })
      .locator('.call')
      .first();
  }

  /**
   * For a page that is left next: one that is left before its scripts and fonts have come complains about them. The
   * worker asks for its scripts long after the page has loaded, so in Read wait for the first call before.
   */
  async loaded(): Promise<void> {
    await this.page.waitForLoadState();
    await this.page.evaluate(() => document.fonts.ready.then(() => {}));
    const missing = () => [...this.#loading].filter((one) => !isStream(one)).map((one) => one.url());
    await soon(missing).toEqual([]);
  }

  /** The same address in another tab. */
  async again(): Promise<WatchedPage> {
    return WatchedPage.open(this.page.context(), this.look, this.page.url());
  }

  /** Kept for people. */
  async shoot(name: string, fullPage = true): Promise<void> {
    await this.#shoot(name, ++this.#shots, this.look.schemes[0], fullPage);
  }

  async #shoot(name: string, number: number, scheme: Scheme, fullPage: boolean): Promise<void> {
    // Nobody looks at them in CI, unless something failed.
    if (process.env.CI && !name.endsWith(' failed')) return;
    const [view, ...moment] = name.split(' ');
    const file = `${view}-${this.look.name}-${number}-${moment.join('-')}-${scheme}.png`;
    await this.page.screenshot({ path: fileURLToPath(new URL(file, screenshots)), fullPage });
  }

  /** A moment worth a look, by people and by axe, in all colours. */
  async examine(name: string): Promise<void> {
    const sticksOut = await this.overflow();
    if (sticksOut > 0) this.complaints.push(`${name}: sticks out by ${sticksOut} pixels`);
    const number = ++this.#shots;
    const [first, ...others] = this.look.schemes;
    await this.#look(name, number, first, {});
    for (const scheme of others) {
      await this.page.emulateMedia({ colorScheme: scheme });
      // All that changes is colours.
      await this.#look(name, number, scheme, { runOnly: ['color-contrast'] });
    }
    if (others.length > 0) await this.page.emulateMedia({ colorScheme: first });
  }

  async #look(name: string, number: number, scheme: Scheme, rules: object): Promise<void> {
    await this.#shoot(name, number, scheme, true);
    for (const barrier of await this.#barriers(rules)) this.complaints.push(`${name}, ${scheme}: ${barrier}`);
  }

  /** What axe finds that keeps people out. */
  async #barriers(rules: object): Promise<string[]> {
    const { page } = this;
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
    const options = { resultTypes: ['violations'], preload: false, ...rules };
    const { violations } = await page.evaluate((given) => window.axe.run(given), options);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`));
  }

  /** Pixels that stick out at the right. */
  overflow(): Promise<number> {
    return this.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  }

  /** What sticks out at the right, and makes the page wider than its window. */
  sticksOut(): Promise<string[]> {
    return this.page.evaluate(() => {
      const { clientWidth, scrollWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      const wide = [...document.querySelectorAll('body *')].filter(
        (one) => one.getBoundingClientRect().right > clientWidth,
      );
      return wide.map(
        (one) => `${clientWidth}: ${one.tagName} ${one.className} ${one.textContent?.slice(0, 40)}`,
      );
    });
  }

  breaches(): Promise<string[]> {
    return this.page.evaluate(() => window.breaches);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

/** A stream that the page itself has ended: of the inspector, of an answer or a verification that was stopped. */
function isEnded(request: Request): boolean {
  return isStream(request) && request.failure()?.errorText === 'net::ERR_ABORTED';
}

function isStream(request: Request): boolean {
  const { pathname } = new URL(request.url());
  return pathname.startsWith('/inspector/') || ['/v1/chat/completions', '/verify'].includes(pathname);
}
