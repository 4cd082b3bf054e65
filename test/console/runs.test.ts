import { describe, expect, inject, test } from 'vitest';
import { INDONESIAN } from '#models/fixtures/read-result-fixture.ts';
import { MODELS } from '#models/registry.ts';
import { newTenant, ownTenant } from '../support/fleets/contract.ts';
import { KeyIssuer } from '../support/fleets/issued-keys.ts';
import { ownTabs, type ConsoleTab } from './browser/console-tab.ts';

const tabs = ownTabs();
/** Runs of other tests would be among the earlier ones that a page offers. */
const tenant = ownTenant();

async function openRun(hash: string): Promise<ConsoleTab> {
  const tab = await tabs.signedIn(hash, {}, tenant.key);
  await tab.page.waitForSelector('.parameters');
  return tab;
}
const run = (tab: ConsoleTab) => tab.page.getByRole('button', { name: 'Run', exact: true }).click();

describe('running a model', () => {
  test.each(MODELS.map(({ id }) => id))('%s and its parameters are explained in English', async (model) => {
    const tab = await openRun(`#/run/${model}`);
    expect(await tab.page.locator('.parameters .hint').count()).toBeGreaterThan(2);
    expect(await tab.page.textContent('.parameters')).not.toMatch(INDONESIAN);
    const texts = await tab.page.locator('main details p').allTextContents();
    expect(texts.length).toBeGreaterThan(2);
    for (const text of texts) expect(text).not.toMatch(INDONESIAN);
  });

  test('suggestions for an empty result follow the page language, even when it changes later', async () => {
    const tab = await openRun('#/run/model_f_combined');
    await tab.page.fill('#param-min_probability', '100');
    await run(tab);
    const hints = tab.page.locator('.job ul');
    await hints.getByText('Lowest probability').waitFor();
    expect(await hints.textContent()).not.toMatch(INDONESIAN);
    await tab.page.getByRole('button', { name: 'Bahasa Indonesia' }).click();
    await hints.getByText('Probabilitas minimum').waitFor();
  });

  test('whoever opens the address of a run that goes on sees what it comes to', async () => {
    const model = 'confluence_filter';
    const { job_id } = await tenant.client.runs.submit(model, { params: {} });
    const tab = await openRun(`#/run/${model}`);
    let isFirst = true;
    await tab.changeAnswers(`**/api/v1/jobs/${job_id}`, (job) => {
      const answer = isFirst ? { ...job, status: 'running' } : job;
      isFirst = false;
      return answer;
    });
    await tab.openInPlace(`#/run/${model}?job=${job_id}`);
    await tab.page.locator('.job .succeeded').waitFor();
    expect(tab.complaints).toEqual([]);
  });

  test('the page shows each validation error of the API beside its field', async () => {
    const tab = await openRun('#/run/model_f_combined');
    await tab.page.fill('#param-min_probability', '200');
    await tab.page.fill('#param-max_picks', 'many');
    await run(tab);
    await tab.page.waitForSelector('#param-min_probability-mistake');
    expect(await tab.page.textContent('#param-min_probability-mistake')).toContain('100');
    expect(await tab.page.textContent('#param-max_picks-mistake')).toContain('must be');
    expect(await tab.violations()).toEqual([]);
  });

  test('the page names the faulty item of a list parameter', async () => {
    const tab = await openRun('#/run/recovery_v4');
    await tab.page.getByText('Add a row').click();
    await tab.page.getByLabel('ticker, row 1').fill('AAAA');
    await run(tab);
    await tab.page.waitForSelector('#param-positions-mistake');
    expect(await tab.page.textContent('#param-positions-mistake')).toContain('pnl_input');
  });

  test('a failed run shows why it failed', async () => {
    const tab = await openRun('#/run/recovery_v4');
    await run(tab);
    await tab.page.waitForSelector('.job .failed');
    expect(await tab.page.textContent('.job .failure')).toContain('No positions were given.');
  });

  test('the button cancels a waiting run, and the page confirms it', async () => {
    const { client } = await newTenant();
    const tab = await openRun('#/run/model_f_combined');
    await tab.page.fill('#param-target_gain', '0.29');
    // Each run trains a new model. That keeps every worker busy for seconds, long enough to press the button.
    const others = Array.from({ length: 40 }, (_, i) =>
      client.runs.submit('model_f_combined', { params: { target_gain: 0.105 + i / 1_000 } }),
    );
    const jobIds = (await Promise.all(others)).map(({ job_id }) => job_id);
    await run(tab);
    await tab.page.getByRole('button', { name: 'Cancel' }).click();
    await tab.page.waitForSelector('.job .failed');
    expect(await tab.page.textContent('.job .failure')).not.toBe('');
    await tab.page.getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor();
    await Promise.all(jobIds.map((id) => client.jobs.cancel(id)));
  });

  test('a result shows its funnel, the explanation of any ticker, and the diff to an earlier run', async () => {
    const tab = await openRun('#/run/model_f_combined');
    for (const probability of ['50', '54']) {
      await tab.page.fill('#param-min_probability', probability);
      await run(tab);
      await tab.page.waitForSelector('.job .succeeded');
      await tab.page.locator('figcaption', { hasText: 'From all stocks to the picks' }).waitFor();
      await tab.page.getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor();
    }
    await tab.page.getByText('Why this number').waitFor();
    const titles = await tab.page.locator('.job table').first().locator('th[scope=col]').allTextContents();
    expect(titles.slice(0, 5)).toEqual(['Ticker', 'Rank', 'Chance to win, %', 'Usual chance, %', 'Score ↓']);
    const facts = tab.page.locator('.reasons .facts dt');
    expect((await facts.allTextContents()).slice(0, 2)).toEqual([
      'Chance to reach the target before the stop',
      'Usual: the average liquid stock',
    ]);
    expect(await tab.page.locator('.reasons .facts dd').nth(2).textContent()).not.toContain('%');
    await tab.page.getByRole('button', { name: 'Compare' }).click();
    await tab.page.waitForSelector('.differences');
    expect(await tab.page.textContent('.differences')).toContain('min_probability: 50 → 54');
    expect(await tab.violations()).toEqual([]);
  });

  test('the code examples contain the parameters but not the API key', async () => {
    const tab = await openRun('#/run/model_f_combined');
    await tab.page.fill('#param-min_probability', '54');
    await tab.page.getByText('The same call in code').click();
    for (const language of ['curl', 'TypeScript', 'Python']) {
      await tab.page.getByRole('button', { name: language, exact: true }).click();
      const code = await tab.page.textContent('pre');
      expect(code?.replaceAll('\\', '')).toContain('{"min_probability":54}');
      expect(code).not.toContain(tenant.key);
    }
  });

  test('revoking a key ends the session of its user, and the page says why', async () => {
    const issuer = await KeyIssuer.of(inject('stateDir'));
    const issued = await issuer.issue(['models:read', 'models:run', 'data:read', 'usage:read']);
    const tab = await tabs.open();
    await tab.signIn(issued.key, '#/market');
    await tab.page.waitForSelector('figure');
    await issuer.withdraw(issued);
    issuer.close();
    await expect
      .poll(async () => {
        await tab.page
          .getByRole('link', { name: 'Usage' })
          .click({ timeout: 1_000 })
          .catch(() => {});
        await tab.page
          .getByRole('link', { name: 'Market' })
          .click({ timeout: 1_000 })
          .catch(() => {});
        return tab.page.getByText('Your session has ended:').count();
      })
      .toBe(1);
  });
});
