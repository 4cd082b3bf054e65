import { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import { watchBrokenParts } from '#shared/clickhouse/broken-parts.ts';
import { secretsIn } from '#shared/config/config.ts';
import { clickhouseAddress } from '#shared/clickhouse/address.ts';
import { clickhouseAnswers, connectClickHouse } from '#shared/clickhouse/clickhouse.ts';
import { GrpcServer } from '#shared/grpc/server.ts';
import { connectNats, natsAnswers } from '#shared/nats/connection.ts';
import { defineService } from '#shared/process/service.ts';
import { keepUnderCeiling, LedgerCeiling } from './store/ledger-ceiling.ts';
import { settings } from './config.ts';
import { CursorSigner } from './cursor.ts';
import { usageHandlers } from './server.ts';
import { UsageSink } from './usage-sink.ts';
import { LedgerClient } from './store/ledger-client.ts';
import { LedgerWriter } from './store/ledger-writer.ts';
import { Ledger } from './store/ledger.ts';
import { UnrecordedRuns } from './store/unrecorded-runs.ts';
import { UsageCounts } from './store/usage-counts.ts';
import { UsageHistory } from './usage-history.ts';

export const service = defineService('usage', settings, async ({ config, log, operations, defer }) => {
  // Two clients, so that slow reads never delay the sink. Neither needs ClickHouse to be up yet.
  const clickhouseAt = clickhouseAddress(config);
  const [written, read] = [connectClickHouse(clickhouseAt), connectClickHouse(clickhouseAt)];
  defer('ClickHouse', () => Promise.all([written.close(), read.close()]));
  const nats = await connectNats(config.NATS_URL, 'usage', log);
  defer('NATS', () => nats.connection.drain());
  operations.readiness.needs('ClickHouse', clickhouseAnswers(read));
  operations.readiness.uses('NATS', natsAnswers(nats.connection));

  const writer = new LedgerWriter(written, config.USAGE_RETENTION_DAYS);
  const sink = new UsageSink({ nats, writer, log });
  sink.start();
  defer('sink', () => sink.stop());
  defer('broken parts', watchBrokenParts(written, 'usage', log));

  if (config.USAGE_CEILING_ROWS > 0) {
    const ceiling = new LedgerCeiling(written, config.USAGE_CEILING_ROWS);
    defer('ceiling', keepUnderCeiling(ceiling, log));
  }

  const client = new LedgerClient(read, log);
  const history = new UsageHistory(new Ledger(client), new CursorSigner(secretsIn(config.CURSOR_SECRET)));
  const counts = new UsageCounts(client);
  const unrecorded = new UnrecordedRuns(client, {
    retentionDays: config.USAGE_RETENTION_DAYS,
    ceilingRows: config.USAGE_CEILING_ROWS,
  });
  const server = new GrpcServer({ service: 'usage', config, log });
  await server.add(UsageServiceService, usageHandlers(history, counts, unrecorded)).listen();
  defer('gRPC server', () => server.stop());
});
