import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { RecordedPicks } from '#proto/saring/events/v1/runs.ts';
import type {
  GetRecordResponse,
  RecordFigures,
  RecordPart,
  VerifyRecordResponse,
} from '#proto/saring/models/v1/record.ts';
import type { EntryBody } from '#services/models/store/record-chain.ts';
import { migrations } from '#services/models/store/migrations/index.ts';
import type { ModelsTables } from '#services/models/store/tables.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { openPostgres } from '#platform/postgres/open-postgres.ts';
import type { Fleet } from '../fleets/fleet.ts';
import { saring } from '../fleets/saring-cli.ts';

/** A part of the record as it appears in JSON. */
export type RecordPartBody = Omit<RecordPart, 'figures'> & RecordFigures;
export type RecordBody = Omit<GetRecordResponse, 'daily' | 'own'> & Record<'daily' | 'own', RecordPartBody>;

/** The result of `saring record verify`, with its exit code. */
export async function verifyRecord({ stateDir }: Fleet, ...words: string[]) {
  const { code, stdout } = await saring(stateDir, 'record', 'verify', '--json', ...words);
  return { code, ...(JSON.parse(stdout) as VerifyRecordResponse) };
}

/** What a finished run puts on record, one day before the first bar that judges it. */
export function recordedPicks(picks: RecordedPicks['picks']): RecordedPicks {
  return {
    as_of: '2026-09-30',
    last_date: '2026-09-30',
    dataset_kind: 'synthetic',
    regime: 'BULL',
    target_gain: 0.1,
    stop_loss: 0.05,
    horizon_days: 20,
    min_price: 100,
    min_daily_val: 1e9,
    picks,
  };
}

/** An entry as stored in the database. */
interface StoredEntry {
  seq: number;
  kind: string;
  model_id: string | null;
  api_key_id: string | null;
  job_id: string | null;
  body: EntryBody;
  hash: string;
}

/** The database of a fleet, opened as the models service does. */
export async function modelsDatabase(fleet: Fleet): Promise<Kysely<ModelsTables>> {
  const url = await fleet.databaseUrl('models');
  return openPostgres({ url, schema: 'models', migrations, log: createLogger('test', 'silent') });
}

export async function storedEntries(database: Kysely<ModelsTables>): Promise<StoredEntry[]> {
  const rows = await database.selectFrom('record_entry').selectAll().orderBy('seq').execute();
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}

/** Changes the record despite its trigger, as the owner of the database can. */
export async function tamperWithRecord(
  database: Kysely<ModelsTables>,
  statement: RawBuilder<unknown>,
): Promise<void> {
  await sql`alter table record_entry disable trigger record_entry_append_only`.execute(database);
  await statement.execute(database);
  await sql`alter table record_entry enable always trigger record_entry_append_only`.execute(database);
}

export function emptyRecord(database: Kysely<ModelsTables>): Promise<void> {
  return tamperWithRecord(database, sql`truncate record_entry`);
}
