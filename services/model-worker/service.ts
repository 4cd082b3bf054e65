import { availableParallelism } from 'node:os';
import { clickhouseAddress } from '#platform/clickhouse/address.ts';
import { clickhouseResponds, connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { systemClock as clock } from '#foundation/clock.ts';
import { GrpcServer } from '#platform/grpc/server.ts';
import { connectNats, natsResponds } from '#platform/nats/connection.ts';
import { defineService } from '#platform/process/service.ts';
import { settings } from './config.ts';
import { startModelWorker } from './create-model-worker.ts';

export const service = defineService('model-worker', settings, async ({ config, log, operations, defer }) => {
  const clickhouseAt = clickhouseAddress(config);
  const nats = await connectNats(config.NATS_URL, 'model-worker', log);
  defer('NATS', () => nats.connection.drain());
  const clickhouse = connectClickHouse(clickhouseAt);
  defer('ClickHouse', () => clickhouse.close());
  const worker = startModelWorker({
    nats,
    clickhouse,
    clickhouseAt,
    cacheDir: config.CACHE_DIR,
    runsAtOnce: config.RUNS_AT_ONCE,
    trainerThreads: Math.min(config.TRAINER_THREADS, availableParallelism()),
    reusesModels: config.REUSE_MODELS,
    patienceMs: config.RUN_DEPENDENCY_PATIENCE_MS,
    stopWithinMs: config.STOP_WITHIN_SECONDS * 1_000,
    clock,
    log,
  });
  defer('threads', () => worker.stop());
  defer('runs', () => worker.finish());
  operations.readiness.needs('NATS', natsResponds(nats.connection));
  operations.readiness.uses('ClickHouse', clickhouseResponds(clickhouse));
  operations.readiness.needs('dataset', () => {
    if (!worker.markets.used) throw new Error('none is in memory');
  });

  // Serves only health and reflection, so that a supervisor can check every service in the same way.
  const server = new GrpcServer({ service: 'model-worker', config, log });
  await server.listen();
  defer('gRPC server', () => server.stop());
});
