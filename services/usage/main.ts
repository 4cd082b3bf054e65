import { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import { connectClickHouse } from '#shared/clickhouse.ts';
import { GrpcServer } from '#shared/grpc/server.ts';
import { connectNats } from '#shared/nats/connection.ts';
import { runService } from '#shared/run-service.ts';
import { settings } from './config.ts';
import { CursorSigner } from './cursor.ts';
import { usageHandlers } from './server.ts';
import { UsageSink } from './sink/usage-sink.ts';
import { LedgerWriter } from './store/ledger-writer.ts';
import { Ledger } from './store/ledger.ts';
import { UsageHistory } from './usage-history.ts';

await runService('usage', settings, async ({ config, log, defer }) => {
  // Two clients, so that slow readers never hold up the sink. Neither needs ClickHouse to be there yet.
  const [written, read] = [
    connectClickHouse(config.CLICKHOUSE_URL),
    connectClickHouse(config.CLICKHOUSE_URL),
  ];
  defer('ClickHouse', () => Promise.all([written.close(), read.close()]));
  const nats = await connectNats(config.NATS_URL, 'usage', log);
  defer('NATS', () => nats.connection.drain());

  const writer = new LedgerWriter(written, config.USAGE_RETENTION_DAYS);
  const sink = new UsageSink({ nats, writer, log });
  sink.start();
  defer('sink', () => sink.stop());

  const history = new UsageHistory(new Ledger(read, log), new CursorSigner(config.CURSOR_SECRET));
  const server = new GrpcServer({ config, log });
  await server.add(UsageServiceService, usageHandlers(history)).listen();
  defer('gRPC server', () => server.stop());
});
