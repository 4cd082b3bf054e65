import { setTimeout as sleep } from 'node:timers/promises';
import type { BackfillBody } from '#support/rest/backfills.ts';
import { pollUntilFinal, type JobBody } from '#support/rest/jobs.ts';
import type { Rest } from '#support/rest/rest.ts';
import { tradingDays } from '#support/measuring/market-values.ts';
import type { Figure } from '#support/measuring/report.ts';

const MODEL = 'model_f_combined';
const END_USER = { endUser: 'bench' };
const MONTHS = 41;
const GIVE_UP_MS = 900_000;
const MONEY = { capital_idr: 100_000_000, max_positions: 10, rebalance: 'weekly' };

/** From asking for weekly picks of F, each trained anew on what was known, until a simulation has followed them with ten positions. */
export async function modelMoneyFigure(rest: Rest): Promise<Figure> {
  const [to] = await tradingDays(rest, 1);
  const from = monthsBefore(to!, MONTHS);
  const beganMs = performance.now();
  const { weeks } = await backfilled(rest, { from, to, step: 'week' });
  const wanted = { model_id: MODEL, params: {}, from, to, ...MONEY };
  const { body } = await rest.post<JobBody>('/api/v1/simulations', wanted, END_USER);
  const { status } = await pollUntilFinal(rest, body.job_id, GIVE_UP_MS);
  if (status !== 'succeeded') throw new Error(`the simulation ended as ${status}`);
  const seconds = (performance.now() - beganMs) / 1_000;
  return {
    what: `picks of F in ${weeks} weeks, trained anew, and a simulation of them with ten positions, over REST`,
    measured: `${seconds.toFixed(0)} s`,
    bar: '≤ 150 s',
  };
}

/** Returns how many weeks were run, and what the backfill was answered. */
export async function backfilled(rest: Rest, wanted: object) {
  const started = await rest.post<BackfillBody>(`/api/v1/models/${MODEL}/backfills`, wanted, END_USER);
  if (started.status !== 202) throw new Error(`a backfill was answered ${started.status}`);
  for (const giveUpAt = Date.now() + GIVE_UP_MS; Date.now() < giveUpAt; await sleep(200)) {
    const { body } = await rest.get<BackfillBody>(`/api/v1/backfills/${started.body.backfill_id}`);
    if (body.status === 'succeeded') return { weeks: body.days_total, started };
    if (body.status === 'failed') throw new Error(`the backfill failed: ${JSON.stringify(body)}`);
  }
  throw new Error(`the backfill has not ended within ${GIVE_UP_MS / 1_000} s`);
}

function monthsBefore(day: string, months: number): string {
  const at = new Date(day);
  at.setUTCMonth(at.getUTCMonth() - months);
  return at.toISOString().slice(0, 10);
}
