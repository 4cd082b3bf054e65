import { Transform } from 'node:stream';
import type pg from 'pg';
import type { ClickhouseTable, Selection } from './clickhouse-tables.ts';

/** Longer than the clocks of two machines differ, or than a run takes from its row to the ledger’s. */
const MARGIN_MS = 600_000;
const FINAL_STATE_VERSION = '2';

/**
 * Which rows of the ledger are of the point at which PostgreSQL is read. The ledger is written from runs that PostgreSQL
 * holds: of runs that were accepted later it must hold none, and of those that were not over yet no end. What it does not
 * know yet, the models service records again when it starts and compares both.
 */
export interface LedgerPoint {
  /** Runs of before are all over, and their rows stay as they are. */
  cutMs: number;
  /** Whether each run since then was over, by event id. */
  isOver: Map<string, boolean>;
}

/** Read in the transaction whose snapshot is the point. */
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

/** Rows that are of the point whatever it is. */
export function settledRows({ cutMs }: LedgerPoint): Selection {
  return { where: 'toUnixTimestamp64Milli(ts) < {cutMs:Int64}', params: { cutMs } };
}

/** Rows of which `keepsOfPoint` keeps those that are of the point. */
export function recentRows({ cutMs }: LedgerPoint): Selection {
  return { where: 'toUnixTimestamp64Milli(ts) >= {cutMs:Int64}', params: { cutMs } };
}

/** Of tab-separated lines, those whose run was accepted and, if they say how it ended, over at the point. */
export function keepsOfPoint({ columns }: ClickhouseTable, { isOver }: LedgerPoint): Transform {
  const [idAt, stateAt] = [columns.indexOf('event_id'), columns.indexOf('state_version')];
  let rest = '';
  const isOfPoint = (line: string) => {
    const fields = line.split('\t');
    if (fields.length !== columns.length) throw new Error(`ClickHouse ended the ledger with: ${line}`);
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
      done(rest === '' ? null : new Error(`ClickHouse ended the ledger with: ${rest}`));
    },
  });
}
