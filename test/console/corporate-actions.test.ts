import { beforeAll, describe, expect, inject, test } from 'vitest';
import { ownTabs, type ConsoleTab } from './browser/console-tab.ts';
import { someTicker } from './browser/some-ticker.ts';

const tabs = ownTabs();
const ACTIONS = '**/api/v1/data/stocks/*/actions?**';
const BARS = '**/api/v1/data/stocks/*/bars?**';

let ticker: string;
beforeAll(async () => void (ticker = await someTicker()));

async function openStock(look = {}, answers: (tab: ConsoleTab) => Promise<unknown> = async () => {}) {
  const tab = await tabs.open(look);
  await answers(tab);
  await tab.signIn(inject('demoKey'), `#/market/${ticker}`);
  return tab;
}

const action = (change: object) => ({
  ...{ kind: 'dividend', ex_date: '2024-07-04', known_on: '2024-06-24', status: 'stated' },
  ...{ ratio: null, amount: null, price_factor: null, source: null, note: null, new_ticker: null },
  ...{ board: null, index: null, membership: null, ...change },
});
/** One of each state, and of each form of terms. The fleet's market has detected ones only. */
const LISTED = [
  action({ amount: 12.5, source: 'IDX' }),
  action({ kind: 'split', ex_date: '2024-05-02', status: 'confirmed', ratio: 5, price_factor: 0.2 }),
  action({ kind: 'reverse_split', ex_date: '2024-04-02', status: 'detected', ratio: 0.1, price_factor: 10 }),
  action({ kind: 'rights', ex_date: '2024-03-04', ratio: 1, note: 'A slip of the exchange.' }),
  action({ kind: 'rights', ex_date: '2024-03-04', status: 'overruled' }),
  action({ kind: 'rights', ex_date: '2024-02-05', ratio: 1.25, amount: 500, price_factor: 0.9 }),
  action({ kind: 'index_membership', ex_date: '2024-02-01', index: 'LQ45', membership: 'joined' }),
  action({ kind: 'ticker_change', ex_date: '2023-02-01', new_ticker: 'BBBB' }),
];

/** Answers with these actions, and says whether there are more. */
const listing =
  (actions: object[], hasMore = false) =>
  (tab: ConsoleTab) =>
    tab.changeAnswers(ACTIONS, (page) => ({
      ...page,
      ...{ actions, count: actions.length, has_more: hasMore, next_cursor: hasMore ? 'n' : null },
    }));

