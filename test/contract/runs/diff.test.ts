import { expect, inject, test } from 'vitest';
import { resultOf, SaringClient } from '#client/index.ts';
import { newTenant, ownTenant } from '#support/fleets/contract.ts';

const tenant = ownTenant();

/** Loose enough for picks, but fewer than `max_picks`, so that no other stock moves up when a pick drops out. */
const PARAMS = { min_probability: 40, max_picks: 20 };

async function picksOf(params: object, client = tenant.client) {
  const job = await client.runAndWait('model_f_combined', { params: { ...PARAMS, ...params } });
  expect(job, JSON.stringify(job.error)).toMatchObject({ status: 'succeeded' });
  const rows = resultOf(job).df_result;
  return {
    jobId: job.job_id,
    picks: rows.map(({ Ticker }) => Ticker),
    lowest: Math.min(...rows.map(({ Probability }) => Number.parseFloat(Probability))),
  };
}

const tickersOf = (moves: readonly { ticker: string }[]) => moves.map(({ ticker }) => ticker);

test('every pick of two days has entered, left or stayed, and each move states its cause', async () => {
  const [earlier, later] = [await picksOf({ analysis_date: '2026-08-31' }), await picksOf({})];
  const diff = await tenant.client.jobs.diff(later.jobId, earlier.jobId);
  const [entered, left, stayed] = [diff.entered, diff.left, diff.stayed].map(tickersOf);
  expect([...entered!, ...stayed!].toSorted()).toEqual(later.picks.toSorted());
  expect([...left!, ...stayed!].toSorted()).toEqual(earlier.picks.toSorted());
  expect(entered!.length + left!.length).toBeGreaterThan(0);
  expect(diff.before).toMatchObject({ job_id: earlier.jobId, pick_count: earlier.picks.length });
  expect([diff.same_dataset, diff.params_changed]).toEqual([true, []]);
  for (const move of [...diff.entered, ...diff.left]) {
    expect(['chance', 'price', 'criterion', 'rank', 'data']).toContain(move.cause);
    expect(move.message).toContain(move.ticker);
    expect([move.before.picked, move.now.picked].toSorted()).toEqual([false, true]);
  }
});

test('picks dropped by a stricter parameter left by a filter, and the diff names the parameter', async () => {
  const loose = await picksOf({});
  expect(loose.picks.length).toBeLessThan(PARAMS.max_picks);
  // The probabilities depend on the trained model. This threshold drops at least the last pick in any case.
  const threshold = Math.floor(loose.lowest) + 1;
  const strict = await picksOf({ min_probability: threshold });
  const diff = await tenant.client.jobs.diff(strict.jobId, loose.jobId);
  expect(diff.params_changed).toEqual([{ param: 'min_probability', before: 40, now: threshold }]);
  expect(diff.entered).toEqual([]);
  expect(tickersOf(diff.left).toSorted()).toEqual(
    loose.picks.filter((ticker) => !strict.picks.includes(ticker)).toSorted(),
  );
  expect(diff.left.length).toBeGreaterThan(0);
  for (const move of diff.left) {
    expect(move).toMatchObject({ cause: 'filter', param: 'min_probability', threshold });
    expect(move.value).toBeGreaterThanOrEqual(40);
    expect(move.value).toBeLessThan(threshold);
  }
  // In the opposite direction the same stocks enter for the same reason.
  const back = await tenant.client.jobs.diff(loose.jobId, strict.jobId);
  expect(tickersOf(back.entered).toSorted()).toEqual(tickersOf(diff.left).toSorted());
  expect(back.entered.every(({ cause }) => cause === 'filter')).toBe(true);
});

test('sentences follow the requested language, and runs of two keys are not compared', async () => {
  const [loose, strict] = [await picksOf({}), await picksOf({ max_picks: 1 })];
  const english = new SaringClient({
    baseUrl: inject('baseUrl'),
    apiKey: tenant.key,
    endUser: 'alice',
    language: 'en',
  });
  const [indonesian, inEnglish] = [
    await tenant.client.jobs.diff(strict.jobId, loose.jobId),
    await english.jobs.diff(strict.jobId, loose.jobId),
  ];
  expect(indonesian.left[0]!.message).toContain('parameternya berbeda');
  expect(inEnglish.left[0]!.message).toContain('the parameters differ');
  const theirs = await newTenant();
  const own = await picksOf({}, theirs.client);
  for (const [job, other] of [
    [strict.jobId, loose.jobId],
    [own.jobId, loose.jobId],
    [strict.jobId, own.jobId],
  ])
    await expect(theirs.client.jobs.diff(job!, other!)).rejects.toMatchObject({ code: 'job_not_found' });
});
