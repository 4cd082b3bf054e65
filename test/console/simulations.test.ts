import { beforeAll, describe, expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { newTenant, ownTenant } from '#support/fleets/contract.ts';
import { LOOKS, ownTabs, type ConsoleTab } from './browser/console-tab.ts';

const tabs = ownTabs();
const tenant = ownTenant();
const RULES = 'is_liquid and rsi_14 < 60 sort by value_idr desc';
/** The end user of whoever signs in with a key alone. */
const CONSOLE = { endUser: 'console' };

let screen_id: string;
beforeAll(async () => {
  ({ screen_id } = await tenant.client.screens.create({ name: 'followed', rules: RULES, ...CONSOLE }));
});

async function openSimulations(look: (typeof LOOKS)[number] = LOOKS[0]): Promise<ConsoleTab> {
  const tab = await tabs.signedIn(`#/simulations?screen=${screen_id}`, look, tenant.key);
  await tab.page.locator('#followed').waitFor();
  return tab;
}

/** Submits the form as it is proposed and returns the result that the page should show. */
async function simulate(tab: ConsoleTab): Promise<Schemas['SimulationResult']> {
  await tab.page.locator('form button[type=submit]').click();
  await tab.page.locator('.job dd .succeeded').waitFor();
  const jobId = new URL(tab.page.url()).hash.split('/').at(-1)!;
  const { result } = await tenant.client.jobs.get(jobId);
  return result as Schemas['SimulationResult'];
}

describe('the page of simulations', () => {
  test.each(LOOKS)(
    'shows a simulation without axe violations or overflow: $language $theme $width',
    async (look) => {
      const tab = await openSimulations(look);
      const { verdict } = await simulate(tab);
      await tab.page.locator('figure .drawing path.first').nth(1).waitFor();
      if (look.language === 'en')
        await tab.page.getByText(new RegExp(`^${verdict.replaceAll('_', ' ')}`, 'i')).waitFor();
      expect(await tab.page.locator('.source .synthetic').count()).toBe(3);
      await tab.expectLoaded();
    },
  );

  test('the account stands beside all liquid stocks, random picks and cash, month by month', async () => {
    const tab = await openSimulations();
    const { comparisons, by_month, by_year, trade_count } = await simulate(tab);
    const comparison = tab.page.getByRole('table', { name: 'Beside other money, under the same costs' });
    const compared = await comparison.locator('tbody').textContent();
    for (const pct of [comparisons.equal_weight.total_return_pct, comparisons.random.median_pct])
      expect(compared).toContain(`${Math.abs(pct).toFixed(1)}%`);
    const months = tab.page.getByRole('table', { name: 'Month by month' });
    expect(await months.locator('tbody th').allTextContents()).toEqual(
      by_year.map(({ year }) => year).reverse(),
    );
    const known = (await months.locator('tbody td').allTextContents()).filter((text) => text.endsWith('%'));
    // Beside the months, each year has its own return and that of all liquid stocks.
    expect(known).toHaveLength(by_month.length + 2 * by_year.length);
    await tab.page.getByRole('heading', { name: `Trades: ${trade_count}` }).waitFor();
  });

  test('a finished simulation is found again by its address', async () => {
    const tab = await openSimulations();
    await simulate(tab);
    const { hash } = new URL(tab.page.url());
    await tab.openInPlace('#/usage');
    await tab.page.locator('.facts dd').first().waitFor();
    await tab.openInPlace(hash);
    await tab.page.getByRole('table', { name: 'Month by month' }).waitFor();
  });

  test('a value that is not allowed is named beside its control', async () => {
    const tab = await openSimulations();
    await tab.page.fill('#capital_idr', '5');
    await tab.page.locator('form button[type=submit]').click();
    await tab.page.locator('#capital_idr-mistake').waitFor();
    expect(await tab.page.locator('#capital_idr').getAttribute('aria-invalid')).toBe('true');
    expect(await tab.page.locator('.job').count()).toBe(0);
  });

  test('whoever has neither screens nor backfills is told what to do first', async () => {
    const { key } = await newTenant();
    const tab = await tabs.signedIn('#/simulations', {}, key);
    await tab.page.getByText('There is nothing to follow yet.').waitFor();
    expect(await tab.violations()).toEqual([]);
  });
});
