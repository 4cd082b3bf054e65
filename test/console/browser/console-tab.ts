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

/** A tab with the console, and what must not happen in it. */
export class ConsoleTab {
  readonly page: Page;
  readonly #baseUrl: string;
  /** Requests to another host. */
  readonly foreign: string[] = [];
  /** What the browser complains of: errors of scripts, and whatever the content policy refuses. */
  readonly complaints: string[] = [];

  private constructor(page: Page, baseUrl: string) {
    this.page = page;
    this.#baseUrl = baseUrl;
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(baseUrl).origin) this.foreign.push(request.url());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      // An answer that is an error is noted there too; tests of errors provoke them.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        this.complaints.push(message.text());
    });
  }

  static async open(
    browser: Browser,
    baseUrl: string,
    { language = 'en', theme = 'light', width = 1400 }: TabOptions = {},
  ): Promise<ConsoleTab> {
    const page = await browser.newPage({
      viewport: { width, height: 900 },
      colorScheme: theme,
      locale: language === 'id' ? 'id-ID' : 'en-GB',
      // It takes the certificate authority of a deployment from no setting; other tests verify the certificate.
      ignoreHTTPSErrors: true,
    });
    // Runs that learn share two processors with the whole suite.
    page.setDefaultTimeout(60_000);
    return new ConsoleTab(page, baseUrl);
  }

  async goTo(hash: string): Promise<void> {
    await this.page.goto(`${this.#baseUrl}/console${hash}`);
  }

  /** Opens a page of the console and signs in there as a person does. */
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

  /** Rules of axe that the page breaks, with where it does. */
  async violations(): Promise<string[]> {
    await this.page.evaluate(AXE);
    const { violations } = await this.page.evaluate<AxeResults>('axe.run(document)');
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }

  close(): Promise<void> {
    return this.page.close();
  }
}
