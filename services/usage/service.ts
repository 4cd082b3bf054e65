import { EndUserDataServiceService } from '#proto/saring/end_users/v1/end_users.ts';
import { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import { secretsIn } from '#platform/configuration/config.ts';
import { clickhouseAddress } from '#platform/clickhouse/address.ts';
import { clickhouseResponds, connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { endUserHandlers } from '#shared/end-users/end-user-handlers.ts';
import { GrpcServer } from '#platform/grpc/server.ts';
import { connectNats, natsResponds } from '#platform/nats/connection.ts';
import { defineService } from '#platform/process/service.ts';
import { settings } from './config.ts';
import { createUsage } from './create-usage.ts';
import { usageHandlers } from './server.ts';

export const service = defineService('usage', settings, async ({ config, log, operations, defer }) => {
  // Neither client needs ClickHouse to be up yet.
  const clickhouseAt = clickhouseAddress(config);
  const [written, read] = [connectClickHouse(clickhouseAt), connectClickHouse(clickhouseAt)];
  defer('ClickHouse', () => Promise.all([written.close(), read.close()]));
  const nats = await connectNats(config.NATS_URL, 'usage', log);
  defer('NATS', () => nats.connection.drain());
  operations.readiness.needs('ClickHouse', clickhouseResponds(read));
  operations.readiness.uses('NATS', natsResponds(nats.connection));

  const usage = createUsage({
    written,
    read,
    nats,
    cursorSecrets: secretsIn(config.CURSOR_SECRET),
    retentionDays: config.USAGE_RETENTION_DAYS,
    ceilingRows: config.USAGE_CEILING_ROWS,
    log,
  });
  defer('background work', usage.startBackground());

  const server = new GrpcServer({ service: 'usage', config, log });
  server.add(UsageServiceService, usageHandlers(usage));
  // The ledger's client maps its failures.
  const endUsers = endUserHandlers(usage.endUsers, (work) => work());
  await server.add(EndUserDataServiceService, endUsers).listen();
  defer('gRPC server', () => server.stop());
});
