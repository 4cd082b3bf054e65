import { describe, expect, inject, test } from 'vitest';
import { ownBrowser } from './browser/chromium.ts';
import { ConsoleTab } from './browser/console-tab.ts';
import { someTicker } from './browser/some-ticker.ts';

const browser = ownBrowser();
const LOOKS = [
  { language: 'en', theme: 'light', width: 1400 },
  { language: 'id', theme: 'dark', width: 390 },
] as const;

/** The pages, each with a selector that matches when its data is shown. */
const PAGES = [
  { hash: '#/run', shows: '.parameters input' },
  { hash: '#/run/recovery_v4', shows: '.rows button' },
  { hash: '#/market', shows: 'figure a' },
  { hash: '#/market/{ticker}', shows: '.drawing rect' },
  { hash: '#/stocks', shows: 'tbody a' },
  { hash: '#/screens', shows: 'tbody button' },
  { hash: '#/simulations', shows: '.what-it-is' },
  { hash: '#/flows', shows: 'figure svg' },
  { hash: '#/record', shows: '.card tbody th' },
  { hash: '#/usage', shows: '.facts dd' },
];

describe('every page', () => {
  const cases = PAGES.flatMap((page) => LOOKS.map((look) => ({ ...page, ...look })));
  test.each(cases)(
    '$hash shows its data without axe violations or overflow: $language $theme $width',
    async ({ hash, shows, ...look }) => {
      const tab = await ConsoleTab.open(browser.current, inject('baseUrl'), look);
      await tab.signIn(inject('demoKey'), hash.replace('{ticker}', await someTicker()));
      await tab.page.waitForSelector(shows);
      await tab.page.waitForFunction(() => !document.querySelector('.waiting, [aria-busy=true]'));
      expect(await tab.page.locator('.failure').allTextContents()).toEqual([]);
      expect(await tab.violations()).toEqual([]);
      const overflow = await tab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      expect(tab).toMatchObject({ foreign: [], complaints: [] });
      await tab.close();
    },
  );

  test('a stock page shows the daily net buying of each broker class as a chart and a table', async () => {
    const tab = await ConsoleTab.open(browser.current, inject('baseUrl'));
    await tab.signIn(inject('demoKey'), `#/market/${await someTicker()}`);
    const figure = tab.page.locator('figure', { hasText: 'Net buying by class of broker' });
    await figure.locator('.drawing rect').first().waitFor();
    for (const name of ['Foreign brokers', 'Local institutions', 'Retail brokers'])
      expect(await figure.locator('.legend').textContent()).toContain(name);
    await figure.getByText('As a table').click();
    const days = await figure.locator('tbody tr').count();
    expect(days).toBeGreaterThan(10);
    expect(await figure.locator('.drawing rect').count()).toBe(3 * days);
    await tab.close();
  });

  test('the list of stocks is searched by code and name, and leads to the page of a stock', async () => {
    const ticker = await someTicker();
    const tab = await ConsoleTab.open(browser.current, inject('baseUrl'));
    await tab.signIn(inject('demoKey'), '#/stocks');
    const row = tab.page.getByRole('row', { name: new RegExp(`^${ticker} `) });
    const input = tab.page.getByLabel('Code or name');
    const find = async (search: string) => {
      const answered = tab.page.waitForResponse(
        (response) => new URL(response.url()).searchParams.get('search') === search,
      );
      await input.fill(search);
      await tab.page.keyboard.press('Enter');
      await answered;
    };
    await find(ticker.toLowerCase());
    await expect.poll(() => tab.page.locator('tbody tr').count()).toBe(1);
    const [, name] = await row.locator('th, td').allTextContents();
    const cut = name!.slice(0, -1);
    await find(cut);
    await row.waitFor();
    await find('no such stock');
    await tab.page.getByText('No stock has a code or name like “no such stock”.').waitFor();
    await tab.page.goBack();
    await expect.poll(() => input.inputValue()).toBe(cut);
    await row.getByRole('link').click();
    await tab.page.getByRole('heading', { level: 1, name: new RegExp(ticker) }).waitFor();
    expect(new URL(tab.page.url()).hash).toBe(`#/market/${ticker}`);
    await tab.close();
  });

  test('the list of stocks says when there are more than it shows', async () => {
    const tab = await ConsoleTab.open(browser.current, inject('baseUrl'));
    await tab.page.route('**/api/v1/data/stocks?**', async (route) => {
      const answer = await route.fetch();
      const page = (await answer.json()) as object;
      await route.fulfill({ response: answer, json: { ...page, has_more: true, next_cursor: 'next' } });
    });
    await tab.signIn(inject('demoKey'), '#/stocks');
    await tab.page.getByText(/^The first \d+ by code\. A search finds the others\.$/).waitFor();
    await tab.page.unrouteAll({ behavior: 'wait' });
    await tab.close();
  });

  test.each([
    ['en', { value: 1.2, low: 0.9, high: 1.6 }, 'The interval contains 1: it cannot be told from chance.'],
    [
      'en',
      { value: 1.4, low: 1.1, high: 1.8 },
      'That is 1.40 times as often (95%: 1.10 to 1.80): better than chance.',
    ],
    ['en', { value: 0.7, low: 0.5, high: 0.9 }, 'worse than chance.'],
    ['en', { value: null, low: null, high: null }, 'These are too few to compare with chance.'],
    ['id', { value: 1.2, low: 0.9, high: 1.6 }, 'Selangnya memuat 1: belum dapat dibedakan dari kebetulan.'],
  ] as const)(
    'the record page says what judged picks show, in language %s: %o',
    async (language, lift, says) => {
      const tab = await ConsoleTab.open(browser.current, inject('baseUrl'), { language });
      // In a new market no pick has been judged. Put figures into the fleet's answer.
      await tab.page.route('**/api/v1/models/*/record', async (route) => {
        const answer = await route.fetch();
        const record = (await answer.json()) as { daily: object };
        const judged = { filled: 40, wins: 12, win_rate_pct: 30, base_rate_pct: 25, lift };
        await route.fulfill({ response: answer, json: { ...record, daily: { ...record.daily, ...judged } } });
      });
      await tab.signIn(inject('demoKey'), '#/record');
      await tab.page.locator('.sentences').waitFor();
      const sentences = await tab.page.textContent('.sentences');
      expect(sentences).toContain(says);
      expect(sentences).toMatch(
        language === 'en'
          ? 'Of 40 picks that could be bought, 12 reached'
          : 'Dari 40 pilihan yang dapat dibeli, 12 mencapai',
      );
      if (lift.value === 1.2 && language === 'en')
        await tab.page.getByText('1.20 (0.90 – 1.60)').first().waitFor();
      expect(await tab.violations()).toEqual([]);
      await tab.close();
    },
  );

  test('a user can sign in, open a page and run a model by keyboard alone', async () => {
    const tab = await ConsoleTab.open(browser.current, inject('baseUrl'));
    await tab.goTo('#/');
    await tab.page.waitForSelector('#key:focus');
    await tab.page.keyboard.type(inject('demoKey'));
    await tab.page.keyboard.press('Enter');
    await tab.page.waitForSelector('nav');
    const focused = () => tab.page.evaluate(() => document.activeElement?.textContent ?? '');
    const tabTo = async (text: string) => {
      for (let presses = 0; presses < 60; presses++) {
        if ((await focused()) === text) return;
        await tab.page.keyboard.press('Tab');
      }
      throw new Error(`the Tab key does not reach ${text}`);
    };
    await tabTo('Run a model');
    await tab.page.keyboard.press('Enter');
    await tab.page.waitForSelector('main:focus');
    await tab.page.waitForSelector('.parameters');
    await tabTo('Run');
    await tab.page.keyboard.press('Enter');
    await tab.page.waitForSelector('.job .succeeded');
    await tab.close();
  });
});
