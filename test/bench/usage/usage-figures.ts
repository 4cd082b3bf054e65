import { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import { createLedgerReaders } from '#services/usage/create-usage.ts';
import { LedgerWriter } from '#services/usage/store/ledger-writer.ts';
import { connectClickHouse, type ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { PrivateServer } from '#support/servers/private-server.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { clientOf, identityOf, startService } from '#support/processes/service-process.ts';
import { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import { readUsageMessage } from '#services/usage/store/ledger-row.ts';
import { MAX_BATCH } from '#services/usage/usage-sink.ts';
import { succeeded, usageEvent } from '#support/usage/usage-events.ts';
import type { Figure } from '#support/measuring/report.ts';
import { fillLedger, LEDGER_EVENTS } from './ledger-fill.ts';
import { allReadFigures, ownReadFigures } from './read-figures.ts';

/** One insert of the fill takes seconds. */
const FILL_TIMEOUT_MS = 120_000;
/** Longer than usual, so that late answers are measured too. */
const CALL_TIMEOUT_MS = 30_000;

/**
 * Reads of one key and of all keys, and the rate of writing, on a ledger of millions of events. Uses its own ClickHouse and a
 * usage service with unlimited retention.
 */
export async function usageFigures(): Promise<Figure[]> {
  const [clickhouse, nats] = await Promise.all([PrivateServer.clickhouse(), PrivateServer.nats()]);
  const sql = connectClickHouse(clickhouse.url, FILL_TIMEOUT_MS);
  try {
    const writer = new LedgerWriter(sql, 180);
    await writer.prepare();
    console.log(`Making up ${LEDGER_EVENTS.toLocaleString('en')} events …`);
    const begunMs = performance.now();
    await fillLedger(sql);
    const filledInMs = performance.now() - begunMs;
    const ledger = await ledgerFigure(sql, filledInMs);
    console.log('Reading them …');
    const reads = await readFigures(clickhouse, nats);
    console.log('Writing more …');
    return [ledger, ...reads, await ingestFigure(writer)];
  } finally {
    await sql.close();
    await Promise.all([clickhouse.remove(), nats.remove()]);
  }
}

async function readFigures(clickhouse: PrivateServer, nats: PrivateServer): Promise<Figure[]> {
  const service = await startService('usage', {
    CLICKHOUSE_URL: clickhouse.url,
    NATS_URL: nats.url,
    CURSOR_SECRET: 'cursor-secret-of-the-bench',
    USAGE_CEILING_ROWS: '0',
  });
  const calls = clientOf(UsageServiceService, service.address, {
    unavailableCode: 'usage_unavailable',
    timeoutMs: CALL_TIMEOUT_MS,
    identity: identityOf('gateway'),
  });
  const sql = connectClickHouse(clickhouse.url);
  const log = createLogger('bench', 'silent');
  const readers = { calls, ...createLedgerReaders({ read: sql, retentionDays: 0, ceilingRows: 0, log }) };
  try {
    return [...(await ownReadFigures(readers)), ...(await allReadFigures(readers))];
  } finally {
    calls.close();
    await sql.close();
    await service.kill();
  }
}

/** The size of the ledger that the reads query. */
async function ledgerFigure(sql: ClickHouseClient, filledInMs: number): Promise<Figure> {
  const [size] = await clickhouseRows<{ version: string } & Record<'rows' | 'parts' | 'bytes', number>>(
    sql,
    `SELECT version() AS version, toUInt32(sum(rows)) AS rows, toUInt32(count()) AS parts,
       toFloat64(sum(bytes_on_disk)) AS bytes
     FROM system.parts WHERE active AND database = 'usage' AND table = 'event'`,
  );
  const { version, rows, parts, bytes } = size!;
  const [mebibytes, seconds] = [bytes / 2 ** 20, filledInMs / 1_000].map((value) => value.toFixed(0));
  return {
    what: `usage ledger of ${LEDGER_EVENTS.toLocaleString('en')} made-up events over 170 days, in ClickHouse ${version}`,
    measured: `${rows.toLocaleString('en')} rows in ${parts} parts, ${mebibytes} MiB, made in ${seconds} s`,
  };
}

const BATCH = MAX_BATCH;
const BATCHES = 30;

/** Inserts batches one after another, as the sink does: each is on disk before the next starts. */
async function ingestFigure(writer: LedgerWriter): Promise<Figure> {
  const batches = Array.from({ length: BATCHES }, (_, index) => batchOf(index % 2 === 0));
  const begun = performance.now();
  for (const batch of batches) await writer.insert(batch.map(readUsageMessage));
  const perSecond = (BATCH * BATCHES) / ((performance.now() - begun) / 1_000);
  return {
    what: `usage events into ClickHouse, decoded and stored in batches of ${BATCH.toLocaleString('en')}`,
    measured: `${Math.round(perSecond).toLocaleString('en')} a second`,
  };
}

function batchOf(isFinal: boolean): Uint8Array[] {
  return Array.from({ length: BATCH }, (_, index) => {
    const event = usageEvent({ api_key_id: `key_${index % 50}`, end_user: `user-${index % 500}` });
    return UsageRecorded.encode(isFinal ? succeeded(event) : event).finish();
  });
}
