import { expect, inject, test } from 'vitest';
import { newTenant, ownTenant, type Tenant } from '#support/fleets/contract.ts';
import { TENANT_SCOPES } from '#support/fleets/issued-keys.ts';
import { TcpProxy } from '#support/servers/tcp-proxy.ts';
import { ownTabs, type ConsoleTab } from './browser/console-tab.ts';

const tabs = ownTabs();
const tenant = ownTenant();
const EVENTS = '/api/v1/events';

const run = ({ client }: Tenant) => client.runAndWait('confluence_filter', { params: { min_signals: 2 } });

const openEvents = (tab: ConsoleTab) => tab.page.waitForResponse((answer) => answer.url().includes(EVENTS));

const shownJobs = (tab: ConsoleTab) =>
  tab.page
    .getByRole('region', { name: 'Recent runs' })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => row.querySelector('a')!.href.replace(/.*job=/, '')));

test('a run that ended elsewhere appears without a reload, and focus, order and words stay', async () => {
  const tab = await tabs.open();
  const isOpen = openEvents(tab);
  await run(tenant);
  await tab.signIn(tenant.key, '#/usage?table.jobs=order%3D-status');
  await isOpen;
  await expect.poll(() => shownJobs(tab)).toHaveLength(1);
  const link = tab.page.getByRole('region', { name: 'Recent runs' }).locator('tbody a').first();
  await link.focus();
  const { job_id } = await run(tenant);
  await expect.poll(() => shownJobs(tab)).toContain(job_id);
  expect(await link.evaluate((one) => one.ownerDocument.activeElement?.matches('tbody a'))).toBe(true);
  expect(await tab.page.getByRole('columnheader', { name: 'Status' }).getAttribute('aria-sort')).toBe(
    'descending',
  );
  expect(tab.complaints).toEqual([]);
});

test('a stream that broke off comes back, and what happened meanwhile is shown', async () => {
  const way = await TcpProxy.start(inject('baseUrl'));
  const tab = await tabs.open({}, new URL(way.url).origin);
  const isOpen = openEvents(tab);
  await tab.signIn(tenant.key, '#/usage');
  await isOpen;
  await tab.page.getByRole('region', { name: 'Recent runs' }).waitFor();
  way.cut();
  const meanwhile = await run(tenant);
  way.mend();
  await expect.poll(() => shownJobs(tab)).toContain(meanwhile.job_id);
  const later = await run(tenant);
  await expect.poll(() => shownJobs(tab)).toContain(later.job_id);
  expect(await tab.page.locator('.failure').count()).toBe(0);
  way.stop();
});

test('a key without the scope of events sees every page as before, and is asked for a stream once', async () => {
  const { key } = await newTenant(TENANT_SCOPES.replace(',events:read', ''));
  const tab = await tabs.open();
  const asked: number[] = [];
  tab.page.on('response', (answer) => {
    if (answer.url().includes(EVENTS)) asked.push(answer.status());
  });
  await tab.signIn(key, '#/usage');
  await expect.poll(() => asked).toEqual([403]);
  await tab.page.getByRole('link', { name: 'Screens' }).click();
  await tab.page.getByRole('heading', { level: 1, name: 'Screens' }).waitFor();
  await tab.loaded();
  expect(await tab.page.locator('.failure').count()).toBe(0);
  expect(asked).toEqual([403]);
});

test('one stream serves all pages of a tab, goes on in another language, and ends when somebody signs out', async () => {
  const tab = await tabs.open();
  const asked: string[] = [];
  const ended: string[] = [];
  tab.page.on('request', (request) => request.url().includes(EVENTS) && asked.push(request.url()));
  tab.page.on('requestfailed', (request) => request.url().includes(EVENTS) && ended.push(request.url()));
  const isOpen = openEvents(tab);
  await tab.signIn(tenant.key, '#/usage');
  await isOpen;
  for (const page of ['Market', 'Screens', 'Stocks']) {
    await tab.page.getByRole('link', { name: page, exact: true }).click();
    await tab.loaded();
  }
  await tab.page.getByRole('button', { name: 'Bahasa Indonesia' }).click();
  expect(asked).toHaveLength(1);
  expect(ended).toEqual([]);
  await tab.page.getByRole('button', { name: 'Keluar' }).click();
  await expect.poll(() => ended).toEqual(asked);
});

test('a new day runs the picks again and loads the market again, and the chosen stock stays', async () => {
  const tab = await tabs.open();
  const newDay = {
    type: 'dataset.published',
    sequence: 2,
    data: { dataset_version: 'synthetic-20991231-1', market: 'synthetic', as_of: '2099-12-31' },
  };
  let comes = false;
  await tab.page.route(`**${EVENTS}*`, (route) => {
    const body = comes ? `id: 2\nevent: event\ndata: ${JSON.stringify(newDay)}\n\n` : 'id: 1\n\n';
    comes = false;
    return route.fulfill({ contentType: 'text/event-stream', body });
  });
  const asked: string[] = [];
  tab.page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const times = (what: string) => asked.filter((one) => one === what).length;
  await tab.signIn(inject('demoKey'));
  const choices = tab.page.getByRole('region', { name: /picks/i }).locator('tbody .choose');
  await choices.nth(1).click();
  const before = times('POST /api/v1/models/model_f_combined/runs');
  comes = true;
  await expect.poll(() => times('POST /api/v1/models/model_f_combined/runs')).toBeGreaterThan(before);
  await tab.loaded();
  expect(await choices.nth(1).getAttribute('aria-pressed')).toBe('true');
  await tab.page.getByRole('link', { name: 'Market', exact: true }).click();
  await tab.page.waitForSelector('figure');
  const loaded = times('GET /api/v1/data/market-overview');
  comes = true;
  await expect.poll(() => times('GET /api/v1/data/market-overview')).toBeGreaterThan(loaded);
});
