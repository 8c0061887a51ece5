// One gateway with the demo model and the built page, and one Chromium for all that looks at it.

import { configFromFlags, type Gateway, serve } from '@dragoman/gateway';
import { type Browser, chromium } from 'playwright-core';
import { find, findOrInstall } from '../debian.mjs';
import { reportMissing } from '../installs.mjs';
import { expectBuilt } from './built.js';
import type { Look } from './looks.js';
import { WatchedPage } from './watched-page.js';

/** For people to look at. */
export const screenshots = new URL('screenshots/', import.meta.url);

/** The same without windows of its own: quicker to install, to start and to draw. */
const SHELL = 'chromium-headless-shell';

/** Milliseconds: a browser is large. */
const TIME_TO_INSTALL = 180_000;

const install = (name: string) => findOrInstall(name, name, undefined, TIME_TO_INSTALL);

/** Where Chromium is; or undefined, which is reported. */
export async function findChromium(): Promise<string | undefined> {
  try {
    const found = find(SHELL) ?? find('chromium');
    return found ?? (await install(SHELL).catch(() => install('chromium')));
  } catch (error) {
    return void reportMissing('the page in Chromium', error);
  }
}

const quiet = [
  // Root has no sandbox, and containers no GPU.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
];

/** With what it was asked last, by nobody else. */
export async function startGateway(): Promise<Gateway> {
  const read = configFromFlags({ demo: true, port: 0, inspect: 50 });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return serve(read.config, { write: () => {} });
}

export class Stage {
  readonly url: string;

  private constructor(
    private readonly gateway: Gateway,
    private readonly browser: Browser,
  ) {
    this.url = `${gateway.url}/`;
  }

  static async open(executablePath: string): Promise<Stage> {
    expectBuilt();
    const gateway = await startGateway();
    try {
      return new Stage(gateway, await chromium.launch({ executablePath, args: quiet }));
    } catch (error) {
      await gateway.close();
      throw error;
    }
  }

  /** A page in a window of its own: nothing of another one is known there. */
  async page(look: Look, url = this.url): Promise<WatchedPage> {
    const context = await this.browser.newContext({
      viewport: { width: look.width, height: look.height },
      colorScheme: look.schemes[0],
      ...(look.width < 600 && { hasTouch: true, isMobile: true }),
    });
    context.setDefaultTimeout(120_000);
    return WatchedPage.open(context, look, url);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.gateway.close();
  }
}
