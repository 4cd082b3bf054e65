import path from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { offerSignIn } from '#shared/one-time-sign-in.ts';
import { testOfOwnFleet } from '../support/fleets/contract.ts';
import { ownBrowser } from './browser/chromium.ts';
import { ConsoleTab } from './browser/console-tab.ts';

const browser = ownBrowser();
const ownTest = testOfOwnFleet('links that sign in once');
const openTab = () => ConsoleTab.open(browser.current, inject('baseUrl'));

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
    await tab.close();
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
    await Promise.all([first.close(), second.close()]);
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
    await tab.close();
  });

  test('the API key appears in no URL or browser storage, and a reload forgets it', async () => {
    const tab = await openTab();
    const addresses: string[] = [];
    tab.page.on('request', (request) => addresses.push(request.url()));
    await tab.signIn(inject('demoKey'));
    const stored = await tab.page.evaluate(
      () => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie,
    );
    expect(`${addresses.join()} ${stored} ${tab.page.url()}`).not.toContain(inject('demoKey'));
    await tab.page.reload();
    await tab.page.waitForSelector('#key');
    await tab.close();
  });

  test('a malformed address shows a page instead of nothing', async () => {
    const tab = await openTab();
    await tab.signIn(inject('demoKey'), '#/market/%');
    await tab.page.waitForSelector('main h1');
    expect(tab.complaints).toEqual([]);
    await tab.close();
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
