import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startFakes, type Fakes } from '#gateway/testing/fake-services.ts';
import { startGatewayUnderTest, type GatewayUnderTest } from '#gateway/testing/gateway-under-test.ts';
import { testGateway } from '#gateway/testing/test-gateway.ts';
import { SHARED_PROCESS } from '#local/configuration/service-table.ts';
import { freePort } from '#local/state/ports.ts';
import { MODELS } from '#models/registry.ts';
import { OPERATOR_TOKEN } from '#support/processes/service-process.ts';
import { testOfOwnFleet } from '../support/fleets/contract.ts';
import { fleetFileIn, type FleetFile } from '../support/fleets/fleet.ts';
import { startSecondGateway, type SecondGateway } from '../support/fleets/second-gateway.ts';
import { ownTabs } from './browser/console-tab.ts';

const tabs = ownTabs();
const ownTest = testOfOwnFleet('processes by name, their logs, and gateways beside its own');

let fleet: FleetFile;
beforeAll(async () => {
  fleet = await fleetFileIn(inject('stateDir'));
});

describe('the pages of the operator', () => {
  ownTest('show every process of the fleet as ready, and each chart as a table', async () => {
    const tab = await tabs.asOperator('#/fleet');
    for (const name of Object.keys(fleet.ops))
      await tab.page.getByRole('row', { name: new RegExp(`^${name} Ready`) }).waitFor();
    // A chart may still be loading.
    await tab.page.locator('figure').nth(1).waitFor();
    for (const summary of await tab.page.getByText('As a table').all()) await summary.click();
    expect(await tab.page.locator('figure tbody tr').count()).toBe(120);
  });

  test('the fleet page says of every model whether a run would complete, and counts schedules', async () => {
    const tab = await tabs.asOperator('#/fleet');
    for (const { id } of MODELS)
      await tab.page
        .getByRole('listitem')
        .filter({ hasText: new RegExp(`^${id} Yes$`) })
        .waitFor();
    await tab.page.getByText('Enabled schedules').waitFor();
  });

  test('the list of keys leads from a key to its audit log', async () => {
    const tab = await tabs.asOperator('#/keys');
    await tab.page.locator('tbody a').first().click();
    await tab.page.getByRole('link', { name: 'Of every key' }).waitFor();
    await tab.page.getByRole('cell', { name: 'created', exact: true }).first().waitFor();
  });

  test('operator pages do not exist for an API key, nor other pages for the operator', async () => {
    const [operator, application] = [await tabs.asOperator('#/picks'), await tabs.open()];
    await operator.page.getByText('There is no such page.').waitFor();
    await application.signIn(inject('demoKey'), '#/fleet');
    await application.page.getByText('There is no such page.').waitFor();
  });
});

describe('the schedules page', () => {
  const own = testGateway();

  test('names schedules that are held up or have ended, and tells firings of two markets apart', async () => {
    const tab = await tabs.asOperator('#/schedules', {}, own.gateway.baseUrl, OPERATOR_TOKEN);
    for (const name of [
      /^morning Runs /,
      /^evening Held up .+ Key key_all is disabled\. /,
      /^noon Ended .+ There is no key key_all\. /,
      /^morning 28 Jun 2024 Accepted .+ job_1/,
      /^morning 28 Jun 2024 SYNTHETIC Accepted .+ job_2/,
    ])
      await tab.page.getByRole('row', { name }).waitFor();
    expect(await tab.violations()).toEqual([]);
    expect(tab).toMatchObject({ foreign: [], complaints: [] });
  });
});

describe('a fleet that has neither served nor measured anything yet', () => {
  let services: Fakes;
  let gateway: GatewayUnderTest;
  beforeAll(async () => {
    services = await startFakes({
      datasets: {
        listDatasets: async () => ({ datasets: [], served_version: '' }),
        getCurrentDataset: async () => ({ data_loaded: false, lost_version: '', dataset: undefined }),
      },
    });
    gateway = await startGatewayUnderTest(services.address);
  });
  afterAll(async () => {
    await gateway?.stop();
    await services?.stop();
  });

  test.each([
    { hash: '#/datasets', says: 'Nothing was imported yet.' },
    { hash: '#/fleet', says: 'runs in PostgreSQL, as of –' },
  ])('$hash says so', async ({ hash, says }) => {
    const tab = await tabs.asOperator(hash, {}, gateway.baseUrl, OPERATOR_TOKEN);
    await tab.page.getByText(says).first().waitFor();
    expect(tab).toMatchObject({ foreign: [], complaints: [] });
  });
});

