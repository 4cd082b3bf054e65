import { watchBrokenParts } from '#platform/clickhouse/broken-parts.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { CursorSigner } from '#platform/paging/cursor.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { endUserEvents } from './store/end-user-events.ts';
import { keepUnderCeiling, LedgerCeiling } from './store/ledger-ceiling.ts';
import { LedgerClient } from './store/ledger-client.ts';
import { LEDGER_TABLES, LedgerWriter, type LedgerTable } from './store/ledger-writer.ts';
import { Ledger } from './store/ledger.ts';
import { RequestCounts } from './store/request-counts.ts';
import { ScreenRunLedger } from './store/screen-run-ledger.ts';
import { UnrecordedRuns } from './store/unrecorded-runs.ts';
import { UsageCounts } from './store/usage-counts.ts';
import { readScreenRunMessage, readUsageMessage } from './store/ledger-row.ts';
import { UsageSink } from './usage-sink.ts';

interface UsageDependencies {
  /** Two clients, so that slow reads never delay the sink. */
  written: ClickHouseClient;
  read: ClickHouseClient;
  nats: Nats;
  /** As in `CursorSigner`. */
  cursorSecrets: readonly [string, ...string[]];
  /** 0 keeps usage for ever. */
  retentionDays: number;
  /** 0 keeps every run. */
  ceilingRows: number;
  log: Logger;
}

type ReaderDependencies = Pick<UsageDependencies, 'read' | 'retentionDays' | 'ceilingRows' | 'log'>;

/** What reads the ledger, which needs neither NATS nor the sink. */
export function createLedgerReaders({ read, log, ...limits }: ReaderDependencies) {
  const client = new LedgerClient(read, log);
  return {
    ledger: new Ledger(client),
    counts: new UsageCounts(client),
    screenRuns: new ScreenRunLedger(client),
    unrecorded: new UnrecordedRuns(client, limits),
  };
}

/** The usage service without its gRPC side. */
export function createUsage({ written, read, nats, log, ...limits }: UsageDependencies) {
  const { retentionDays, ceilingRows, cursorSecrets } = limits;
  const readers = createLedgerReaders({ read, retentionDays, ceilingRows, log });
  return {
    ...readers,
    cursors: new CursorSigner(cursorSecrets),
    endUsers: endUserEvents(readers, retentionDays),
    requestCounts: new RequestCounts(
      new LedgerClient(read, log),
      new LedgerWriter(written, retentionDays, 'request'),
    ),
    /** Starts the sink and the background work. Returns a function that stops them and waits for work in progress. */
    startBackground: () => {
      const sinkOf = <Row extends { event_id: string; request_id: string }>(
        stream: 'USAGE' | 'SCREEN_RUNS',
        table: LedgerTable,
        read: (bytes: Uint8Array) => Row,
      ) =>
        new UsageSink({ nats, stream, read, writer: new LedgerWriter(written, retentionDays, table), log });
      const sinks = [
        sinkOf('USAGE', 'event', readUsageMessage),
        sinkOf('SCREEN_RUNS', 'screen_run', readScreenRunMessage),
      ];
      for (const sink of sinks) sink.start();
      const stops = [watchBrokenParts(written, 'usage', log)];
      for (const table of ceilingRows > 0 ? LEDGER_TABLES : [])
        stops.push(keepUnderCeiling(new LedgerCeiling(written, ceilingRows, { table }), log));
      return () => Promise.all([...sinks.map((sink) => sink.stop()), ...stops.map((stop) => stop())]);
    },
  };
}
