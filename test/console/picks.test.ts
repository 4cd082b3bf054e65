import { describe, expect, inject, test } from 'vitest';
import { newTenant } from '../support/fleets/contract.ts';
import { ownTabs } from './browser/console-tab.ts';

const tabs = ownTabs();
const MAX_BYTES = 150_000;
const WORTH = {
  en: /On the real market, 1.Feb.2025 to 21.Aug.2026, .+ 0\.75% more than .+\(95%: 0\.21 to 1\.33\): better than chance\. For itself, a pick returned \+0\.52% after costs: its interval holds 0/,
  id: /Di pasar nyata, 1.Feb.2025 sampai 21.Agu.2026, .+ 0,75% lebih tinggi daripada .+\(95%: 0,21 sampai 1,33\): lebih baik daripada kebetulan\. .+ \+0,52%: selangnya memuat 0/,
};
const toNumber = (text: string, decimal: string) => Number(text.replace('−', '-').replace(decimal, '.'));

describe('the picks of today', () => {
  test('the picks begin with the notice, which begins with the caution of a model that guesses', async () => {
    const { key } = await newTenant();
    const tab = await tabs.open();
    const caution = 'This model was no better than guessing.';
    await tab.changeAnswers<{ result?: { notice: string } }>(/\/api\/v1\/jobs\/job_[0-9a-f]+$/, (job) => ({
      ...job,
      ...(job.result && { result: { ...job.result, notice: `${caution} ${job.result.notice}` } }),
    }));
    await tab.signIn(key);
    await tab.page.getByText(caution).waitFor();
  });

  test('a change of the language while the run goes on starts no second one', async () => {
    const { key } = await newTenant();
    const tab = await tabs.open();
    let submitted = 0;
    tab.page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/runs')) submitted += 1;
    });
    const changed = Promise.withResolvers<void>();
    await tab.page.route('**/api/v1/jobs/*/events', async (route) => {
      await changed.promise;
      await route.continue();
    });
    const followed = tab.page.waitForRequest('**/api/v1/jobs/*/events');
    await tab.signIn(key);
    await followed;
    await tab.page.getByRole('button', { name: 'Bahasa Indonesia' }).click();
    changed.resolve();
    await tab.page.getByText('Mengapa angka ini').waitFor();
    expect(submitted).toBe(1);
  });

  test.each([
    { language: 'en', chance: 'Chance to win / usual', score: 'Score', decimal: '.', worth: WORTH.en },
    { language: 'id', chance: 'Peluang menang / biasanya', score: 'Skor', decimal: ',', worth: WORTH.id },
  ] as const)(
    'the picks show rank, then chance beside the usual one, then what they are ordered by: $language',
    async ({ language, chance, score, decimal, worth }) => {
      const tab = await tabs.signedIn('#/', { language });
      const table = tab.page.locator('main table').first();
      await table.locator('tbody tr').first().waitFor();
      const titles = (await table.locator('th[scope=col]').allTextContents()).map((title) =>
        title.replace(' ↓', ''),
      );
      expect(titles.slice(2, 4)).toEqual([chance, score]);
      expect(await table.locator('th[aria-sort=descending]').textContent()).toContain(score);
      const rows = await table.locator('tbody tr').all();
      const cells = await Promise.all(rows.map((row) => row.locator('td').allTextContents()));
      // Rank, chance and usual chance, score, probability, signals and their points.
      const numbers = cells.map((row) =>
        row
          .slice(0, 5)
          .flatMap((text) => text.match(/[-+−]?\d+([.,]\d+)?/g) ?? [])
          .map((text) => toNumber(text, decimal)),
      );
      expect(numbers.length).toBeGreaterThan(0);
      for (const row of numbers) expect(row).toHaveLength(7);
      expect(numbers.map(([rank]) => rank)).toEqual(numbers.map((_, i) => i + 1));
      const scores = numbers.map((row) => row[3]!);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      for (const row of numbers) expect(row[3]).toBeCloseTo(row[4]! + row[6]!, 6);
      expect(await tab.page.getByText(worth).count()).toBe(1);
    },
  );

  test('a day without picks shows which change would give some, and links to the settings', async () => {
    const tab = await tabs.open();
    await tab.page.route('**/models/model_f_combined/runs*', (route, request) =>
      route.continue({
        postData: JSON.stringify({
          ...(request.postDataJSON() as object),
          params: { min_probability: 100 },
        }),
      }),
    );
    await tab.signIn(inject('demoKey'));
    await tab.page.getByText('That is a valid result.').waitFor();
    expect(await tab.page.locator('main li').textContent()).toContain('the threshold of 100');
    await tab.page.getByText('Change settings').click();
    await tab.page.waitForSelector('#param-min_probability');
  });

  test('the waterfall steps of a probability add up to its total, and every figure is labelled as generated', async () => {
    const tab = await tabs.signedIn();
    await tab.page.waitForSelector('.candles canvas');
    await tab.page.waitForSelector('.waterfall');
    expect(await tab.page.locator('.synthetic').count()).toBeGreaterThan(2);
    const steps = await tab.page.locator('.waterfall tbody .number').allTextContents();
    const values = steps.map((text) => Number(text.replace('−', '-').replace('+', '')));
    const total = values.at(-1)!;
    const sum = values.slice(0, -1).reduce((a, b) => a + b);
    // Each of the eleven values is rounded to three decimals.
    expect(Math.abs(sum - total)).toBeLessThan(0.006);
  });

  test('the first load is small and compressed, and its content security policy is strict', async () => {
    const tab = await tabs.open();
    const sizes: Promise<number>[] = [];
    let policy: string | undefined;
    tab.page.on('response', (response) => {
      if (!response.url().includes('/console')) return;
      policy ??= response.headers()['content-security-policy'];
      sizes.push(
        response
          .request()
          .sizes()
          .then(({ responseBodySize }) => responseBodySize),
      );
    });
    await tab.signIn(inject('demoKey'));
    await tab.page.waitForSelector('.candles canvas');
    const bytes = (await Promise.all(sizes)).reduce((a, b) => a + b);
    expect(bytes).toBeGreaterThan(30_000);
    expect(bytes).toBeLessThan(MAX_BYTES);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
  });
});
