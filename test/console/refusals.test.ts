import { describe, expect, test } from 'vitest';
import { ownTabs, type ConsoleTab } from './browser/console-tab.ts';
import { someTicker } from './browser/some-ticker.ts';

const tabs = ownTabs();
const UNKNOWN_JOB = `job_${'0'.repeat(24)}`;

/** Opens a page in a tab with the demo key and waits for this element. */
async function openAt(hash: string, selector: string): Promise<ConsoleTab> {
  const tab = await tabs.signedIn(hash);
  await tab.page.waitForSelector(selector);
  return tab;
}

/** The text of the page's only failure. Also checks that the page violates no axe rule and has no other complaints. */
async function failureOf(tab: ConsoleTab): Promise<string> {
  const failures = tab.page.locator('.failure');
  // Parts of a page that load in parallel each show a failure, until the page replaces them with one.
  await expect.poll(() => failures.count()).toBe(1);
  expect(await tab.violations()).toEqual([]);
  expect(tab).toMatchObject({ foreign: [], complaints: [] });
  return (await failures.textContent())!;
}

async function submit(tab: ConsoleTab, field: string, entry: string): Promise<void> {
  await tab.page.fill(field, entry);
  await tab.page.press(field, 'Enter');
}

describe('a form says what the API refuses', () => {
  test.each([
    ['a stock that the market does not hold', 'ZZZZ'],
    ['what cannot be a ticker', 'no ticker'],
  ])('%s', async (_, entry) => {
    const tab = await openAt('#/market', 'figure a');
    await submit(tab, '#ticker', entry);
    expect(await failureOf(tab)).not.toBe('');
    await submit(tab, '#stock-search', (await someTicker()).toLowerCase());
    await tab.page.waitForSelector('.candles canvas');
    expect(await tab.page.locator('.failure').count()).toBe(0);
  });

  test.each([
    ['a broker without rows', 'QQ'],
    ['what cannot be a broker', 'a broker'],
  ])('%s, while flows stay', async (_, entry) => {
    const tab = await openAt('#/flows', 'figure svg');
    await submit(tab, '#broker', entry);
    expect(await failureOf(tab)).not.toBe('');
    expect(await tab.page.locator('figure svg').count()).toBeGreaterThan(0);
  });

  test('an explanation of an unknown ticker, and a comparison with a run that no longer exists', async () => {
    const tab = await openAt('#/run/confluence_filter', '.parameters input');
    for (const signals of ['1', '2']) {
      await tab.page.fill('#param-min_signals', signals);
      await tab.page.getByRole('button', { name: 'Run', exact: true }).click();
      await tab.page.waitForSelector('.job .succeeded');
      await tab.page.getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor();
    }
    await submit(tab, '#explained', 'ZZZZ');
    expect(await failureOf(tab)).toContain('ZZZZ');
    await submit(tab, '#explained', await someTicker());
    await tab.page.waitForFunction(() => !document.querySelector('.failure, .waiting'));
    await tab.page
      .locator('#before option')
      .first()
      .evaluate((option, id) => {
        (option as HTMLOptionElement).value = id;
      }, UNKNOWN_JOB);
    await tab.page.getByRole('button', { name: 'Compare' }).click();
    expect(await failureOf(tab)).not.toBe('');
  });
});
