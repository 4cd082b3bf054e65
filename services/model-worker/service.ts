import { availableParallelism } from 'node:os';
import { clickhouseAddress } from '#shared/clickhouse/address.ts';
import { clickhouseAnswers, connectClickHouse } from '#shared/clickhouse/clickhouse.ts';
import { systemClock as clock } from '#shared/clock.ts';
import { DatasetFeed } from '#shared/dataset-feed.ts';
import { GrpcServer } from '#shared/grpc/server.ts';
import { connectNats, natsAnswers } from '#shared/nats/connection.ts';
import { listenForRuns } from '#shared/nats/run-life-signs.ts';
import { defineService } from '#shared/process/service.ts';
import { newWorkerId } from '#shared/run-protocol.ts';
import { BackfillWorker } from './backfill-worker.ts';
import { CancelRequests } from './cancel-requests.ts';
import { settings } from './config.ts';
import { LessonStream } from './lessons/shared-lessons.ts';
import { RunClaims } from './run-claims.ts';
import { RunReports } from './run-reports.ts';
import { RunWorker } from './run-worker.ts';
import { ScreenTurns } from './screen-turns.ts';
import { Screener } from './screener.ts';

export const service = defineService('model-worker', settings, async ({ config, log, operations, defer }) => {
  const trainerThreads = Math.min(config.TRAINER_THREADS, availableParallelism());
  const clickhouseAt = clickhouseAddress(config);
  const patienceMs = config.RUN_DEPENDENCY_PATIENCE_MS;
  const reusesModels = config.REUSE_MODELS;
  const screener = new Screener({
    clickhouseAt,
    trainerThreads,
    patienceMs,
    reusesModels,
    preparesFrom: process.pid,
    log,
  });
  defer('screen thread', () => screener.stop());
  const nats = await connectNats(config.NATS_URL, 'model-worker', log);
  defer('NATS', () => nats.connection.drain());
  if (reusesModels) screener.shareLessons(new LessonStream(nats, log));
  const clickhouse = connectClickHouse(clickhouseAt);
  defer('ClickHouse', () => clickhouse.close());
  operations.readiness.needs('NATS', natsAnswers(nats.connection));
  operations.readiness.uses('ClickHouse', clickhouseAnswers(clickhouse));
  operations.readiness.needs('dataset', () => {
    if (screener.loadedVersion === undefined) throw new Error('none is in memory');
  });

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
  const turns = new ScreenTurns(() => screener.cancel());
  const worker = new RunWorker({
    nats,
    claims,
    reports,
    cancelRequests,
    screener,
    turns,
    feed,
    clock,
    log,
    patienceMs,
    stopWithinMs: config.STOP_WITHIN_SECONDS * 1_000,
  });
  worker.start();
  const backfills = new BackfillWorker({ nats, screener, turns, log });
  backfills.start();
  // At once: one after the other they could take longer than the process may.
  defer('workers', () => Promise.all([worker.stop(), backfills.stop()]));

  // Serves only health and reflection, so that a supervisor can check every service in the same way.
  const server = new GrpcServer({ service: 'model-worker', config, log });
  await server.listen();
  defer('gRPC server', () => server.stop());
});
