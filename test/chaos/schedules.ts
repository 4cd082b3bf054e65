import { setTimeout as sleep } from 'node:timers/promises';
import { SchedulerServiceService } from '#proto/saring/scheduler/v1/scheduler.ts';
import type { Fleet } from '#support/fleets/fleet.ts';
import { clientOf } from '#support/processes/service-process.ts';
import { postgresRows } from '#support/servers/rows.ts';

export const SCHEDULES = 3;
const DECIDED_WITHIN_MS = 60_000;

/** Results of the schedules of a fleet under chaos. */
export interface ScheduleFirings {
  /** Number of firings whose run was accepted, over all schedules. */
  fired: number;
  /** Number of runs that schedules started in addition to one per firing. */
  doubled: number;
  /** Number of firings without an outcome. */
  undecided: number;
}

/** Creates schedules that fire for every new trading day. */
export async function createSchedules(fleet: Fleet, apiKeyId: string): Promise<void> {
  const { addresses, operator_token: operatorToken } = await fleet.file();
  const client = clientOf(SchedulerServiceService, addresses.scheduler);
  const what = { model_id: 'confluence_filter', params: undefined, view: 'full', calendar: 'daily' } as const;
  for (let i = 0; i < SCHEDULES; i++) {
    await client.createSchedule(
      { name: `evening ${i}`, end_user: 'newsletter', api_key_id: apiKeyId, ...what },
      { requestId: 'req_test', operatorToken },
    );
  }
  client.close();
}

/** Waits until every firing has an outcome, up to a time limit. */
export async function firingsOf(fleet: Fleet): Promise<ScheduleFirings> {
  const url = await fleet.superuserUrl();
  const giveUpAt = performance.now() + DECIDED_WITHIN_MS;
  for (;;) {
    const [row] = await postgresRows<Record<'accepted' | 'undecided' | 'runs', number>>(
      url,
      `select count(*) filter (where outcome = 'accepted')::int as accepted,
         count(*) filter (where outcome is null)::int as undecided,
         (select count(*)::int from models.run where channel = 'scheduled') as runs
       from scheduler.firing`,
    );
    const { accepted, undecided, runs } = row!;
    if (undecided === 0 || performance.now() > giveUpAt)
      return { fired: accepted, doubled: runs - accepted, undecided };
    await sleep(500);
  }
}
