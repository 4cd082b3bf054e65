import { expect, inject, test } from 'vitest';
import { ownTabs } from './browser/console-tab.ts';

const tabs = ownTabs();

test.each([
  [
    'en',
    /^The data ends on .+: \d+ trading days are missing, since .+\. This generated market does not go on\.$/,
  ],
  ['id', /^Data berakhir pada .+: \d+ hari bursa belum ada, sejak .+\. Pasar buatan ini tidak berlanjut\.$/],
] as const)(
  'every page says that days are missing, since when and why, in language %s',
  async (language, says) => {
    const tab = await tabs.signedIn('#/usage', { language, width: 390 });
    const notice = tab.page.locator('.behind');
    await notice.waitFor();
    expect((await notice.textContent())!.trim()).toMatch(says);
    await tab.openInPlace('#/flows');
    await tab.page.waitForSelector('figure svg');
    expect(await notice.count()).toBe(1);
    expect(await tab.violations()).toEqual([]);
  },
);

test('the notice tells trading days without data, and goes when the days have arrived, without a reload of the page and without events', async () => {
  const tab = await tabs.open();
  await tab.page.route('**/api/v1/events*', (route) => route.abort());
  await tab.signIn(inject('demoKey'), '#/usage');
  const notice = tab.page.locator('.behind');
  await notice.waitFor();
  let missing_days = ['2026-07-02', '2026-07-03'];
  await tab.changeAnswers<{ freshness: object }>('**/api/health', (health) => {
    const upToDate = { behind_trading_days: 0, behind_since: null, reason: null };
    const holes = { missing_days, missing_day_count: missing_days.length, unlisted_year: 2027 };
    return { ...health, freshness: { ...health.freshness, ...upToDate, ...holes } };
  });
  const said = () => notice.textContent();
  await expect.poll(said).toMatch(/^2 trading days have no data \(.+2026, .+2026\)[^.]+\.$/);
  missing_days = [];
  await notice.waitFor({ state: 'detached' });
  await tab.page.locator('.made-up').waitFor();
});
