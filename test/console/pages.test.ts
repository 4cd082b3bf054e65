import { describe, expect, inject, test } from 'vitest';
import { LOOKS, ownTabs } from './browser/console-tab.ts';
import { someTicker } from './browser/some-ticker.ts';

const tabs = ownTabs();

/** Pages with a selector that matches when their data is shown. Those of a stock and of simulations have tests of their own. */
const PAGES = [
  { hash: '#/', shows: '.candles canvas' },
  { hash: '#/run', shows: '.parameters input' },
  { hash: '#/run/recovery_v4', shows: '.rows button' },
  { hash: '#/market', shows: 'figure a' },
  { hash: '#/stocks', shows: 'tbody a' },
  { hash: '#/screens', shows: 'tbody button' },
  { hash: '#/flows', shows: 'figure svg' },
  { hash: '#/record', shows: '.card tbody th' },
  { hash: '#/usage', shows: '.facts dd' },
];
const OPERATOR_PAGES = [
  { hash: '#/fleet', shows: '.drawing svg' },
  { hash: '#/datasets', shows: 'tr.selected' },
  { hash: '#/keys', shows: 'tbody a' },
  { hash: '#/schedules', shows: 'h2' },
  { hash: '#/all-usage', shows: '.drawing rect' },
];

describe('every page', () => {
  const pages = [
    ...PAGES.map((page) => ({ ...page, open: tabs.signedIn })),
    ...OPERATOR_PAGES.map((page) => ({ ...page, open: tabs.asOperator })),
  ];
  const cases = pages.flatMap((page) => LOOKS.map((look) => ({ ...page, ...look })));
  test.each(cases)(
    '$hash shows its data without axe violations or overflow: $language $theme $width',
    async ({ hash, shows, open, ...look }) => {
      const tab = await open(hash, look);
      await tab.page.waitForSelector(shows);
      await tab.expectLoaded();
    },
  );

  test('a stock page shows the daily net buying of each broker class as a chart and a table', async () => {
    const tab = await tabs.signedIn(`#/market/${await someTicker()}`);
    const figure = tab.page.locator('figure', { hasText: 'Net buying by class of broker' });
    await figure.locator('.drawing rect').first().waitFor();
    for (const name of ['Foreign brokers', 'Local institutions', 'Retail brokers'])
      expect(await figure.locator('.legend').textContent()).toContain(name);
    await figure.getByText('As a table').click();
    const days = await figure.locator('tbody tr').count();
    expect(days).toBeGreaterThan(10);
    expect(await figure.locator('.drawing rect').count()).toBe(3 * days);
  });

  test('the list of stocks is searched by code and name, and leads to the page of a stock', async () => {
    const ticker = await someTicker();
    const tab = await tabs.signedIn('#/stocks');
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
  });

  test('the list of stocks says when there are more than it shows', async () => {
    const tab = await tabs.open();
    await tab.changeAnswers('**/api/v1/data/stocks?**', (page) => ({
      ...page,
      has_more: true,
      next_cursor: 'next',
    }));
    await tab.signIn(inject('demoKey'), '#/stocks');
    await tab.page.getByText(/^The first \d+ by code\. A search finds the others\.$/).waitFor();
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
      const tab = await tabs.open({ language });
      // In a new market no pick has been judged. Put figures into the fleet's answer.
      await tab.changeAnswers<{ daily: object }>('**/api/v1/models/*/record', (record) => {
        const judged = { filled: 40, wins: 12, win_rate_pct: 30, base_rate_pct: 25, lift };
        return { ...record, daily: { ...record.daily, ...judged } };
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
    },
  );

  test('a user can sign in, open a page and run a model by keyboard alone', async () => {
    const tab = await tabs.open();
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
  });
});