describe('corporate actions on the page of a stock', () => {
  test.each([
    {
      ...{ language: 'en', theme: 'light', width: 1400, table: 'Corporate actions of' },
      shows: [
        /^4 Jul 2024 Dividend Rp 12\.5 a share, before tax +24 Jun 2024 Stated by the table alone IDX$/,
        /^2 May 2024 Split 5 shares for 1 before × 0\.2 24 Jun 2024 Confirmed /,
        /^2 Apr 2024 Reverse split 1 share for 10 before × 10 .+ Detected /,
        /^4 Mar 2024 Rights nothing happened A slip of the exchange\. .+ Stated /,
        /^4 Mar 2024 Rights .+ Overruled the table says otherwise, so it changes no price/,
        /^5 Feb 2024 Rights 1\.25 shares for 1 before, a new share for Rp 500 × 0\.9 /,
        /^1 Feb 2024 Index joined LQ45 /,
        /^1 Feb 2023 New ticker now BBBB /,
      ],
    },
    {
      ...{ language: 'id', theme: 'dark', width: 390, table: 'Aksi korporasi' },
      shows: [
        /^4 Jul 2024 Dividen Rp 12,5 per saham, sebelum pajak +24 Jun 2024 Dinyatakan hanya oleh tabel IDX$/,
        /^2 Apr 2024 Penggabungan saham 1 saham untuk 10 saham sebelumnya × 10 .+ Terdeteksi /,
      ],
    },
  ] as const)(
    'say what each is, since when it is known and how: $language $theme $width',
    async ({ shows, table, ...look }) => {
      const tab = await openStock(look, listing(LISTED));
      const region = tab.page.getByRole('region', { name: `${table} ${ticker}` });
      for (const name of shows) await region.getByRole('row', { name }).waitFor();
      expect(await region.getByRole('row').count()).toBe(LISTED.length + 1);
      await region.focus();
      expect(await tab.page.evaluate(() => document.activeElement?.ariaLabel)).toBe(`${table} ${ticker}`);
      await tab.loaded();
      await tab.expectSound();
    },
  );

  test('all appear on request, by keyboard, where the page shows only the first', async () => {
    const tab = await openStock({}, listing(LISTED.slice(0, 1), true));
    const all = tab.page.getByRole('button', { name: 'Show all' });
    await all.waitFor();
    const asked = tab.page.waitForRequest((request) => request.url().includes('/actions?limit=1000'));
    await all.focus();
    await tab.page.keyboard.press('Enter');
    await asked;
    await all.waitFor({ state: 'detached' });
  });

  test('are said to be none for a stock without any', async () => {
    const tab = await openStock({}, listing([]));
    await tab.page.getByText('None: no source states an action of this stock').waitFor();
  });

  test('that fail to load leave the rest of the page, and can be retried', async () => {
    const failing = (tab: ConsoleTab) =>
      tab.page.route(ACTIONS, (route) =>
        route.fulfill({
          status: 503,
          json: { error: { code: 'data_unavailable', message: 'gone', request_id: 'req_1' } },
        }),
      );
    const tab = await openStock({}, failing);
    const alert = tab.page
      .getByRole('alert')
      .filter({ hasText: 'This data is not available at the moment.' });
    await alert.waitFor();
    await tab.page.locator('.candles canvas').first().waitFor();
    await tab.page.getByRole('heading', { name: 'Turning point' }).waitFor();
    await tab.page.unroute(ACTIONS);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await alert.waitFor({ state: 'detached' });
  });
});

describe('the prices of the chart', () => {
  const choice = (tab: ConsoleTab, name: string) =>
    tab.page.getByRole('group', { name: 'Prices' }).getByRole('button', { name });

  test('are chosen by keyboard, and the page says what they mean', async () => {
    const tab = await openStock();
    const published = choice(tab, 'As published');
    expect(await choice(tab, 'Adjusted for splits').getAttribute('aria-pressed')).toBe('true');
    const asked = tab.page.waitForRequest((request) => request.url().includes('adjusted=false'));
    await published.focus();
    await tab.page.keyboard.press('Enter');
    await asked;
    await tab.page.getByText('As the exchange published them').waitFor();
    expect(await published.getAttribute('aria-pressed')).toBe('true');
    await tab.page
      .getByRole('slider', { name: new RegExp(`^${ticker}, candles of 120 trading days`) })
      .waitFor();
    expect(await tab.violations()).toEqual([]);
  });

  test('with dividends need one in the table: without any, the page says why there are none', async () => {
    const tab = await openStock();
    await choice(tab, 'Dividends reinvested').click();
    await tab.page.getByRole('alert').filter({ hasText: 'has no dividends' }).waitFor();
    await choice(tab, 'Adjusted for splits').click();
    await tab.page.getByRole('slider', { name: new RegExp(`^${ticker}, candles`) }).waitFor();
  });

  test.each([
    [3, 'Ex-days known: 3.'],
    [0, 'it counts as one that paid none'],
  ])('with %i dividends of the stock say so', async (dividends, words) => {
    const tab = await openStock({}, (opened) =>
      opened.page.route(BARS, async (route) => {
        const url = route.request().url().replace('adjusted=total', 'adjusted=true');
        const answer = await route.fetch({ url });
        const body = (await answer.json()) as object;
        await route.fulfill({ response: answer, json: { ...body, reinvests_dividends: true, dividends } });
      }),
    );
    await choice(tab, 'Dividends reinvested').click();
    await tab.page.getByText(words).waitFor();
  });
});
