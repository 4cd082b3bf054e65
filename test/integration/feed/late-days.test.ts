import { pino } from 'pino';
import { expect, test } from 'vitest';
import { EventTold } from '#proto/saring/events/v1/told.ts';
import type { Dataset, Freshness } from '#proto/saring/market_data/v1/datasets.ts';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';
import { LateDays } from '#services/feed/late-days.ts';
import { Outbox } from '#platform/postgres/outbox.ts';
import { feedDatabase } from '#support/feed/feed-database.ts';
import { exampleNamed } from '#support/message-examples.ts';
import { ownServers } from '#support/servers/servers.ts';

/** Nothing publishes here, so that the outbox keeps what was told. */

const servers = ownServers();
const log = pino({ level: 'silent' });
const stored = feedDatabase(servers);

let now: Date;
let freshness: Partial<Freshness>;
const DATASET = { ...exampleNamed<Dataset>('market_data.v1.Dataset'), kind: 'real' };

/** Two copies look at the same time. Returns the days that were told so far. */
async function told(): Promise<unknown[]> {
  const example = exampleNamed<Freshness>('market_data.v1.Freshness');
  const datasets = {
    getCurrentDataset: async () => ({
      dataset: DATASET,
      data_loaded: true,
      lost_version: '',
      freshness: { ...example, ...freshness },
    }),
  };
  const copies = [1, 2].map(() => {
    const outbox = new Outbox({ database: stored.database, log });
    return new LateDays({ outbox, datasets, calendar: IDX_CALENDAR, clock: () => now });
  });
  await Promise.all(copies.map((copy) => copy.tellDue()));
  const rows = await stored.database.selectFrom('outbox').select('message').orderBy('seq').execute();
  return rows.map(({ message }) => {
    const { type, api_key_id, data } = EventTold.decode(message);
    expect([type, api_key_id]).toEqual(['feed.late', undefined]);
    return data!['day'] as unknown;
  });
}

test('each day that is late is told once, and a day that is only due is not told', async () => {
  // A Wednesday. The day is late two hours after 18:35.
  now = new Date('2026-06-03T20:00:00+07:00');
  freshness = {
    data_as_of: '2026-06-02',
    expected_as_of: '2026-06-03',
    behind_trading_days: 1,
    is_late: false,
  };
  expect(await told()).toEqual([]);
  now = new Date('2026-06-03T20:36:00+07:00');
  freshness.is_late = true;
  expect(await told()).toEqual(['2026-06-03']);
  expect(await told()).toEqual(['2026-06-03']);
  now = new Date('2026-06-04T19:00:00+07:00');
  freshness = { ...freshness, expected_as_of: '2026-06-04', behind_trading_days: 2 };
  expect(await told()).toEqual(['2026-06-03']);
  now = new Date('2026-06-04T20:36:00+07:00');
  expect(await told()).toEqual(['2026-06-03', '2026-06-04']);
});

test('a generated market that gets no more days lacks nothing', async () => {
  const before = await told();
  now = new Date('2026-06-05T20:36:00+07:00');
  freshness = { ...freshness, expected_as_of: '2026-06-05', cause: 'stands_still' };
  expect(await told()).toEqual(before);
});
