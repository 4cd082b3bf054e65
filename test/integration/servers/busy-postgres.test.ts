import { pino } from 'pino';
import { expect, test } from 'vitest';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';
import { createFeed } from '#services/feed/create-feed.ts';
import type { Source } from '#services/feed/sources/source.ts';
import { migrations } from '#services/feed/store/migrations/index.ts';
import type { FeedTables } from '#services/feed/store/tables.ts';
import { openPostgres, startingWithPostgres } from '#platform/postgres/open-postgres.ts';
import { ownServers } from '#support/servers/servers.ts';
import { TcpProxy } from '#support/servers/tcp-proxy.ts';

const servers = ownServers();

test('a feed whose first statement finds PostgreSQL unavailable waits for it and starts', async () => {
  const proxy = await TcpProxy.start(servers.databaseUrl);
  // The first failure of the start mends the connection.
  const mending = { write: (line: string) => line.includes('waiting for PostgreSQL') && proxy.mend() };
  const log = pino({ level: 'info' }, mending);
  const database = await openPostgres<FeedTables>({ url: proxy.url, schema: 'feed', migrations, log });
  const { startBackground } = createFeed({
    database,
    datasets: {} as never,
    sources: [{ name: 'bars' } as Source],
    calendar: IDX_CALENDAR,
    keepVersions: 1,
    fetchRetentionDays: 1,
    clock: () => new Date(),
    log,
  });
  proxy.cut();
  const stop = await startBackground();
  expect(await database.selectFrom('source').select('name').execute()).toEqual([{ name: 'bars' }]);
  await stop();
  await database.destroy();
  proxy.stop();
});

test('a start that PostgreSQL refuses ends at once, with its reason as it is', async () => {
  let attempts = 0;
  const refused = () => {
    attempts++;
    return Promise.reject(new Error('schema feed lacks 002_fetch, and this role does not own it'));
  };
  await expect(startingWithPostgres(refused)).rejects.toThrow(/^schema feed lacks 002_fetch/);
  expect(attempts).toBe(1);
});
