import { vi } from 'vitest';
import { pollUntilFinal, type JobBody } from '../jobs.ts';
import type { Rest } from '../rest.ts';

/** By what names the calling key can ask for something that there is. */
export type GoodValues = Record<
  'job_id' | 'event_id' | 'end_user_id' | 'ticker' | 'broker_code' | 'document_version',
  string
>;

/** Has a run made for an end user who had none, waits until it is recorded, and says how to ask for it and the rest. */
export async function recordedRun(rest: Rest, end_user_id: string): Promise<GoodValues> {
  const options = { endUser: end_user_id };
  const run = await rest.post<JobBody>('/api/v1/models/confluence_filter/runs', {}, options);
  const { job_id } = await pollUntilFinal(rest, run.body.job_id);
  const event_id = await vi.waitFor(() => newestEvent(rest, end_user_id), { timeout: 10_000 });
  const consent = await rest.get<{ required_version: string }>('/api/v1/consent', options);
  const { required_version: document_version } = consent.body;
  return { job_id, event_id, end_user_id, document_version, ...(await tradedStock(rest)) };
}

/** A stock with negotiated trades on the latest day, and who bought most of it in the regular market. */
async function tradedStock(rest: Rest): Promise<Pick<GoodValues, 'ticker' | 'broker_code'>> {
  const scan = await rest.get<{ items: { ticker: string }[] }>('/api/v1/data/nego?min_val=0');
  const { ticker } = scan.body.items[0]!;
  const day = await rest.get<{ top_buyers: { broker: string }[] }>(`/api/v1/data/stocks/${ticker}/brokers`);
  return { ticker, broker_code: day.body.top_buyers[0]!.broker };
}

async function newestEvent(rest: Rest, endUser: string): Promise<string> {
  const path = `/api/v1/usage/events?end_user=${endUser}&status=succeeded`;
  const { body } = await rest.get<{ events: { event_id: string }[] }>(path);
  if (!body.events[0]) throw new Error('the ledger does not have the end of the run yet');
  return body.events[0].event_id;
}
