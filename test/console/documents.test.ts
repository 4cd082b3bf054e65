import { describe, expect, inject, test } from 'vitest';
import { LOOKS, ownTabs } from './browser/console-tab.ts';

const tabs = ownTabs();

const PAGES = [
  '/docs',
  '/docs/search?q=webhook',
  '/docs/screening',
  '/docs/console',
  '/docs/analysts',
  '/docs/feeds',
  '/docs/operations',
  '/docs/clients/typescript',
  '/api/docs/errors',
  '/api/docs/errors/rate_limited',
];

describe.each(LOOKS)('documents in the theme $theme, $width pixels wide', ({ theme, width }) => {
  test.each(PAGES)('%s has no axe violations, no overflow and nothing that is refused', async (path) => {
    const tab = await tabs.open({ theme, width });
    await tab.page.goto(inject('baseUrl') + path);
    await tab.expectSound();
  });
});

test('the search form leads to the sections that have its words, by the keyboard alone', async () => {
  const tab = await tabs.open();
  await tab.page.goto(`${inject('baseUrl')}/docs`);
  await tab.page.locator('input[type=search]').focus();
  await tab.page.keyboard.type('replacing a secret');
  await tab.page.keyboard.press('Enter');
  await tab.page.waitForURL('**/docs/search?q=*');
  expect(await tab.page.locator('h2 a').first().getAttribute('href')).toBe(
    '/docs/operations#replacing-a-secret',
  );
});

test('the reference page shows the code samples of an endpoint', async () => {
  const tab = await tabs.open();
  await tab.page.goto(`${inject('baseUrl')}/api/docs#/Market%20data/getQuotes`);
  const samples = tab.page.locator('details');
  await samples.first().click();
  expect(await samples.allTextContents()).toEqual([
    expect.stringMatching(/^curlcurl -sS "\$SARING_URL\/api\/v1\/data\/quotes\?tickers=/),
    expect.stringMatching(/^@saring\/clientimport \{ SaringClient \}/),
    expect.stringMatching(/^saringimport os\n/),
  ]);
  expect([...tab.complaints, ...tab.foreign]).toEqual([]);
});
