import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ownTabs, type ConsoleTab } from './browser/console-tab.ts';

const tabs = ownTabs();

async function stocksTab(options: { width?: number; hash?: string } = {}) {
  const tab = await tabs.signedIn(options.hash ?? '#/stocks', { width: options.width ?? 1400 });
  await tab.page.getByRole('region', { name: 'Stocks' }).waitFor();
  return tab;
}

const tickersOf = (tab: ConsoleTab) => tab.page.locator('tbody th').allInnerTexts();

test('a table is ordered by any column, both ways and back, by mouse and by keyboard', async () => {
  const tab = await stocksTab({ hash: '#/stocks?table.stocks=words%3Denergy' });
  const asGiven = await tickersOf(tab);
  const head = tab.page.getByRole('columnheader', { name: 'Ticker' });
  const order = head.getByRole('button');
  await order.click();
  expect(await head.getAttribute('aria-sort')).toBe('ascending');
  expect(await tickersOf(tab)).toEqual(asGiven.toSorted());
  await order.focus();
  await tab.page.keyboard.press('Enter');
  expect(await head.getAttribute('aria-sort')).toBe('descending');
  expect(await tickersOf(tab)).toEqual(asGiven.toSorted().toReversed());
  await tab.page.keyboard.press('Enter');
  expect(await tickersOf(tab)).toEqual(asGiven);
});

test('a link reproduces what somebody looks at: words, order and columns', async () => {
  const tab = await stocksTab();
  const [ticker = ''] = await tickersOf(tab);
  await tab.page.getByRole('searchbox', { name: 'Search in this table' }).fill(ticker);
  await expect.poll(() => tickersOf(tab)).toEqual([ticker]);
  await tab.page.getByText('Columns').click();
  await tab.page.getByLabel('Sector', { exact: true }).uncheck();
  await tab.page.getByRole('columnheader', { name: 'Ticker' }).getByRole('button').click();
  const other = await tab.inSameBrowser();
  await other.goTo(new URL(tab.page.url()).hash);
  await other.page.getByRole('columnheader', { name: 'Ticker' }).waitFor();
  expect(await tickersOf(other)).toEqual([ticker]);
  expect(await other.page.getByRole('columnheader', { name: 'Sector' }).count()).toBe(0);
  expect(await other.page.getByRole('columnheader', { name: 'Ticker' }).getAttribute('aria-sort')).toBe(
    'ascending',
  );
});

test('a pinned column stays in sight beside the first, by keyboard and by link', async () => {
  const tab = await stocksTab({ width: 660 });
  const { page } = tab;
  await page.getByText('Columns').focus();
  await page.keyboard.press('Enter');
  const pin = page.getByRole('button', { name: 'Pin Board' });
  await pin.focus();
  await page.keyboard.press('Enter');
  expect(await pin.getAttribute('aria-pressed')).toBe('true');
  const heads = (of: ConsoleTab) => of.page.locator('thead th').allInnerTexts();
  expect((await heads(tab)).slice(0, 3)).toEqual(['Ticker', 'Board', 'Name']);
  expect(await tab.violations()).toEqual([]);
  const other = await tab.inSameBrowser();
  await other.page.setViewportSize({ width: 660, height: 900 });
  await other.goTo(new URL(page.url()).hash);
  const frame = other.page.getByRole('region', { name: 'Stocks' });
  await frame.waitFor();
  expect((await heads(other)).slice(0, 3)).toEqual(['Ticker', 'Board', 'Name']);
  const leftOf = (cell: string) =>
    other.page.locator(cell).evaluate((one) => Math.round(one.getBoundingClientRect().left));
  const pinned = ['thead th:nth-child(2)', 'tbody tr:first-child td:nth-child(2)'];
  const before = await Promise.all(pinned.map(leftOf));
  const moving = await leftOf('thead th:nth-child(3)');
  const scrolled = await frame.evaluate((one) => {
    one.scrollLeft = 120;
    return one.scrollLeft;
  });
  expect(scrolled).toBeGreaterThan(10);
  expect(await Promise.all(pinned.map(leftOf))).toEqual(before);
  expect(await leftOf('thead th:nth-child(3)')).toBe(moving - scrolled);
});

test('what is shown is taken as a file under the API’s names', async () => {
  const tab = await stocksTab();
  const [ticker = ''] = await tickersOf(tab);
  await tab.page.getByRole('searchbox', { name: 'Search in this table' }).fill(ticker);
  const [file] = await Promise.all([
    tab.page.waitForEvent('download'),
    tab.page.getByRole('button', { name: 'CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('stocks.csv');
  const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
  expect(lines[0]).toBe('ticker,name,sector,board,listed_on,last_traded_date');
  expect(lines[1]).toMatch(new RegExp(`^${ticker},`));
  expect(lines).toHaveLength(3);
});

test('on a phone each row is a card that names its values, without overflow or violations', async () => {
  const tab = await stocksTab({ width: 390 });
  // The rows of a long list are drawn again once they can be left out of the document.
  await tab.page.locator('tbody tr[aria-rowindex]').first().waitFor();
  const cell = tab.page.locator('tbody td').first();
  expect(await cell.evaluate((td) => getComputedStyle(td, '::before').content)).toBe('"Name"');
  await tab.expectSound();
});
