import { availableParallelism } from 'node:os';
import { connectClickHouse } from '#shared/clickhouse.ts';
import { systemClock as clock } from '#shared/clock.ts';
import { DatasetFeed } from '#shared/dataset-feed.ts';
import { GrpcServer } from '#shared/grpc/server.ts';
import { connectNats } from '#shared/nats/connection.ts';
import { listenForRuns } from '#shared/nats/listen-for-runs.ts';
import { runService } from '#shared/process/run-service.ts';
import { newWorkerId } from '#shared/run-protocol.ts';
import { CancelRequests } from './cancel-requests.ts';
import { settings } from './config.ts';
import { RunClaims } from './run-claims.ts';
import { RunReports } from './run-reports.ts';
import { RunWorker } from './run-worker.ts';
import { Screener } from './screener.ts';

await runService('model-worker', settings, async ({ config, log, defer }) => {
  const trainerThreads = Math.min(config.TRAINER_THREADS, availableParallelism());
  const { CLICKHOUSE_URL: clickhouseUrl, RUN_DEPENDENCY_PATIENCE_MS: patienceMs } = config;
  const reusesModels = config.REUSE_MODELS;
  const screener = new Screener({ clickhouseUrl, trainerThreads, patienceMs, reusesModels, log });
  defer('screen thread', () => screener.stop());
  const nats = await connectNats(config.NATS_URL, 'model-worker', log);
  defer('NATS', () => nats.connection.drain());
  const clickhouse = connectClickHouse(clickhouseUrl);
  defer('ClickHouse', () => clickhouse.close());

  const feed = new DatasetFeed({
    clickhouse,
    nats: nats.connection,
    log,
    onServed: ({ version, kind, broker_data, bars, broker_segments }) =>
      screener.load({ version, kind, broker_data, bars, broker_segments }),
  });
  void feed.start();
  defer('dataset feed', () => feed.stop());

  const workerId = newWorkerId();
  const listener = listenForRuns(nats.connection, workerId);
  defer('listener', () => listener.stop());
  const claims = new RunClaims({ nats, listener, workerId, log });
  const reports = new RunReports({ nats, workerId, clock, log });
  const cancelRequests = new CancelRequests(nats.connection);
  defer('cancel requests', () => cancelRequests.stop());
  const worker = new RunWorker({
    ...{ nats, claims, reports, cancelRequests, screener, feed, workerId, clock, log, patienceMs },
  });
  worker.start();
  defer('worker', () => worker.stop());

  // Nothing but health and reflection: a supervisor asks every service the same way.
  const server = new GrpcServer({ config, log });
  await server.listen();
  defer('gRPC server', () => server.stop());
});
