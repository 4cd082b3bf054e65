import { describe, expect, test } from 'vitest';
import { NO_RECEIVER } from '#support/declared-api/request-parts.ts';
import { newTenant, ownTenant } from '#support/fleets/contract.ts';
import { LOOKS, ownTabs } from './browser/console-tab.ts';

const tabs = ownTabs();
const tenant = ownTenant();

describe('the page of webhooks', () => {
  test.each(LOOKS)(
    'shows a webhook and its deliveries without axe violations or overflow: $language $theme $width',
    async (look) => {
      const { webhook_id } = await tenant.client.webhooks.create({ url: NO_RECEIVER });
      await tenant.client.webhooks.test(webhook_id);
      const tab = await tabs.signedIn(`#/webhooks/${webhook_id}`, look, tenant.key);
      await tab.page.locator('section tbody tr').first().waitFor();
      await tab.expectLoaded();
    },
  );

  test('a webhook is created with its secret shown once, tested, disabled and deleted', async () => {
    const { key, client } = await newTenant();
    const tab = await tabs.signedIn('#/webhooks', {}, key);
    const { page } = tab;
    await page.getByText('This key has no webhook yet.').waitFor();
    await page.getByLabel('Address').fill('https://user:secret@app.example/');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('must not contain a user or password').first().waitFor();
    await page.getByLabel('Address').fill(NO_RECEIVER);
    await page.getByLabel('Events').fill('run.failed');
    await page.getByRole('button', { name: 'Create' }).click();
    expect(await page.locator('.notice code').textContent()).toMatch(/^whsec_/);
    const saved = async () => (await client.webhooks.list().first()).webhooks;
    expect(await saved()).toMatchObject([{ url: NO_RECEIVER, event_types: ['run.failed'] }]);

    await page.getByRole('link', { name: NO_RECEIVER }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('webhook.test').waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('disabled: on request').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('This key has no webhook yet.').waitFor();
    expect(await saved()).toEqual([]);
  });
});
