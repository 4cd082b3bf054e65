import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface TabOptions {
  language?: 'en' | 'id';
  theme?: 'light' | 'dark';
  width?: number;
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
    { language = 'en', theme = 'light', width = 1400 }: TabOptions = {},
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

  async close(): Promise<void> {
    // An answer that a test is changing right now would be read after its page is gone.
    await this.page.unrouteAll({ behavior: 'ignoreErrors' });
    await this.page.close();
    const context = this.page.context();
    if (context.pages().length === 0) await context.close();
  }
}
