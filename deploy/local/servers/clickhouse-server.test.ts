import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startClickhouseServer, type ClickhouseOptions } from './clickhouse-server.ts';
import { freePort } from '../state/ports.ts';
import type { RunningServer } from './embedded-server.ts';

const LOGIN = { user: 'fleet', password: 'fleet-of-this-test' };

let options: ClickhouseOptions;
let server: RunningServer;
let fleet: ClickHouseClient;

beforeAll(async () => {
  options = {
    dir: mkdtempSync(path.join(tmpdir(), 'saring-clickhouse-')),
    port: await freePort(),
    users: [LOGIN],
    analyst: { user: 'analyst', password: 'analyst-of-this-test' },
  };
  server = await startClickhouseServer(options);
  fleet = createClient({ url: server.url, log: { level: ClickHouseLogLevel.OFF } });
  await fleet.command({ query: 'create database usage' });
  await fleet.command({ query: 'create table usage.t (id UInt32) engine = MergeTree order by id' });
});

afterAll(async () => {
  await fleet.close();
  await server.stop();
  rmSync(options.dir, { recursive: true, force: true });
});

async function value(client: ClickHouseClient, query: string): Promise<string> {
  const rows = await (await client.query({ query, format: 'JSONCompactEachRow' })).json<unknown[]>();
  return String(rows[0]![0]);
}

const insert = (from: number, count: number) => {
  const values = Array.from({ length: count }, (_, index) => ({ id: from + index }));
  return fleet.insert({ table: 'usage.t', values, format: 'JSONEachRow' });
};

describe('ClickHouse', () => {
  test('deduplicates a batch that is inserted again with the same token', async () => {
    const settings = 'settings non_replicated_deduplication_window = 100';
    await fleet.command({
      query: `create table usage.dedup (id UInt32) engine = MergeTree order by id ${settings}`,
    });
    for (let attempt = 0; attempt < 2; attempt++) {
      await fleet.insert({
        table: 'usage.dedup',
        values: [{ id: 1 }],
        format: 'JSONEachRow',
        clickhouse_settings: { insert_deduplication_token: 'batch-1' },
      });
    }
    expect(await value(fleet, 'select count() from usage.dedup')).toBe('1');
  });

  test('runs in UTC, whatever the time zone of the machine', async () => {
    expect(await value(fleet, 'select timezone()')).toBe('UTC');
  });

  test('refuses every query without a password', async () => {
    const query = encodeURIComponent('select * from usage.t');
    for (const user of ['', '&user=default', '&user=fleet', '&user=analyst']) {
      const response = await fetch(`http://127.0.0.1:${options.port}/?query=${query}${user}`);
      expect(response.status, user).toBeGreaterThanOrEqual(400);
    }
  });

  test('refuses the user without a password before any query, even with its own settings or session', async () => {
    const query = encodeURIComponent('select count() from numbers(1000000000000)');
    const attempts = ['', '&user=default', '&max_sessions_for_user=0', '&session_id=mine', '&quota_key=mine'];
    for (const attempt of attempts.flatMap((each) => [each, each])) {
      const ask = async () =>
        (await fetch(`http://127.0.0.1:${options.port}/?query=${query}${attempt}`)).text();
      let refusal = await ask();
      // The first attempt was refused, but its session has not been removed yet.
      while (refusal.includes('SESSION_IS_LOCKED')) refusal = await ask();
      expect(refusal, attempt).toContain('USER_SESSION_LIMIT_EXCEEDED');
    }
  });

  test('accepts inserts while many clients without a password query it', async () => {
    const query = encodeURIComponent('select count() from numbers(1000000000000) group by number');
    const crowd = Array.from({ length: 200 }, () =>
      fetch(`http://127.0.0.1:${options.port}/?query=${query}`).then((response) => response.text()),
    );
    await insert(1_000, 10);
    await Promise.all(crowd);
    expect(await value(fleet, 'select count() from usage.t where id >= 1000')).toBe('10');
  });

  test('survives malformed and aborted connections', async () => {
    const { user, password } = LOGIN;
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    const post = (body: string, length = body.length) =>
      `POST / HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Length: ${length}\r\n\r\n${body}`;
    const requests = [
      '',
      '\x00\x01garbage\r\n\r\n',
      'POST / HTT',
      post('select number, toString(number) from numbers(50000000)'),
      post('select sleep(0.3), throwIf(1)'),
      post('insert into usage.t format JSONEachRow {"id":', 5_000),
    ];
    for (const request of requests) {
      for (const hangUp of ['destroy', 'resetAndDestroy'] as const) await cutShort(request, hangUp);
    }
    await sleep(400);
    expect(await value(fleet, 'select 1')).toBe('1');
    expect((await fetch(`http://127.0.0.1:${options.port}/ping`)).status).toBe(200);
  });

  const inOrder = { signal: null };
  test.for([
    ['a stop', 'SIGTERM', inOrder],
    ['a stop during a query', 'SIGTERM', inOrder],
    ['kill -9', 'SIGKILL', { signal: 'SIGKILL' }],
  ] as const)('keeps every row acknowledged before %s, with no duplicates', async ([end, signal, ending]) => {
    await fleet.command({ query: 'truncate table usage.t' });
    for (let batch = 0; batch < 20; batch++) await insert(batch * 50, 50);
    if (end === 'a stop during a query') queryForEver();
    process.kill(server.pid, signal);
    expect(await server.exited).toMatchObject(ending);
    server = await startClickhouseServer(options);
    expect(await value(fleet, 'select count() from usage.t')).toBe('1000');
    expect(await value(fleet, 'select uniqExact(id) from usage.t')).toBe('1000');
  });
});

function queryForEver(): void {
  void fleet.query({ query: 'select sum(cityHash64(number)) from numbers(1e12)' }).catch(() => {});
}

/** Sends the request and disconnects 50 ms later. */
function cutShort(request: string, hangUp: 'destroy' | 'resetAndDestroy'): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(options.port, '127.0.0.1', () => {
      socket.write(request, 'latin1');
      setTimeout(() => socket[hangUp](), 50);
    });
    socket.on('error', () => {});
    socket.once('close', () => resolve());
  });
}
