import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, inject, test } from 'vitest';
import { offerSignIn } from '#shared/one-time-sign-in.ts';
import { newTenant, newTestTenant, testOfOwnFleet } from '../support/fleets/contract.ts';
import { ownTabs, type ConsoleTab } from './browser/console-tab.ts';

const tabs = ownTabs();
const ownTest = testOfOwnFleet('links that sign in once');
const openTab = () => tabs.open();

/** Writes as the console does: by its own form. */
async function runFrom(tab: ConsoleTab): Promise<{ status: number }> {
  await tab.openInPlace('#/run/confluence_filter');
  const answered = tab.page.waitForResponse((response) => response.request().method() === 'POST');
  await tab.page.locator('main form button[type=submit]').first().click();
  return { status: (await answered).status() };
}

describe('signing in to the console', () => {
  test('sign-in reports a wrong key or end user beside its field', async () => {
    const tab = await openTab();
    await tab.goTo('#/');
    await tab.page.click('button[type=submit]');
    await tab.page.getByText('Enter an API key.').waitFor();
    await tab.page.fill('#key', 'sar_nobody');
    await tab.page.fill('#end-user', 'a@b');
    await tab.page.click('button[type=submit]');
    await tab.page.getByText('At most 64 letters').waitFor();
    await tab.page.fill('#end-user', 'console');
    await tab.page.click('button[type=submit]');
    await tab.page.getByText('This key is unknown, or has been revoked.').waitFor();
    expect(await tab.page.getAttribute('#key', 'aria-invalid')).toBe('true');
    expect(await tab.violations()).toEqual([]);
  });

  ownTest('a one-time link signs in once, and its token leaves the address', async () => {
    const file = path.join(inject('stateDir'), 'console-sign-in.json');
    const link = `#/sign-in/${offerSignIn(file, inject('demoKey'), 60_000)}`;
    const [first, second] = [await openTab(), await openTab()];
    await first.goTo(link);
    await first.page.waitForSelector('nav');
    expect(first.page.url()).not.toContain('sign-in');
    await second.goTo(link);
    await second.page.getByText('This sign-in link has been used or has expired.').waitFor();
    await second.page.getByText('demo_key in .saring/fleet.json').waitFor();
  });

  ownTest('a link that is opened in an open console signs in, and leaves the history', async () => {
    const file = path.join(inject('stateDir'), 'console-sign-in.json');
    const link = `#/sign-in/${offerSignIn(file, inject('demoKey'), 60_000)}`;
    const tab = await openTab();
    await tab.goTo('#/market');
    await tab.page.waitForSelector('#key');
    await tab.openInPlace(link);
    await tab.page.waitForSelector('nav');
    await tab.openInPlace(link);
    await tab.page.getByText('You are still signed in as before.').waitFor();
    expect((await tab.history()).filter((address) => address.includes('sign-in'))).toEqual([]);
    await tab.openInPlace('#/market');
    await tab.page.getByText('You are still signed in as before.').waitFor({ state: 'detached' });
    expect(tab.complaints).toEqual([]);
  });

  test('the API key appears in no URL, storage or cookie that a script can read', async () => {
    const tab = await openTab();
    const addresses: string[] = [];
    tab.page.on('request', (request) => addresses.push(request.url()));
    await tab.signIn(inject('demoKey'));
    const stored = await tab.page.evaluate(
      () => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie,
    );
    expect(`${addresses.join()} ${stored} ${tab.page.url()}`).not.toMatch(/sa[rs]_/);
    const kept = await tab.page.context().cookies(`${inject('baseUrl')}/api/v1`);
    expect(kept).toMatchObject([{ name: 'saring_session', httpOnly: true, sameSite: 'Strict' }]);
    expect(kept[0]!.value).not.toBe(inject('demoKey'));
  });

  test('a reload, a new tab and a bookmark stay signed in, and write', async () => {
    const tab = await openTab();
    await tab.signIn(inject('demoKey'));
    await tab.page.reload();
    await tab.page.waitForSelector('nav');
    const other = await tab.inSameBrowser();
    await other.goTo('#/screens');
    await other.page.waitForSelector('nav');
    const { status } = await runFrom(other);
    expect(status).toBeLessThan(300);
    expect([...tab.complaints, ...other.complaints]).toEqual([]);
  });

  test('signing out signs every tab of the browser out, and a reload does not sign in again', async () => {
    const tab = await openTab();
    await tab.signIn(inject('demoKey'));
    const other = await tab.inSameBrowser();
    await other.goTo('#/market');
    await other.page.waitForSelector('nav');
    await tab.page.getByRole('button', { name: 'Sign out' }).first().click();
    await other.page.waitForSelector('#key');
    await tab.page.reload();
    await tab.page.waitForSelector('#key');
  });

  test('a tab goes on as the key with which another tab has signed in', async () => {
    const tenant = await newTenant();
    const tab = await openTab();
    await tab.signIn(inject('demoKey'), '#/usage');
    const other = await tab.inSameBrowser();
    await other.goTo('#/');
    await other.page.getByRole('button', { name: 'Sign out' }).click();
    await other.signIn(tenant.key, '#/usage');
    await tab.page.getByText(`${tenant.key.slice(0, 10)}…`).waitFor();
  });

  test('a sign-out whose answer is late does not end the session that begins after it', async () => {
    const tenant = await newTenant();
    const tab = await openTab();
    await tab.signIn(inject('demoKey'), '#/usage');
    await tab.page.route('**/api/v1/sessions/*', async (route) => {
      const late = await route.fetch();
      // Longer than signing in takes. A slower machine only makes the test easier to pass.
      await setTimeout(500);
      await route.fulfill({ response: late });
    });
    await tab.page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await tab.signIn(tenant.key, '#/usage');
    await tab.page.unrouteAll({ behavior: 'wait' });
    await tab.page.reload();
    await tab.page.getByText(`${tenant.key.slice(0, 10)}…`).waitFor();
  });

  test('who does not want to stay signed in gets a cookie that ends with the browser', async () => {
    const tab = await openTab();
    await tab.goTo('#/');
    await tab.page.getByLabel('Stay signed in').uncheck();
    await tab.page.fill('#key', inject('demoKey'));
    await tab.page.keyboard.press('Enter');
    await tab.page.waitForSelector('nav');
    expect(await tab.page.context().cookies(`${inject('baseUrl')}/api/v1`)).toMatchObject([{ expires: -1 }]);
  });

  test('the usage page lists the browsers of the key, and signs another one out', async () => {
    const tenant = await newTenant();
    const [tab, elsewhere] = [await openTab(), await openTab()];
    await elsewhere.signIn(tenant.key, '#/market');
    await tab.signIn(tenant.key, '#/usage');
    const browsers = tab.page.getByRole('region', { name: 'Browsers that are signed in with this key' });
    await browsers.getByText('(this one)').waitFor();
    const others = browsers.getByRole('row').filter({ hasNotText: '(this one)' });
    await others.getByRole('button').click();
    await others.getByRole('button').waitFor({ state: 'detached' });
    await elsewhere.openInPlace('#/usage');
    await elsewhere.page.getByText('Your session has ended:').waitFor();
    expect(await tab.violations()).toEqual([]);
  });

  test('a malformed address shows a page instead of nothing', async () => {
    const tab = await openTab();
    await tab.signIn(inject('demoKey'), '#/market/%');
    await tab.page.waitForSelector('main h1');
    expect(tab.complaints).toEqual([]);
  });
});

test.each(['null', '1', '"text"', '[]', '{}'])(
  'a sign-in with %s is refused, not an internal error',
  async (body) => {
    const answer = await fetch(`${inject('baseUrl')}/console/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect([404, 422]).toContain(answer.status);
  },
);

test('whoever signs in with a test key is told on every page that the market is generated', async () => {
  const { key } = await newTestTenant();
  const tab = await openTab();
  // Nor does a failure at first leave it with the words for the served market.
  const aboutKey = '**/api/v1/key';
  await tab.page.route(aboutKey, (route) => route.fulfill({ status: 500, body: '' }));
  await tab.signIn(key, '#/stocks');
  await tab.page.locator('.made-up').waitFor();
  await tab.page.unroute(aboutKey);
  await tab.page.getByText('Your key is a test key').waitFor();
  await tab.page.getByRole('link', { name: 'QABA' }).waitFor();
  expect(await tab.page.locator('.source .synthetic').count()).toBe(1);
  expect(await tab.violations()).toEqual([]);
});
