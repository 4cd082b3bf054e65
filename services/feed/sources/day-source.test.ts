import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { summaryJson } from '../formats/summary-fixture.ts';
import { ownFolder } from '../origins/folder-fixture.ts';
import { declaredIn, dueRequest, marketOf, publicationTo } from './market-fixture.ts';
import { webServer } from '../origins/web-server-fixture.ts';
import { failureOf } from '../deliveries/source-failure-fixture.ts';
import type { Delivered } from '../deliveries/delivery.ts';
import type { Source } from './source.ts';

const own = ownFolder();
const never = new AbortController().signal;
const MARKET = marketOf(['2024-06-27', '2024-06-28']);

/** A source of summaries as an operator declares it, at a local server. */
async function sourceAt(listener: RequestListener, declared: object = {}): Promise<Source> {
  const from = { url: `${await webServer(listener)}/summary?key=hush&date={yyyymmdd}` };
  return declaredIn(own.path, { name: 'exchange', format: 'idx_summary', from, ...declared });
}

/** Answers with the summary of the day that is asked for. */
const exchange: RequestListener = (request, response) => {
  const [, year, month, day] = /date=(\d{4})(\d{2})(\d{2})/.exec(request.url!)!;
  response.end(summaryJson(`${year}-${month}-${day}`));
};

async function delivered(source: Source, days: string[]): Promise<Delivered[]> {
  const deliveries: Delivered[] = [];
  for (const subject of days) deliveries.push({ subject, delivery: await source.fetch(subject, never) });
  return deliveries;
}

describe('a source of days', () => {
  test('fetches what is due and publishes it as one upload that adds to the market', async () => {
    const source = await sourceAt(exchange);
    const days = await source.due(dueRequest(MARKET, '2024-07-02T20:00:00+07:00'));
    expect(days).toEqual(['2024-07-01', '2024-07-02', '2024-06-27', '2024-06-28']);
    const { to, uploads } = publicationTo(MARKET);
    await source.publish(await delivered(source, days), to);
    expect(uploads).toHaveLength(1);
    expect(uploads[0]!.header).toEqual({
      ...{
        source: 'exchange: 2024-06-27 to 2024-07-02',
        kind: 'real',
        adds: true,
        restates_from: '2024-06-27',
        restates_to: '2024-06-28',
        synthesize_brokers: false,
      },
      ...{ broker_unit: 'shares', broker_mode: 'gross', may_shrink: false, newest_first: true },
      ...{ retrieved_at: new Date(0), rank: 0, source_name: 'exchange' },
    });
    expect(uploads[0]!.files.map(({ path }) => path)).toEqual([
      ...['2024-06-27', '2024-06-28', '2024-07-01', '2024-07-02'].map((day) => `bars/${day}.csv`),
      'listing/2024-07-02.csv',
    ]);
  });

  test('does not bring back the names of an old day when it looks for corrections', async () => {
    const source = await sourceAt(exchange);
    const { to, uploads } = publicationTo(MARKET);
    await source.publish(await delivered(source, ['2024-06-27']), to);
    expect(uploads[0]!.files.map(({ path }) => path)).toEqual(['bars/2024-06-27.csv']);
  });

  test('brings names with a span that replaces a synthetic market, however new that is', async () => {
    const source = await sourceAt(exchange);
    const { to, uploads } = publicationTo(marketOf(['2026-01-05'], { kind: 'synthetic' }));
    await source.publish(await delivered(source, ['2024-06-27', '2024-06-28']), to);
    expect(uploads[0]!.files.map(({ path }) => path)).toContain('listing/2024-06-28.csv');
  });

  test('recognises yesterday under today’s date, by the date within or by equal content', async () => {
    const stuck = await sourceAt((_, response) => response.end(summaryJson('2024-06-28')));
    await failureOf(stuck.fetch('2024-07-01', never), 'repeated_day');
    const source = await sourceAt(exchange);
    const [friday, monday] = await delivered(source, ['2024-06-28', '2024-07-01']);
    expect(monday!.delivery.digest).toBe(friday!.delivery.digest);
  });

  test.each([
    ['no market', marketOf([], { version: '', kind: '' }), 'No market is served'],
    ['a synthetic market', marketOf(['2024-06-28'], { kind: 'synthetic' }), 'The served market is synthetic'],
  ])('has nothing due on %s, and says what to do', async (_, market, message) => {
    const source = await sourceAt(exchange);
    const failure = await failureOf(source.due(dueRequest(market, '2024-07-02T20:00:00+07:00')), 'refused');
    expect(failure.message).toBe(
      `${message}, so this source has nothing to add to. Import real data first (saring dataset import), ` +
        'or catch up a span: saring feed run exchange --from YYYY-MM-DD.',
    );
    expect(failure.retryAfterMs).toBe(60_000);
  });

  test('passes the unit and mode of broker rows on', async () => {
    const csv =
      'ticker,date,market,broker,buy_volume,buy_value,sell_volume,sell_value\nQAAA,2024-06-28,RG,AK,1,100,0,0\n';
    const declared = { format: 'broker_rows', broker_unit: 'lots', broker_mode: 'net', recheck_days: 0 };
    const source = await sourceAt((_, response) => response.end(csv), declared);
    const days = await source.due(dueRequest(MARKET, '2024-07-02T20:00:00+07:00'));
    expect(days).toEqual(['2024-06-28']);
    const { to, uploads } = publicationTo(MARKET);
    await source.publish(await delivered(source, days), to);
    expect(uploads[0]).toMatchObject({
      header: { broker_unit: 'lots', broker_mode: 'net' },
      files: [{ path: 'brokers/2024-06-28.csv' }],
    });
  });
});
