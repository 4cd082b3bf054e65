import { expect, inject, test } from 'vitest';
import { INDONESIAN } from '#models/fixtures/read-result-fixture.ts';
import { SaringClient } from '#client/index.ts';
import { newTenant } from '#support/fleets/contract.ts';
import { saring } from '#support/fleets/saring-cli.ts';

/** Two clients of one key, one for each language. */
async function inBoth() {
  const { client: id, key } = await newTenant();
  const en = new SaringClient({
    baseUrl: inject('baseUrl'),
    apiKey: key,
    endUser: 'texts',
    language: 'en',
  });
  return { id, en, key };
}

test('each caller gets the factors of a turning point in their own language, whoever asked first', async () => {
  const { id, en, key } = await inBoth();
  const { top_gainers } = await id.data.overview();
  const tickers = top_gainers.map(({ ticker }) => ticker);
  const [there, here, again] = [
    await id.data.turningPoints(tickers),
    await en.data.turningPoints(tickers),
    await id.data.turningPoints(tickers),
  ];
  expect(again).toEqual(there);
  const factorsOf = ({ turning_points }: typeof there) => turning_points.flatMap(({ factors }) => factors);
  expect(factorsOf(here).length).toBeGreaterThan(0);
  expect(factorsOf(here).length).toBe(factorsOf(there).length);
  for (const factor of factorsOf(here)) expect(factor).not.toMatch(INDONESIAN);
  const { headers } = await fetch(`${inject('baseUrl')}/api/v1/data/stocks/${tickers[0]}/turning-point`, {
    headers: { authorization: `Bearer ${key}`, 'accept-language': 'en-GB' },
  });
  expect([headers.get('content-language'), headers.get('vary')]).toEqual([
    'en',
    'Accept-Encoding, Accept-Language',
  ]);
});

test('suggestions for an empty result exist in both languages, with the same values', async () => {
  const { id, en } = await inBoth();
  const params = { min_signals: 4, lookback: 1, min_daily_val: 100_000_000_000 };
  const { job_id } = await id.runs.submit('confluence_filter', { params });
  const there = await id.jobs.wait(job_id);
  const here = await en.jobs.get(job_id);
  const emptyOf = ({ result }: { result?: object | undefined }) =>
    (result as { empty: { message: string; suggestions: Record<string, unknown>[] } }).empty;
  expect(emptyOf(here).message).toContain('No stock meets every criterion');
  expect(emptyOf(there).message).toContain('Tidak ada saham yang memenuhi');
  const values = ({ suggestions }: ReturnType<typeof emptyOf>) =>
    suggestions.map(({ param, value }) => [param, value]);
  expect(values(emptyOf(here))).toEqual(values(emptyOf(there)));
  expect(JSON.stringify(emptyOf(here))).not.toMatch(INDONESIAN);
});

test('a run of recovery_v4 without positions is a failed job, which explains itself in the language of the reader', async () => {
  const { id, en } = await inBoth();
  const { job_id } = await id.runs.submit('recovery_v4', { params: {} });
  const failed = await id.jobs.wait(job_id);
  expect([failed.status, failed.error?.message]).toEqual([
    'failed',
    expect.stringMatching(/^Belum ada posisi yang dimasukkan/),
  ]);
  expect((await en.jobs.get(job_id)).error?.message).toMatch(/^No positions were given/);
  const [listed] = await en.jobs.list({ limit: 1 });
  expect(listed).toMatchObject({
    job_id,
    error: { message: expect.stringMatching(/^No positions/) as string },
  });
  const { stdout } = await saring(inject('stateDir'), 'runs', 'show', job_id);
  expect(stdout).toMatch(/error +No positions were given/);
  expect(stdout).not.toMatch(INDONESIAN);
});
