import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { NO_RECEIVER } from '#support/declared-api/request-parts.ts';
import { newTenant } from '#support/fleets/contract.ts';
import { ownTabs } from './browser/console-tab.ts';

/** What people come for. Each is done from the first page by words that are on the screen, as somebody does who knows no address. */

const tabs = ownTabs();
let page: Page;
let tenant: Awaited<ReturnType<typeof newTenant>>;

beforeEach(async () => {
  tenant = await newTenant();
  ({ page } = await tabs.signedIn('#/', {}, tenant.key));
});

const open = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const shows = (text: string | RegExp) => page.getByText(text).first().waitFor();

/** Of two large stocks, whose pages have everything. */
async function twoStocks(): Promise<[string, string]> {
  const rules = 'is_liquid sort by value_20d desc limit 2';
  const { rows } = await tenant.client.screens.preview({ rules, endUser: 'console' });
  return rows.map(({ ticker }) => ticker) as [string, string];
}

async function find(ticker: string): Promise<void> {
  await page.getByPlaceholder(/^Find a stock/).fill(ticker);
  await page.getByPlaceholder(/^Find a stock/).press('Enter');
  await page.getByRole('heading', { name: new RegExp(`^${ticker}`) }).waitFor();
}

async function buildScreen(name: string): Promise<void> {
  await open('Screens');
  await page.getByLabel('Rules').fill('is_liquid and close > 100 and rsi_14 < 90 sort by value_idr desc');
  await shows(/^\d+ of \d+ pass on /);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await press('Save');
  await shows(`${name}, version 1`);
}

describe('from the words on the screen somebody', () => {
  test('finds the picks of today and why one is among them', async () => {
    await page.getByRole('heading', { name: /^Picks for / }).waitFor();
    await page.getByRole('button', { name: /^Show / }).first().click(); // prettier-ignore
    await shows('Probability: the two compared over twenty trades');
  });

  test('learns why a stock is not among them', async () => {
    await page.getByRole('heading', { name: 'Why is a stock among them, or not?' }).waitFor();
    const shown = await page.getByRole('button', { name: /^Show / }).allTextContents();
    const other = (await twoStocks()).find((ticker) => !shown.includes(ticker))!;
    await page.getByLabel('Ticker', { exact: true }).fill(other);
    await press('Explain');
    await shows('What it lacks');
  });

  test('builds a screen of three rules, saves it, and finds where to be told of its changes', async () => {
    await buildScreen('large and calm');
    await page.getByRole('link', { name: 'Create a webhook' }).click();
    await page.getByLabel('Address').fill(NO_RECEIVER);
    await press('Create');
    await shows(/whsec_/);
  });

  test('compares two stocks', async () => {
    const [one, other] = await twoStocks();
    await find(one);
    await page.getByLabel('Compare with').fill(other);
    await press('Compare');
    const table = page.getByRole('table', { name: /^Compared over/ });
    await table.getByRole('link', { name: other }).waitFor();
  });

  test('exports a table', async () => {
    await open('Stocks');
    const downloading = page.waitForEvent('download');
    await press('CSV');
    const csv = await readFile(await (await downloading).path(), 'utf8');
    expect(csv.trimEnd().split('\r\n').length).toBeGreaterThan(10);
  });

  test('sees how good model F is, and whether that is known at all', async () => {
    await shows(/^On the real market, .* a pick of this model returned/);
    await open('Record');
    await page.getByRole('heading', { name: 'How the picks turned out' }).waitFor();
    await shows(/picks? .*on record/);
  });

  test('simulates money in a screen and reads its verdict', async () => {
    await buildScreen('followed');
    await open('Simulations');
    await press('Simulate');
    await shows(/^(Worse|Not shown|Shown)/);
  });

  test('sees why a delivery failed', async () => {
    const { webhook_id } = await tenant.client.webhooks.create({ url: NO_RECEIVER });
    await tenant.client.webhooks.test(webhook_id);
    let failure = '';
    const lastFailure = async () => {
      const { deliveries } = await tenant.client.webhooks.deliveries(webhook_id).first();
      // The next attempt has none while it is under way.
      return (failure ||= deliveries[0]?.attempts[0]?.error ?? '');
    };
    await expect.poll(lastFailure).toMatch(/./);
    await open('Webhooks');
    await page.getByRole('link', { name: NO_RECEIVER }).click();
    await shows('webhook.test');
    await shows(failure);
  });

  test('learns why data is late', async () => {
    await shows(/^The data ends on .* trading days are missing/);
  });

  test('finds the runs that failed', async () => {
    const { job_id } = await tenant.client.runs.submit('recovery_v4', {
      params: { positions: [{ ticker: 'ZZZZ', pnl_input: -5 }] },
      endUser: 'console',
    });
    await expect.poll(async () => (await tenant.client.jobs.get(job_id)).status).toMatch(/failed|succeeded/);
    await open('Usage');
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    await shows(/recovery_v4|Recovery/);
  });
});
