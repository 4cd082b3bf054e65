import pg from 'pg';
import { connectClickHouse } from '#shared/clickhouse/clickhouse.ts';
import type { LoadStage } from './load-stage.ts';

/** What the stores hold of the applications of a load. */
export interface Stored {
  /** Of the models service: status by job id. */
  runs: Map<string, string>;
  /** Of the ledger, as it is read: replaced rows left out. */
  usage: { job_id: string; status: string }[];
  /** Of the consent service. */
  consents: string[];
}

/** Asks the databases themselves, ClickHouse without its slowness. */
export async function readStored({ fleet, clickhouse, applications }: LoadStage): Promise<Stored> {
  const keyIds = applications.map(({ keyId }) => keyId);
  const [models, consent] = [
    new pg.Client(await fleet.databaseUrl('models')),
    new pg.Client(await fleet.databaseUrl('consent')),
  ];
  const ledger = connectClickHouse(clickhouse.directUrl);
  try {
    await Promise.all([models.connect(), consent.connect()]);
    const runs = await models.query<{ job_id: string; status: string }>(
      'select job_id, status from models.run where api_key_id = any($1)',
      [keyIds],
    );
    const consents = await consent.query<{ consent_id: string }>(
      'select consent_id from consent.consent_record where api_key_id = any($1)',
      [keyIds],
    );
    const usage = await ledger.query({
      query: 'SELECT job_id, status FROM usage.event FINAL WHERE api_key_id IN {keyIds: Array(String)}',
      query_params: { keyIds },
      format: 'JSONEachRow',
    });
    return {
      runs: new Map(runs.rows.map(({ job_id, status }) => [job_id, status])),
      usage: await usage.json<{ job_id: string; status: string }>(),
      consents: consents.rows.map(({ consent_id }) => consent_id),
    };
  } finally {
    await Promise.all([models.end(), consent.end()]);
    await ledger.close();
  }
}
