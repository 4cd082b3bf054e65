import { readFile } from 'node:fs/promises';
import { expect, inject, test } from 'vitest';
import { ownTabs, type ConsoleTab } from './browser/console-tab.ts';

const tabs = ownTabs();
const STOCKS = 1_000;
/** More than any window of these tests shows, with the rows beyond its edges. */
const FEW = 150;

const tickerAt = (at: number) => `T${String(at).padStart(3, '0')}`;

/** The list of stocks, with as many as one answer of the API can hold. */
async function longList(width = 1400): Promise<ConsoleTab> {
  const tab = await tabs.open({ width });
  await tab.changeAnswers<{ stocks: object[] }>('**/api/v1/data/stocks?**', (page) => ({
    ...page,
    count: STOCKS,
    stocks: Array.from({ length: STOCKS }, (_, at) => ({
      ...page.stocks[at % page.stocks.length],
      ticker: tickerAt(at),
      // Rows of different heights.
      name: 'A generated company '.repeat(1 + (at % 7)),
    })),
  }));
  await tab.signIn(inject('demoKey'), '#/stocks');
  await tab.page.locator('table[aria-rowcount] tbody tr[aria-rowindex]').first().waitFor();
  return tab;
}

const drawnRows = (tab: ConsoleTab) => tab.page.locator('tbody tr[aria-rowindex]').count();
const row = (tab: ConsoleTab, at: number) => tab.page.getByRole('link', { name: tickerAt(at), exact: true });

test.each([1400, 390])(
  'however far somebody scrolls, only rows near the window are in the document, and there is no hole: width %d',
  async (width) => {
    const tab = await longList(width);
    const { page } = tab;
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(STOCKS + 1));
    const lastRow = row(tab, STOCKS - 1);
    while (!(await lastRow.isVisible())) {
      await page.evaluate(() => scrollBy(0, 6_000));
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      expect(await drawnRows(tab)).toBeLessThan(FEW);
      const seen = await page.evaluate(() => {
        const at = document.elementFromPoint(innerWidth / 4, innerHeight / 2);
        return at?.closest('tr[aria-rowindex]') !== null || at.closest('table') === null;
      });
      expect(seen).toBe(true);
    }
    expect(await page.locator('tbody tr[aria-rowindex]').last().getAttribute('aria-rowindex')).toBe(
      String(STOCKS + 1),
    );
    expect(await tab.violations()).toEqual([]);
    expect(tab.complaints).toEqual([]);
  },
);

test('columns keep their width while somebody scrolls', async () => {
  const tab = await longList();
  const widths = () =>
    tab.page.locator('thead th').evaluateAll((heads) => heads.map((head) => head.clientWidth));
  const before = await widths();
  await tab.page.evaluate(() => scrollTo(0, 20_000));
  await row(tab, 450).waitFor();
  for (const [at, width] of (await widths()).entries()) expect(Math.abs(width - before[at]!)).toBeLessThan(2);
});

test('the last row and the first are reached by keyboard, and the row with the focus stays', async () => {
  const tab = await longList();
  const { page } = tab;
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.keyboard.press('j');
  expect(await focused()).toBe(tickerAt(0));
  await page.keyboard.press('End');
  await expect.poll(focused).toBe(tickerAt(STOCKS - 1));
  await page.keyboard.press('k');
  expect(await focused()).toBe(tickerAt(STOCKS - 2));
  await page.evaluate(() => scrollTo(0, 0));
  await row(tab, 0).waitFor();
  expect(await focused()).toBe(tickerAt(STOCKS - 2));
  await page.keyboard.press('Home');
  await expect.poll(focused).toBe(tickerAt(0));
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/console#/market/${tickerAt(1)}`);
});

test('a file has every row, and paper too', async () => {
  const tab = await longList();
  const [file] = await Promise.all([
    tab.page.waitForEvent('download'),
    tab.page.getByRole('button', { name: 'CSV' }).click(),
  ]);
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(STOCKS + 1);
  await tab.page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect.poll(() => drawnRows(tab)).toBe(STOCKS);
  await tab.page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect.poll(() => drawnRows(tab)).toBeLessThan(FEW);
});

test('an order and a search are those of all rows', async () => {
  const tab = await longList();
  const order = tab.page.getByRole('columnheader', { name: 'Ticker' }).getByRole('button');
  await order.click();
  await order.click();
  await expect.poll(() => tab.page.locator('tbody th').first().innerText()).toBe(tickerAt(STOCKS - 1));
  await tab.page.getByRole('searchbox', { name: 'Search in this table' }).fill(tickerAt(500));
  await expect.poll(() => tab.page.locator('tbody th').allInnerTexts()).toEqual([tickerAt(500)]);
});