describe('signing in as the operator', () => {
  test('sign-in reports a wrong operator token beside its field', async () => {
    const tab = await tabs.open();
    await tab.goTo('#/fleet');
    await tab.page.getByRole('button', { name: 'As the operator' }).click();
    await tab.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await tab.page.getByText('Enter the operator’s token.').waitFor();
    await tab.page.fill('#key', 'another-token');
    await tab.page.keyboard.press('Enter');
    await tab.page.getByText('This is not the operator’s token.').waitFor();
    expect(await tab.page.getAttribute('#key', 'aria-invalid')).toBe('true');
    expect(await tab.violations()).toEqual([]);
  });

  ownTest('leaves the token in no address, storage or log, and a reload forgets it', async () => {
    const tab = await tabs.asOperator('#/keys');
    const addresses: string[] = [];
    tab.page.on('request', (request) => addresses.push(request.url()));
    for (const name of ['Fleet', 'Data', 'Schedules', 'Usage by key'])
      await tab.page.getByRole('link', { name }).click();
    await tab.page.waitForSelector('.drawing rect');
    const stored = await tab.page.evaluate(
      () => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie,
    );
    const logs = await Promise.all(
      // `services` is the process of keys, consent, usage, models and scheduler.
      ['gateway', SHARED_PROCESS].map((name) =>
        readFile(path.join(inject('stateDir'), 'logs', `${name}.log`), 'utf8'),
      ),
    );
    expect(`${addresses.join()} ${stored} ${tab.page.url()} ${logs.join()}`).not.toContain(
      fleet.operator_token,
    );
    await tab.page.reload();
    await tab.page.waitForSelector('#key');
  });
});

describe('the pages of the operator while parts are unavailable', () => {
  let gateway: SecondGateway;
  let without: SecondGateway;
  /** One gateway that cannot reach keys or the scheduler, and one that serves no operator. */
  beforeAll(async () => {
    const nowhere = `127.0.0.1:${await freePort()}`;
    gateway = await startSecondGateway(fleet, {
      KEYS_ADDRESS: nowhere,
      SCHEDULER_ADDRESS: nowhere,
      OPERATOR_TOKEN_SHA256: hash('sha256', fleet.operator_token, 'hex'),
      OPERATIONS_URLS: `usage=${fleet.ops['usage']},models=http://${nowhere}`,
    });
    without = await startSecondGateway(fleet);
  });
  afterAll(async () => {
    await gateway?.stop();
    await without?.stop();
  });

  ownTest('a process that does not answer is shown as silent, beside those that are ready', async () => {
    const tab = await tabs.asOperator('#/fleet', {}, gateway.baseUrl);
    await tab.page.getByRole('row', { name: /^models Silent/ }).waitFor();
    await tab.page.getByRole('row', { name: /^usage Ready/ }).waitFor();
    expect(await tab.violations()).toEqual([]);
  });

  ownTest('a page whose service is unavailable says so, and the others go on', async () => {
    const tab = await tabs.asOperator('#/keys', {}, gateway.baseUrl);
    await tab.page.getByText('This data is not available at the moment.').first().waitFor();
    expect(await tab.violations()).toEqual([]);
    await tab.page.getByRole('link', { name: 'Schedules' }).click();
    await tab.page.locator('.failure').first().waitFor();
    await tab.page.getByRole('link', { name: 'Usage by key' }).click();
    await tab.page.waitForSelector('.drawing rect');
    expect(await tab.page.locator('.failure').count()).toBe(0);
  });

  ownTest('signing in at a gateway without operator pages says so', async () => {
    const tab = await tabs.open({}, without.baseUrl);
    await tab.goTo('#/');
    await tab.page.getByRole('button', { name: 'As the operator' }).click();
    await tab.page.fill('#key', fleet.operator_token);
    await tab.page.keyboard.press('Enter');
    await tab.page.getByText('This server does not serve the operator’s pages').waitFor();
  });
});
