import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { ledgerFaults, ownFleet, settle } from '../support/fleets/broken-fleet.ts';
import { inTime } from '#platform/process/waiting.ts';
import { SMALL_MARKET } from '../support/fleets/fleet.ts';
import { pollUntilFinal, submitRun } from '#support/rest/jobs.ts';
import { errorCode, type RestResponse } from '#support/rest/rest.ts';
import { HANGS_AFTER_MS } from '../support/hangs.ts';
import { needingSmallDisk, SmallDisk } from '../support/servers/small-disk.ts';

/** A little more than a start requires. */
const DISK_MEGABYTES = 1_100;
/** Not how soon: `make bench` measures that. */
const GOES_ON_WITHIN = { interval: 500 };
const RUNS = '/api/v1/models/confluence_filter/runs';

describe('a fleet on a disk that fills up', needingSmallDisk, () => {
  const disk = needingSmallDisk.skip ? undefined : new SmallDisk(DISK_MEGABYTES);
  afterAll(() => disk?.remove());
  const own = ownFleet({ ...SMALL_MARKET, STATE_DIR: path.join(disk?.dir ?? '', 'state') });
  const accepted: string[] = [];
  const consented: string[] = [];

  const outcomeOf = (response: RestResponse<object>) =>
    response.status < 300 ? 'ok' : `${response.status} ${errorCode(response as RestResponse)}`;
  const health = async () =>
    (await inTime(own.rest.get<Schemas['Health']>('/api/health'), HANGS_AFTER_MS)).body;

  const submit = async () => {
    const response = await inTime(
      own.rest.post<{ job_id: string }>(RUNS, {}, { endUser: 'tester' }),
      HANGS_AFTER_MS,
    );
    if (response.status === 202) accepted.push(response.body.job_id);
    return outcomeOf(response);
  };
  const consent = async () => {
    const endUser = `user-${randomUUID()}`;
    const request = { endUser };
    const check = await inTime(
      own.rest.get<{ required_version: string }>('/api/v1/consent', request),
      HANGS_AFTER_MS,
    );
    const body = { document_version: check.body.required_version };
    const response = await inTime(own.rest.post('/api/v1/consent', body, request), HANGS_AFTER_MS);
    if (response.status === 201) consented.push(endUser);
    return outcomeOf(response);
  };
  const read = async (url: string) => outcomeOf(await inTime(own.rest.get(url), HANGS_AFTER_MS));

  test('refuses new work with the contract’s 503, answers reads, and reports that no run can complete', async () => {
    await pollUntilFinal(own.rest, (await submitRun(own.rest)).job_id);
    await expect.poll(async () => (await health()).status, GOES_ON_WITHIN).toBe('ok');
    disk!.fill();
    await expect.poll(async () => (await health()).runs.can_complete, GOES_ON_WITHIN).toBe(false);
    expect((await health()).status).toBe('degraded');
    // A table may still have free space for some rows. A call that hangs fails the test.
    const outcomes = new Set<string>();
    const outcomeAfter = (work: () => Promise<string>) => async () => {
      disk!.fill();
      const outcome = await work();
      outcomes.add(outcome);
      return outcome;
    };
    await expect.poll(outcomeAfter(submit)).toBe('503 model_unavailable');
    await expect.poll(outcomeAfter(consent)).toBe('503 consent_write_failed');
    expect(['503 consent_write_failed', '503 model_unavailable', 'ok']).toEqual(
      expect.arrayContaining([...outcomes]),
    );
    for (const url of ['/api/v1/data/quotes?tickers=AAAA', '/api/v1/models', '/api/v1/jobs'])
      expect(await read(url), url).toBe('ok');
    expect(['ok', '503 usage_unavailable']).toContain(await read('/api/v1/usage/events'));
    expect(await health()).toMatchObject({ status: 'degraded', runs: { can_complete: false } });
  });

  test('loses nothing it accepted and resumes by itself after space is freed', async () => {
    disk!.free();
    await expect.poll(() => submit().catch(String), GOES_ON_WITHIN).toBe('ok');
    await expect.poll(health, GOES_ON_WITHIN).toMatchObject({ status: 'ok', runs: { can_complete: true } });
    const states = await settle(own.rest, accepted);
    expect([...states.values()].filter((state) => state !== 'succeeded')).toEqual([]);
    await expect
      .poll(() => ledgerFaults(own, accepted).catch(String), GOES_ON_WITHIN)
      .toEqual({ doubled: 0, open: 0, missing: 0 });
    await expect.poll(consent, GOES_ON_WITHIN).toBe('ok');
    for (const endUser of consented) {
      const { body } = await own.rest.get('/api/v1/consent', { endUser });
      expect(body, endUser).toMatchObject({ accepted: true });
    }
  });
});
