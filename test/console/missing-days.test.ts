import { expect, inject, test } from 'vitest';
import { ownBrowser } from './browser/chromium.ts';
import { ConsoleTab } from './browser/console-tab.ts';

const browser = ownBrowser();

test.each([
  [
    'en',
    /^The data ends on .+: \d+ trading days are missing, since .+\. This generated market does not go on\.$/,
  ],
  ['id', /^Data berakhir pada .+: \d+ hari bursa belum ada, sejak .+\. Pasar buatan ini tidak berlanjut\.$/],
] as const)(
  'every page says that days are missing, since when and why, in language %s',
  async (language, says) => {
    const tab = await ConsoleTab.open(browser.current, inject('baseUrl'), { language, width: 390 });
    await tab.signIn(inject('demoKey'), '#/usage');
    const notice = tab.page.locator('.behind');
    await notice.waitFor();
    expect((await notice.textContent())!.trim()).toMatch(says);
    await tab.openInPlace('#/flows');
    await tab.page.waitForSelector('figure svg');
    expect(await notice.count()).toBe(1);
    expect(await tab.violations()).toEqual([]);
    await tab.close();
  },
);

test('the notice goes when the days have arrived, without a reload of the page and without events', async () => {
  const tab = await ConsoleTab.open(browser.current, inject('baseUrl'));
  await tab.page.route('**/api/v1/events*', (route) => route.abort());
  await tab.signIn(inject('demoKey'), '#/usage');
  await tab.page.locator('.behind').waitFor();
  await tab.page.route('**/api/health', async (route) => {
    const answer = await route.fetch();
    const health = (await answer.json()) as { freshness: object };
    const freshness = { ...health.freshness, behind_trading_days: 0, behind_since: null, reason: null };
    await route.fulfill({ response: answer, json: { ...health, freshness } });
  });
  await tab.page.locator('.behind').waitFor({ state: 'detached' });
  await tab.page.locator('.made-up').waitFor();
  await tab.close();
});
