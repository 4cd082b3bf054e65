import { setTimeout } from 'node:timers/promises';
import { describe, expect, inject, test } from 'vitest';
import { fleetFileIn } from '../support/fleets/fleet.ts';
import { ownTabs, type ConsoleTab } from './browser/console-tab.ts';

const tabs = ownTabs();
/** Longer than the page of datasets waits before it refreshes itself. */
const SLOWLY_MS = 6_500;
/** A bad mobile connection. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 20_000 };

async function openSlowly(): Promise<ConsoleTab> {
  const tab = await tabs.open({ width: 390 });
  const devTools = await tab.page.context().newCDPSession(tab.page);
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', SLOW);
  return tab;
}

describe('on a slow network', () => {
  test('today’s picks load, and a waiting indicator shows until they arrive', async () => {
    const tab = await openSlowly();
    await tab.signIn(inject('demoKey'));
    await tab.page.waitForSelector('.waiting');
    await tab.page.waitForSelector('.candles canvas');
    await tab.page.getByText('Why this number').waitFor();
    expect(await tab.page.locator('.failure').count()).toBe(0);
    expect(tab.complaints).toEqual([]);
  });

  test('a user who moves on sees only the new page, with no failure of the page before', async () => {
    const tab = await openSlowly();
    await tab.signIn(inject('demoKey'), '#/market');
    await tab.page.getByRole('link', { name: 'Flows' }).click();
    await tab.page.getByRole('link', { name: 'Usage' }).click();
    await tab.page.locator('.facts dd').first().waitFor();
    expect(await tab.page.locator('h1').textContent()).toBe('Usage');
    expect(await tab.page.locator('.failure').count()).toBe(0);
  });

  test('a page that refreshes itself waits for an answer that takes longer than its interval', async () => {
    const tab = await tabs.open();
    await tab.page.route('**/api/v1/operator/datasets', async (route) => {
      await setTimeout(SLOWLY_MS);
      await route.continue();
    });
    const { operator_token } = await fleetFileIn(inject('stateDir'));
    await tab.signInAsOperator(operator_token, '#/datasets');
    await tab.page.locator('tr.selected').waitFor();
  });

  test('the page reports a lost connection and loads once it is back', async () => {
    const tab = await tabs.signedIn('#/market');
    await tab.page.waitForSelector('figure');
    await tab.page.context().setOffline(true);
    await tab.page.getByRole('link', { name: 'Flows' }).click();
    await tab.page.getByText('No answer came from the server.').first().waitFor();
    await tab.page.context().setOffline(false);
    await expect
      .poll(async () => {
        const again = tab.page.getByRole('button', { name: 'Try again' });
        if ((await again.count()) > 0) await again.first().click();
        return tab.page.locator('.failure').count();
      })
      .toBe(0);
    await tab.page.waitForSelector('figure');
  });
});
