import { Transform } from 'node:stream';
import type pg from 'pg';
import type { ClickhouseTable, Selection } from './clickhouse-tables.ts';

/** Longer than the clocks of two machines differ, and than it takes from the row of a run to its row in the ledger. */
const MARGIN_MS = 600_000;
const FINAL_STATE_VERSION = '2';

/**
 * Decides which rows of the ledger belong to the point at which PostgreSQL is read. The ledger is written from the runs in
 * PostgreSQL. So it must contain no runs that were accepted later, and no end of runs that were still open. Missing rows are
 * recorded again: the models service compares both when it starts.
 */
export interface LedgerPoint {
  /** All runs before this moment have ended, and their rows no longer change. */
  cutMs: number;
  /** Whether each later run had ended, by event id. */
  isOver: Map<string, boolean>;
}

/** Must run in the transaction whose snapshot is the point. */
export async function ledgerPoint(client: pg.Client, point: Date): Promise<LedgerPoint> {
  const { rows: oldest } = await client.query<{ ts: Date | null }>(
    `select min(created_at) as ts from models.run where status in ('queued', 'running')`,
  );
  const oldestOpenMs = oldest[0]!.ts?.getTime() ?? Infinity;
  const cutMs = Math.min(point.getTime() - MARGIN_MS, oldestOpenMs - 1);
  const { rows } = await client.query<{ event_id: string; is_over: boolean }>(
    `select event_id, status not in ('queued', 'running') as is_over from models.run where created_at >= $1`,
    [new Date(cutMs)],
  );
  return { cutMs, isOver: new Map(rows.map(({ event_id, is_over }) => [event_id, is_over])) };
}

/** Rows that certainly belong to the point. */
export function settledRows({ cutMs }: LedgerPoint): Selection {
  return { where: 'toUnixTimestamp64Milli(ts) < {cutMs:Int64}', params: { cutMs } };
}

/** Rows that may belong to the point; `keepsOfPoint` filters them. */
export function recentRows({ cutMs }: LedgerPoint): Selection {
  return { where: 'toUnixTimestamp64Milli(ts) >= {cutMs:Int64}', params: { cutMs } };
}

/**
 * Keeps the tab-separated lines whose run was accepted by the point. A line about the end of a run is kept only if the run had
 * ended by then.
 */
export function keepsOfPoint({ columns }: ClickhouseTable, { isOver }: LedgerPoint): Transform {
  const [idAt, stateAt] = [columns.indexOf('event_id'), columns.indexOf('state_version')];
  let rest = '';
  const isOfPoint = (line: string) => {
    const fields = line.split('\t');
    if (fields.length !== columns.length)
      throw new Error(`ClickHouse stopped sending the ledger with: ${line}`);
    const over = isOver.get(fields[idAt]!);
    return over === true || (over === false && fields[stateAt] !== FINAL_STATE_VERSION);
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        const lines = (rest + chunk.toString('latin1')).split('\n');
        rest = lines.pop()!;
        done(
          null,
          Buffer.from(
            lines
              .filter(isOfPoint)
              .map((line) => `${line}\n`)
              .join(''),
            'latin1',
          ),
        );
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      done(rest === '' ? null : new Error(`ClickHouse stopped sending the ledger with: ${rest}`));
    },
  });
}
