import { LedgerClient } from '#services/usage/store/ledger-client.ts';
import { LedgerWriter } from '#services/usage/store/ledger-writer.ts';
import { Ledger } from '#services/usage/store/ledger.ts';
import type { EventFilter } from '#services/usage/store/event-conditions.ts';
import { ALL_GROUPINGS, OWN_GROUPINGS } from '#services/usage/store/grouping.ts';
import { UsageCounts } from '#services/usage/store/usage-counts.ts';
import { connectClickHouse } from '#shared/clickhouse.ts';
import { createLogger } from '#shared/logger.ts';
import { PrivateServer } from '#support/private-server.ts';
import { quantile } from '../quantiles.ts';
import type { Figure } from '../report.ts';
import { ingestFigure } from './ingest-rate.ts';
import { fillLedger, LEDGER_EVENTS, MEASURED_KEY, MEASURED_KEY_EVENTS } from './ledger-fill.ts';

const PAGE = 50;
const END_USERS = 200;
const OWN_SAMPLES = 40;
const ALL_SAMPLES = 7;
/** A portion of the fill takes seconds. */
const FILL_TIMEOUT_MS = 120_000;

type Read = (signal: AbortSignal) => Promise<unknown>;

/** Reads of one key and of all, and the rate of writing, on a ledger of 5 million events in a ClickHouse of its own. */
export async function usageFigures(): Promise<Figure[]> {
  const server = await PrivateServer.clickhouse();
  const sql = connectClickHouse(server.url, FILL_TIMEOUT_MS);
  try {
    const writer = new LedgerWriter(sql, 180);
    await writer.prepare();
    await fillLedger(sql);
    const client = new LedgerClient(sql, createLogger('bench', 'warn'));
    const [ledger, counts] = [new Ledger(client), new UsageCounts(client)];
    return [
      await ingestFigure(writer),
      ...(await ownFigures(ledger, counts)),
      ...(await allFigures(ledger, counts)),
    ];
  } finally {
    await sql.close();
    await server.remove();
  }
}

async function ownFigures(ledger: Ledger, counts: UsageCounts): Promise<Figure[]> {
  const filter: EventFilter = { of: { apiKeyId: MEASURED_KEY } };
  const measure = (what: string, read: Read, bar?: string) => figureOf(what, OWN_SAMPLES, read, bar);
  const share = `${count(MEASURED_KEY_EVENTS)} of ${count(LEDGER_EVENTS)} events`;
  const figures = [
    await measure(
      `newest ${PAGE} events of a key with ${share}`,
      (signal) => ledger.newest(filter, undefined, PAGE + 1, signal),
      '< 20 ms',
    ),
  ];
  for (const grouping of OWN_GROUPINGS) {
    const read: Read = (signal) => counts.byGroup(filter, grouping, signal);
    figures.push(await measure(`... its summary by ${grouping}`, read, '< 50 ms'));
  }
  const endUsers: Read = (signal) => counts.byEndUser(filter, END_USERS, signal);
  return [...figures, await measure('... its end users', endUsers)];
}

async function allFigures(ledger: Ledger, counts: UsageCounts): Promise<Figure[]> {
  const filter: EventFilter = { of: 'every key' };
  const measure = (what: string, read: Read) => figureOf(what, ALL_SAMPLES, read);
  const figures = [
    await measure(`newest ${PAGE} events of every key`, (signal) =>
      ledger.newest(filter, undefined, PAGE + 1, signal),
    ),
  ];
  for (const grouping of ALL_GROUPINGS) {
    const read: Read = (signal) => counts.byGroup(filter, grouping, signal);
    figures.push(await measure(`... summary of every key by ${grouping}`, read));
  }
  return [
    ...figures,
    await measure('... end users of every key', (signal) => counts.byEndUser(filter, END_USERS, signal)),
    await measure('... runs by key', (signal) => counts.byKey(filter, signal)),
  ];
}

async function figureOf(what: string, samples: number, read: Read, bar?: string): Promise<Figure> {
  const { signal } = new AbortController();
  for (let warm = 0; warm < 3; warm++) await read(signal);
  const taken: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const begun = performance.now();
    await read(signal);
    taken.push(performance.now() - begun);
  }
  const [p50, p90, max] = [quantile(taken, 0.5), quantile(taken, 0.9), Math.max(...taken)].map((ms) =>
    ms.toFixed(1),
  );
  return { what: `${what} (p50 / p90 / max)`, measured: `${p50} / ${p90} / ${max} ms`, ...(bar && { bar }) };
}

function count(n: number): string {
  return n.toLocaleString('en');
}
