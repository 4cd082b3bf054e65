import { Webhook } from 'standardwebhooks';
import type { Fleet } from '#support/fleets/fleet.ts';
import { settled } from '#support/load/comparison.ts';
import type { Rest } from '#support/rest/rest.ts';
import { postgresRows } from '#support/servers/rows.ts';
import { Receiver } from '#support/services/test-webhooks.ts';

/** A copy that was killed holds an endpoint for half a minute. */
const TOLD_WITHIN_MS = 120_000;
const ENDED = ['run.succeeded', 'run.failed', 'run.interrupted'];

/**
 * An application that is told by a webhook how its runs end.
 * @param rest with the key whose runs are told
 */
export async function startReceiver(rest: Rest) {
  /** How often it was told of each run, by job id. */
  const told = new Map<string, number>();
  let forged = 0;
  const receiver = await Receiver.start();
  const wanted = { url: receiver.url, event_types: ENDED };
  const { status, body: created } = await rest.post<{ secret: string }>('/api/v1/webhooks', wanted);
  if (status !== 201) throw new Error(`no webhook was created: ${JSON.stringify(created)}`);
  const webhook = new Webhook(created.secret);
  receiver.answer = (_request, response) => {
    const { body, headers } = receiver.received.pop()!;
    try {
      const { data } = webhook.verify(body, headers as Record<string, string>) as {
        data: { job_id: string };
      };
      told.set(data.job_id, (told.get(data.job_id) ?? 0) + 1);
    } catch {
      forged++;
    }
    response.writeHead(204).end();
  };

  /** Waits until it was told of every run of the key that has ended, up to a time limit. */
  async function compare(fleet: Fleet, keyId: string) {
    const url = await fleet.superuserUrl();
    const { known, untold } = await settled(async () => {
      const runs = await postgresRows<{ job_id: string; is_over: boolean }>(
        url,
        `select job_id, status in ('succeeded', 'failed', 'interrupted') as is_over from models.run
         where api_key_id = '${keyId}'`,
      );
      const missing = runs.filter(({ job_id, is_over }) => is_over && !told.has(job_id));
      const found = { known: runs.map(({ job_id }) => job_id), untold: missing.map(({ job_id }) => job_id) };
      return { found, isSettled: missing.length === 0 };
    }, TOLD_WITHIN_MS);
    return {
      runs: told.size,
      /** How often it was told of a run again. */
      repeated: [...told.values()].reduce((sum, times) => sum + times - 1, 0),
      /** Runs that have ended and of which it was not told, each with what became of its event. */
      untold: await Promise.all(untold.map((jobId) => whatIsKnown(url, jobId))),
      /** Runs of other keys of which it was told. */
      foreign: [...told.keys()].filter((jobId) => !known.includes(jobId)).length,
      /** Requests whose signature does not fit. */
      forged,
    };
  }

  return { compare, stop: () => receiver.stop() };
}

/** What became of the event that tells of the end of a run. */
async function whatIsKnown(url: string, jobId: string): Promise<string> {
  const attempts = await postgresRows<Record<string, string | number | null>>(
    url,
    `select state, due_at::text, started_at::text, duration_ms, outcome, status, error
     from webhooks.event left join webhooks.delivery using (event_id) left join webhooks.attempt using (delivery_id)
     where data ->> 'job_id' = '${jobId}' and type in ('${ENDED.join("', '")}') order by number`,
  );
  return `${jobId}: ${attempts.length === 0 ? 'no event' : JSON.stringify(attempts)}`;
}
