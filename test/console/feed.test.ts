import { expect, test } from 'vitest';
import { testGateway } from '#gateway/testing/test-gateway.ts';
import { OPERATOR_TOKEN } from '#support/processes/service-process.ts';
import { LOOKS, ownTabs, type ConsoleTab } from './browser/console-tab.ts';

const tabs = ownTabs();
const own = testGateway();

const SOURCES = '**/api/v1/operator/feed/sources';

async function openData(look = {}, hash = '#/datasets'): Promise<ConsoleTab> {
  const tab = await tabs.open(look, own.gateway.baseUrl);
  await tab.signInAsOperator(OPERATOR_TOKEN, hash);
  return tab;
}

const rowsOf = (tab: ConsoleTab, table: string) =>
  tab.page.getByRole('region', { name: table }).getByRole('row').allTextContents();

test.each([
  {
    ...LOOKS[0],
    shows: [
      /^exchange daily summary of the exchange Failing 27 Jun 2024 28 Jun 2024 28 Jun 2024, 19:10:00 7 of 100 The site answered 429/,
      /^brokers broker rows Fetching Catching up 2 May 2024 to 31 May 2024: 4 of 18 days /,
      /^vendor read by a mapping file Paused .+ The contract ends\.$/,
      /^generator generated market Up to date /,
      /^28 Jun 2024, 18:40:00 exchange 28 Jun 2024 Failed: too many requests 2\.00 s 512 /,
      /^28 Jun 2024, 18:40:00 exchange 27 Jun 2024 Published .+ 943 2 real-20240627-1 Two rows have a close of 0\.$/,
      /vendor june\.csv Nothing new/,
    ],
  },
  {
    ...LOOKS[1],
    shows: [
      /^exchange ringkasan harian bursa Gagal /,
      /exchange 28 Jun 2024 Gagal: terlalu banyak permintaan /,
    ],
  },
] as const)(
  'the data page shows each source and each fetch, with why one failed: $language $theme $width',
  async ({ shows, ...look }) => {
    const tab = await openData(look);
    for (const name of shows) await tab.page.getByRole('row', { name }).waitFor();
    await tab.expectSound();
  },
);

test('the log of fetches is filtered by source, outcome and subject, and the filters stay in the address', async () => {
  const tab = await openData();
  await tab.page.getByRole('link', { name: 'exchange', exact: true }).click();
  await expect.poll(async () => (await rowsOf(tab, 'What was fetched')).length).toBe(3);
  await tab.page.getByLabel('Outcome', { exact: true }).selectOption({ label: 'Failed' });
  await expect.poll(async () => (await rowsOf(tab, 'What was fetched')).length).toBe(2);
  await tab.page.getByLabel('Day or file', { exact: true }).fill('2024-06-27');
  await tab.page.keyboard.press('Enter');
  await tab.page.getByText('Nothing in the log matches.').waitFor();
  expect(new URL(tab.page.url()).hash).toBe('#/datasets?source=exchange&outcome=failed&subject=2024-06-27');
  await tab.openInPlace('#/datasets?source=vendor');
  await tab.page.getByRole('row', { name: /vendor june\.csv/ }).waitFor();
  expect(await tab.page.getByLabel('Day or file', { exact: true }).inputValue()).toBe('');
});

test('a source that changes is shown without a reload of the page', async () => {
  const tab = await openData();
  await tab.page.getByRole('row', { name: /^exchange .+ Failing/ }).waitFor();
  await tab.changeAnswers<{ sources: object[] }>(SOURCES, ({ sources: [exchange, ...others] }) => ({
    sources: [{ ...exchange, state: 'idle', last_day: '2024-06-28', due_day: null, reason: null }, ...others],
  }));
  await tab.page.getByRole('row', { name: /^exchange .+ Up to date 28 Jun 2024 / }).waitFor();
});

test('where no source is declared, the data page says how days arrive', async () => {
  const tab = await tabs.open({}, own.gateway.baseUrl);
  await tab.page.route(SOURCES, (route) => route.fulfill({ json: { sources: [] } }));
  await tab.signInAsOperator(OPERATOR_TOKEN, '#/datasets');
  await tab.page
    .getByText('No source is declared: new days arrive only when somebody imports them.')
    .waitFor();
});
