import { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import { LedgerClient } from '#services/usage/store/ledger-client.ts';
import { LedgerWriter } from '#services/usage/store/ledger-writer.ts';
import { Ledger } from '#services/usage/store/ledger.ts';
import { UsageCounts } from '#services/usage/store/usage-counts.ts';
import { connectClickHouse } from '#shared/clickhouse/clickhouse.ts';
import { createGrpcClient } from '#shared/grpc/client.ts';
import { createLogger } from '#shared/logger.ts';
import { PrivateServer } from '#support/servers/private-server.ts';
import { identityOf, NO_TLS, startService } from '#support/processes/service-process.ts';
import type { Figure } from '../report.ts';
import { ingestFigure } from './ingest-rate.ts';
import { fillLedger, LEDGER_EVENTS } from './ledger-fill.ts';
import { ledgerFigure } from './ledger-size.ts';
import { allReadFigures, ownReadFigures } from './read-figures.ts';

/** A portion of the fill takes seconds. */
const FILL_TIMEOUT_MS = 120_000;
/** What a reader is answered late is measured too. */
const CALL_TIMEOUT_MS = 30_000;

/**
 * Reads of one key and of all, and the rate of writing, on a ledger of millions of events in a ClickHouse of its own, with a
 * usage service before it that keeps all of them.
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
  const calls = createGrpcClient(UsageServiceService, {
    address: service.address,
    unavailableCode: 'usage_unavailable',
    timeoutMs: CALL_TIMEOUT_MS,
    tls: NO_TLS,
    identity: identityOf('gateway'),
  });
  const sql = connectClickHouse(clickhouse.url);
  const client = new LedgerClient(sql, createLogger('bench', 'silent'));
  const readers = { calls, ledger: new Ledger(client), counts: new UsageCounts(client) };
  try {
    return [...(await ownReadFigures(readers)), ...(await allReadFigures(readers))];
  } finally {
    calls.close();
    await sql.close();
    await service.kill();
  }
}
