import { SchedulerServiceService } from '#proto/saring/scheduler/v1/scheduler.ts';
import type { Fleet } from '#support/fleets/fleet.ts';
import { settled } from '#support/load/comparison.ts';
import { clientOf } from '#support/processes/service-process.ts';
import { postgresRows } from '#support/servers/rows.ts';

export const SCHEDULES = 3;
const DECIDED_WITHIN_MS = 60_000;

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

/**
 * Waits until every firing has an outcome, up to a time limit. Counts firings whose run was accepted, runs of schedules beyond one per
 * firing, and firings without an outcome.
 */
export async function firingsOf(fleet: Fleet) {
  const url = await fleet.superuserUrl();
  return settled(async () => {
    const [row] = await postgresRows<Record<'accepted' | 'undecided' | 'runs', number>>(
      url,
      `select count(*) filter (where outcome = 'accepted')::int as accepted,
         count(*) filter (where outcome is null)::int as undecided,
         (select count(*)::int from models.run where channel = 'scheduled') as runs
       from scheduler.firing`,
    );
    const { accepted, undecided, runs } = row!;
    return { found: { fired: accepted, doubled: runs - accepted, undecided }, isSettled: undecided === 0 };
  }, DECIDED_WITHIN_MS);
}
