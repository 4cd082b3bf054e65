import { describe, expect, test } from 'vitest';
import { ownBrowser } from '../console/browser/chromium.ts';
import { ConsoleTab } from '../console/browser/console-tab.ts';
import { signal } from '#support/processes/signals.ts';
import { own } from './separate-layout/fleet.ts';

const browser = ownBrowser();

/** The message of a page while a service is unavailable, by service. */
const UNAVAILABLE = [
  { service: 'usage', page: 'Usage', says: 'The usage history cannot be read at the moment.' },
  { service: 'market-data', page: 'Flows', says: 'This data is not available at the moment.' },
  { service: 'models', page: 'Record', says: 'Models cannot run at the moment.' },
];

describe('the console while a service is unavailable', () => {
  test.each(UNAVAILABLE)(
    '$service: its page reports the outage and shows its data again after recovery',
    async (unavailable) => {
      const { base_url, demo_key, pids } = await own.fleet.file();
      const tab = await ConsoleTab.open(browser.current, base_url);
      await tab.signIn(demo_key, '#/market');
      await tab.page.waitForSelector('figure');
      const pid = pids[unavailable.service]!;
      process.kill(pid, 'SIGSTOP');
      try {
        await tab.page.getByRole('link', { name: unavailable.page }).click();
        await tab.page.getByText(unavailable.says).first().waitFor();
        expect(await tab.violations()).toEqual([]);
      } finally {
        // The supervisor may have killed and replaced a process that was frozen for long.
        signal(pid, 'SIGCONT');
      }
      await expect
        .poll(async () => {
          const again = tab.page.getByRole('button', { name: 'Try again' });
          if ((await again.count()) > 0) await again.first().click();
          return tab.page.locator('.failure').count();
        })
        .toBe(0);
      await tab.close();
    },
  );
});
