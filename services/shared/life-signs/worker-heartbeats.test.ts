import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NatsConnection } from '@nats-io/transport-node';
import { startHeartbeat, WorkerHeartbeats } from './worker-heartbeats.ts';
import { loopConnection } from '#platform/nats/connection-fixture.ts';

let connection: NatsConnection;
let heard: WorkerHeartbeats;
const stops: (() => void)[] = [];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  connection = loopConnection();
  heard = new WorkerHeartbeats();
  heard.listenOn(connection);
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.useRealTimers();
});

function worker(id: string, version?: string) {
  const state = { version };
  const heartbeat = startHeartbeat(connection, { workerId: id, runsAtOnce: 2 }, () => state.version);
  stops.push(heartbeat.stop);
  return {
    prepare: (next: string) => {
      state.version = next;
      heartbeat.beat();
    },
    die: heartbeat.stop,
  };
}

/** Whether a promise has resolved. */
function watched(promise: Promise<void>): { isOver: boolean } {
  const state = { isOver: false };
  void promise.then(() => (state.isOver = true));
  return state;
}

test('a version is prepared as soon as one living worker says so', () => {
  expect(heard.isAnyPrepared('v1')).toBe(false);
  const one = worker('one');
  expect(heard.isAnyPrepared('')).toBe(true);
  one.prepare('v1');
  expect([heard.isAnyPrepared('v1'), heard.isAnyPrepared('v2')]).toEqual([true, false]);
  one.die();
  vi.advanceTimersByTime(4_000);
  expect(heard.isAnyPrepared('v1')).toBe(false);
});

test('whoever waits for a version waits for all living workers that have another one prepared, and for no others', async () => {
  await heard.untilPrepared('v2', 60_000);
  worker('fresh');
  await heard.untilPrepared('v2', 60_000);
  const [one, other] = [worker('one', 'v1'), worker('other', 'v1')];
  const waiting = watched(heard.untilPrepared('v2', 60_000));
  one.prepare('v2');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(waiting.isOver).toBe(false);
  other.prepare('v2');
  await vi.advanceTimersByTimeAsync(0);
  expect(waiting.isOver).toBe(true);
});

test('a worker that dies, or takes too long, is not waited for', async () => {
  const one = worker('one', 'v1');
  const waiting = watched(heard.untilPrepared('v2', 60_000));
  one.die();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(waiting.isOver).toBe(true);
  worker('slow', 'v1');
  const patient = watched(heard.untilPrepared('v2', 5_000));
  await vi.advanceTimersByTimeAsync(4_900);
  expect(patient.isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(patient.isOver).toBe(true);
});

test('the runs that all living workers run at once are those of each together', async () => {
  expect(heard.runsAtOnce).toBe(0);
  const [first] = [worker('one'), worker('two')];
  expect(heard.runsAtOnce).toBe(4);
  first.die();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(heard.runsAtOnce).toBe(2);
});
