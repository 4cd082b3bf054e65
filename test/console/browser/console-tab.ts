import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import { fleetFileIn } from '#support/fleets/fleet.ts';
import { ownBrowser } from './chromium.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Look {
  language?: 'en' | 'id';
  theme?: 'light' | 'dark';
  width?: number;
}

/** The two in which pages are tested: each language, each theme, a desk and a phone. */
export const LOOKS = [
  { language: 'en', theme: 'light', width: 1400 },
  { language: 'id', theme: 'dark', width: 390 },
] as const;

/** Gives a test file one browser, and opens tabs in it that are closed after their test. Call at the top level of the file. */
export function ownTabs() {
  const browser = ownBrowser();
  const open = async (look: Look = {}, baseUrl = inject('baseUrl')) => {
    const tab = await ConsoleTab.open(browser.current, baseUrl, look);
    onTestFinished(() => tab.close());
    return tab;
  };
  /** Opens a page with a key, as a person does. */
  const signedIn = async (hash = '#/', look: Look = {}, key = inject('demoKey')) => {
    const tab = await open(look);
    await tab.signIn(key, hash);
    return tab;
  };
  /** The same with the operator's token: that of the fleet, unless the page is another gateway's. */
  const asOperator = async (hash: string, look: Look = {}, baseUrl?: string, token?: string) => {
    const tab = await open(look, baseUrl);
    await tab.signInAsOperator(token ?? (await fleetFileIn(inject('stateDir'))).operator_token, hash);
    return tab;
  };
  return { open, signedIn, asOperator };
}

/** A tab with the console. It records events that must not happen. */
export class ConsoleTab {
  readonly page: Page;
  readonly #baseUrl: string;
  /** Requests to another origin. */
  readonly foreign: string[] = [];
  /** Errors in the browser's console: script errors and violations of the content policy. */
  readonly complaints: string[] = [];

  private constructor(page: Page, baseUrl: string) {
    this.page = page;
    this.#baseUrl = baseUrl;
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(baseUrl).origin) this.foreign.push(request.url());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      // The browser also logs error answers, which some tests provoke on purpose.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        this.complaints.push(message.text());
    });
  }

  static async open(
    browser: Browser,
    baseUrl: string,
    { language = 'en', theme = 'light', width = 1400 }: Look = {},
  ): Promise<ConsoleTab> {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: theme,
      locale: language === 'id' ? 'id-ID' : 'en-GB',
      // Chromium has no setting for a deployment's certificate authority; other tests verify the certificate.
      ignoreHTTPSErrors: true,
    });
    // Long, because runs that train share two processors with the whole suite.
    context.setDefaultTimeout(60_000);
    return new ConsoleTab(await context.newPage(), baseUrl);
  }

  /** Another tab of the same browser, with the same cookies. */
  async inSameBrowser(): Promise<ConsoleTab> {
    return new ConsoleTab(await this.page.context().newPage(), this.#baseUrl);
  }

  async goTo(hash: string): Promise<void> {
    await this.page.goto(`${this.#baseUrl}/console${hash}`);
  }

  /** Changes the address of the open page, as pasting a link into the address bar does. Nothing is loaded again. */
  async openInPlace(hash: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  }

  /** Every address in the tab's history. */
  async history(): Promise<string[]> {
    const session = await this.page.context().newCDPSession(this.page);
    const { entries } = await session.send('Page.getNavigationHistory');
    return entries.map(({ url }) => url);
  }

  /** Opens a page of the console and signs in as a person does. */
  async signIn(apiKey: string, hash = '#/'): Promise<void> {
    await this.goTo(hash);
    await this.#enter(apiKey);
  }

  /** The same with the operator's token. */
  async signInAsOperator(token: string, hash = '#/'): Promise<void> {
    await this.goTo(hash);
    await this.page.locator('.sign-in .choose').last().click();
    await this.#enter(token);
  }

  async #enter(secret: string): Promise<void> {
    await this.page.fill('#key', secret);
    await this.page.keyboard.press('Enter');
    await this.page.waitForSelector('nav');
  }

  /** The axe rules that the page violates, with the elements that violate them. */
  async violations(): Promise<string[]> {
    await this.page.evaluate(AXE);
    const { violations } = await this.page.evaluate<AxeResults>('axe.run(document)');
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }

  /** Waits until nothing is loaded any more. */
  async loaded(): Promise<void> {
    await this.page.waitForFunction(() => !document.querySelector('.waiting, [aria-busy=true]'));
  }

  /** Checks what holds for every page: accessible, no wider than the screen, of one origin, and without anything to complain about. */
  async expectSound(): Promise<void> {
    expect(await this.violations()).toEqual([]);
    const overflow = await this.page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    expect(overflow).toBeLessThanOrEqual(0);
    expect(this).toMatchObject({ foreign: [], complaints: [] });
  }

  /** The same of a page that has loaded everything without a failure. */
  async expectLoaded(): Promise<void> {
    await this.loaded();
    expect(await this.page.locator('.failure').allTextContents()).toEqual([]);
    await this.expectSound();
  }

  /** Puts other values into what the API answers at an address. */
  async changeAnswers<Answer = object>(
    url: string | RegExp,
    change: (answer: Answer) => object,
  ): Promise<void> {
    await this.page.route(url, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: change((await response.json()) as Answer) });
    });
  }

  /** Closes the tab, and the others of the same browser. */
  async close(): Promise<void> {
    const context = this.page.context();
    // An answer that a test is changing right now would be read after its page is gone.
    for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  }
}
