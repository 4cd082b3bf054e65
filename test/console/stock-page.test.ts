import { expect, test } from 'vitest';
import { ownTenant } from '#support/fleets/contract.ts';
import { LOOKS, ownTabs, type ConsoleTab } from './browser/console-tab.ts';

const tabs = ownTabs();
const tenant = ownTenant();
const CONSOLE = { endUser: 'console' };

/** The two stocks with the largest trades, which have everything that a page shows. */
async function largest(): Promise<[string, string]> {
  const { rows } = await tenant.client.screens.preview({
    rules: 'is_liquid sort by value_20d desc limit 2',
    ...CONSOLE,
  });
  return rows.map(({ ticker }) => ticker) as [string, string];
}

async function openStock(ticker: string, look = {}): Promise<ConsoleTab> {
  const tab = await tabs.signedIn(`#/market/${ticker}`, look, tenant.key);
  await tab.page.locator('.candles canvas').first().waitFor();
  return tab;
}

test('the page of a stock shows the values of the day to which arrow keys lead, with the flows below the candles', async () => {
  const [ticker] = await largest();
  const { ohlcv } = await tenant.client.data.stock(ticker, { days: 120 });
  const { by_day } = await tenant.client.data.brokersWindow(ticker, { days: 120, top_n: 1 });
  const tab = await openStock(ticker);
  await tab.page.getByText(/^Net buying since/).waitFor();
  const values = tab.page.locator('.values').first();
  const shown = (bar: (typeof ohlcv)[number] | undefined) => `Close ${bar!.close.toLocaleString('en-GB')}`;
  expect(await values.textContent()).toContain(shown(ohlcv.at(-1)));
  await tab.page.locator('.candles').focus();
  for (let day = 0; day < 3; day++) await tab.page.keyboard.press('ArrowLeft');
  await expect.poll(() => values.textContent()).toContain(shown(ohlcv.at(-4)));
  const chart = tab.page.getByRole('slider', { name: new RegExp(`^${ticker}, candles`) });
  expect(await chart.getAttribute('aria-valuetext')).toContain(shown(ohlcv.at(-4)));
  // Those belong to the browser.
  await tab.page.keyboard.press('Shift+Home');
  expect(await values.textContent()).toContain(shown(ohlcv.at(-4)));
  await tab.page.keyboard.press('Home');
  await expect.poll(() => values.textContent()).toContain(shown(ohlcv[0]));
  const foreign = by_day.find(({ date }) => date === ohlcv[0]!.date)?.foreign_net_value ?? 0;
  const flows = await tab.page.locator('.values').last().textContent();
  expect(flows).toMatch(foreign < 0 ? /Foreign brokers -Rp/ : /Foreign brokers Rp/);
  expect(tab.complaints).toEqual([]);
});

test('a browser whose language is no language tag shows the page of a stock all the same', async () => {
  const [ticker] = await largest();
  const tab = await tabs.open();
  // What Chromium says on a machine without a locale.
  await tab.page.addInitScript(`
    Object.defineProperty(navigator, 'language', { value: 'en-US@posix' });
    Object.defineProperty(navigator, 'languages', { value: ['en-US@posix'] });
  `);
  await tab.signIn(tenant.key, `#/market/${ticker}`);
  await tab.page.locator('.candles').first().focus();
  await tab.page.keyboard.press('ArrowLeft');
  await tab.page.getByText(/^Net buying since/).waitFor();
  await tab.page.locator('.candles canvas').first().waitFor();
  expect(tab.complaints).toEqual([]);
});

test('the values follow the pointer, and are those of the last day again once it has left', async () => {
  const [ticker] = await largest();
  const { ohlcv } = await tenant.client.data.stock(ticker, { days: 120 });
  const tab = await openStock(ticker);
  const values = tab.page.locator('.values').first();
  const last = await values.textContent();
  const box = (await tab.page.locator('.candles').boundingBox())!;
  await tab.page.mouse.move(box.x + 5, box.y + 100);
  await expect.poll(() => values.textContent()).not.toBe(last);
  expect(ohlcv.slice(0, 5).map(({ close }) => `Close ${close.toLocaleString('en-GB')}`)).toContainEqual(
    expect.stringMatching(/Close [\d,]+/.exec((await values.textContent())!)![0]),
  );
  await tab.page.mouse.move(5, 5);
  await expect.poll(() => values.textContent()).toBe(last);
});

test('a stock is compared with others over the days that are shown, and unknown codes are named', async () => {
  const [ticker, other] = await largest();
  const { snapshots } = await tenant.client.data.compare([ticker, other], { days: 120 });
  const tab = await openStock(ticker);
  await tab.page.getByLabel('Compare with').fill(`${other.toLowerCase()}, XXXX`);
  await tab.page.getByRole('button', { name: 'Compare', exact: true }).click();
  const rows = tab.page.getByRole('table', { name: 'Compared over 120 trading days' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(2);
  const figures = (await rows.allTextContents()).join(' ');
  for (const { period } of snapshots)
    expect(figures).toContain(`${Math.abs(period.return_pct!).toFixed(2)}%`);
  await tab.page.getByText('No stock has this code: XXXX.').waitFor();
});

test('a stock without broker rows has its chart, and a sentence in place of the brokers instead of a failure', async () => {
  const [ticker] = await largest();
  const tab = await tabs.open();
  const error = { error: { code: 'not_found', message: 'No rows.', request_id: 'req_1' }, detail: [] };
  await tab.page.route('**/brokers/window**', (route) => route.fulfill({ status: 404, json: error }));
  await tab.signIn(tenant.key, `#/market/${ticker}`);
  await tab.page.locator('.candles canvas').first().waitFor();
  await tab.page.getByText('The dataset has no broker rows of this stock in this time.').waitFor();
  expect(await tab.page.getByText(/^Net buying since/).count()).toBe(0);
  expect(await tab.page.locator('.failure').count()).toBe(0);
});

test('a stock names the screens that hold it', async () => {
  const [ticker] = await largest();
  const { screen_id } = await tenant.client.screens.create({
    name: 'holds it',
    rules: 'is_liquid',
    ...CONSOLE,
  });
  await expect
    .poll(async () => (await tenant.client.screens.ofStock(ticker, CONSOLE)).length)
    .toBeGreaterThan(0);
  const tab = await openStock(ticker);
  const link = tab.page.getByRole('link', { name: 'holds it' });
  expect(await link.getAttribute('href')).toBe(`#/screens/${screen_id}`);
});

test.each(LOOKS)('it has no axe violation and does not overflow: $language $theme $width', async (look) => {
  const [ticker] = await largest();
  const tab = await openStock(ticker, look);
  await tab.page.locator('#others').fill((await largest())[1]);
  await tab.page.locator('#others').press('Enter');
  await tab.page.locator('#others').locator('xpath=following::table').first().waitFor();
  await tab.loaded();
  await tab.expectSound();
});
