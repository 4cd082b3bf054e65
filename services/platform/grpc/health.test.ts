import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  HealthCheckResponse_ServingStatus as ServingStatus,
  HealthService,
} from '#proto/grpc/health/v1/health.ts';
import { clientOf, quietServer } from '#support/processes/service-process.ts';
import { isServing, type HealthClient } from './client.ts';

const { SERVING, NOT_SERVING, SERVICE_UNKNOWN } = ServingStatus;
const CALL = { requestId: 'req_test' };

const server = quietServer();
let client: HealthClient;
beforeAll(async () => {
  client = clientOf(HealthService, `127.0.0.1:${await server.bind()}`);
});
afterAll(async () => {
  client.close();
  await server.stop();
});

test('a process serves from when it says so', async () => {
  expect(await isServing(client, CALL)).toBe(false);
  server.reportHealthy();
  expect(await isServing(client, CALL)).toBe(true);
});

test('each part has its own status, and one that nobody has reported is not found', async () => {
  server.reportPart('queue', true);
  server.reportPart('workers', false);
  expect(await Promise.all(['queue', 'workers'].map((part) => isServing(client, CALL, part)))).toEqual([
    true,
    false,
  ]);
  await expect(isServing(client, CALL, 'nothing')).rejects.toThrow();
  const { statuses } = await client.list({}, CALL);
  expect(statuses).toMatchObject({ queue: { status: SERVING }, workers: { status: NOT_SERVING } });
});

test('whoever watches a part is told its status at once and each time it is reported', async () => {
  const told: number[] = [];
  const nextToTell = [() => server.reportPart('later', true), () => server.reportPart('later', false)];
  for await (const { status } of client.watch({ service: 'later' }, CALL)) {
    told.push(status);
    const report = nextToTell.shift();
    if (!report) break;
    report();
  }
  expect(told).toEqual([SERVICE_UNKNOWN, SERVING, NOT_SERVING]);
});
