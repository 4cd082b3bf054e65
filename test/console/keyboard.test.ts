import { expect, test } from 'vitest';
import { ownTenant } from '../support/fleets/contract.ts';
import { ownTabs } from './browser/console-tab.ts';

const tabs = ownTabs();
const tenant = ownTenant();

const signedIn = (hash: string) => tabs.signedIn(hash, {}, tenant.key);

const aStock = async () => (await tenant.client.data.stocks({ limit: 1 }).first()).stocks[0]!;

test('a stock is found by its name from any page, by the keyboard alone', async () => {
  const { ticker, name } = await aStock();
  const tab = await signedIn('#/usage');
  await tab.page.keyboard.press('/');
  await tab.page.keyboard.type(name!.toLowerCase());
  await tab.page.getByRole('option', { name: ticker }).waitFor();
  expect(await tab.violations()).toEqual([]);
  await tab.page.keyboard.press('ArrowDown');
  await tab.page.keyboard.press('ArrowUp');
  await tab.page.keyboard.press('Enter');
  await tab.page.getByRole('heading', { level: 1, name: ticker }).waitFor();
  expect(tab.page.url()).toContain(`#/market/${ticker}`);
});

test('j and k move through the rows of a table, and Enter opens one', async () => {
  const tab = await signedIn('#/stocks');
  // The rows of a long list are drawn again once they can be left out of the document.
  await tab.page.locator('tbody tr[aria-rowindex]').first().waitFor();
  const focused = () => tab.page.evaluate(() => document.activeElement!.textContent);
  const tickers = await tab.page.locator('tbody th').allInnerTexts();
  for (const key of ['j', 'j', 'j', 'k']) await tab.page.keyboard.press(key);
  expect(await focused()).toBe(tickers[1]);
  await tab.page.keyboard.press('Enter');
  await tab.page.getByRole('heading', { level: 1, name: tickers[1]! }).waitFor();
});

test('a question mark lists the keys, but not while somebody types', async () => {
  const tab = await signedIn('#/stocks');
  const list = tab.page.getByRole('dialog', { name: 'Keyboard' });
  await tab.page.getByRole('combobox', { name: 'Find a stock' }).focus();
  await tab.page.keyboard.type('?j/');
  expect(await list.isVisible()).toBe(false);
  await tab.page.getByRole('heading', { level: 1 }).click();
  await tab.page.keyboard.press('?');
  await list.waitFor();
  expect(await tab.violations()).toEqual([]);
  await tab.page.keyboard.press('Escape');
  await list.waitFor({ state: 'hidden' });
});

test('what is found for a field that was left meanwhile covers nothing', async () => {
  const tab = await signedIn('#/stocks');
  const left = Promise.withResolvers<void>();
  await tab.page.route(/\/data\/stocks\?.*search=/, async (route) => {
    await left.promise;
    await route.continue();
  });
  const field = tab.page.getByRole('combobox', { name: 'Find a stock' });
  const asked = tab.page.waitForRequest(/search=/);
  const answered = tab.page.waitForResponse(/search=/);
  await field.fill('Q');
  await asked;
  await field.blur();
  left.resolve();
  await (await answered).finished();
  await field.page().evaluate(() => new Promise(requestAnimationFrame));
  expect(await tab.page.getByRole('listbox').isVisible()).toBe(false);
  await field.focus();
  await tab.page.getByRole('listbox').waitFor();
});
