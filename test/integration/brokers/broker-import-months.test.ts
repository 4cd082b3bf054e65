import { beforeEach, describe, expect, test } from 'vitest';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { brokerFile, storedBrokerRows, type BrokerLine } from '#support/markets/broker-rows.ts';
import { idxFile, tarGzOf, weekdays } from '#support/markets/idx-archive.ts';
import { ownDatasets } from '#support/services/test-datasets.ts';

const own = ownDatasets();
const DAYS = weekdays('2024-01-29', 50);
const [JANUARY, FEBRUARY, MARCH] = ['2024-01-31', '2024-02-15', '2024-03-04'] as [string, string, string];
const bars = idxFile(
  DAYS.map((date) => ({ date, close: 100, non_regular_volume: 10, non_regular_value: 1_000 })),
);
const BARS = { 'bars/AAAA.csv': bars, 'bars/BBBB.csv': bars };
const bought = (broker: string, date: string, more: BrokerLine = {}) => ({
  broker,
  date,
  buy_shares: 100,
  buy_value: 10_000,
  ...more,
});

async function add(...lines: BrokerLine[]): Promise<Dataset> {
  return (await own.importBytes(Buffer.from(brokerFile(lines)), { source: 'rows.csv' })).dataset!;
}
const whole = (lines: BrokerLine[]) => own.importFiles({ ...BARS, 'rows.csv': brokerFile(lines) });
const months = ({ broker_segments }: Dataset) => broker_segments.map((segment) => segment.slice(0, 7));
/** The stored rows without their amounts. */
const keys = async (dataset: Dataset) =>
  (await storedBrokerRows(own, dataset)).map((row) => row.replace(/ (gross|net) .*/, ''));

describe('broker rows added to a version with real ones', () => {
  let base: Dataset;
  beforeEach(async () => {
    const rows = [
      bought('AK', JANUARY),
      bought('AK', FEBRUARY),
      bought('CC', FEBRUARY),
      bought('AK', FEBRUARY, { market: 'NG' }),
      bought('AK', FEBRUARY, { ticker: 'BBBB' }),
    ];
    base = (await whole(rows)).dataset!;
  });

  test('rewrite only the months they touch and share all others', async () => {
    const next = await add(bought('ZP', MARCH));
    expect(months(base)).toEqual(['2024-01', '2024-02']);
    expect(months(next)).toEqual(['2024-01', '2024-02', '2024-03']);
    expect(next.broker_segments.slice(0, 2)).toEqual(base.broker_segments);
    expect(next).toMatchObject({
      broker_data: 'real',
      broker_rows: 6,
      bars: base.bars,
      broker_first_date: JANUARY,
      broker_last_date: MARCH,
    });
  });

  test('replace only the stock-day of their market and leave the base version unchanged', async () => {
    const before = await storedBrokerRows(own, base);
    const next = await add(bought('YP', FEBRUARY), bought('YP', '2024-02-16'));
    expect(await keys(next)).toEqual([
      `AAAA ${JANUARY} REG AK`,
      `AAAA ${FEBRUARY} NEGO AK`,
      `AAAA ${FEBRUARY} REG YP`,
      'AAAA 2024-02-16 REG YP',
      `BBBB ${FEBRUARY} REG AK`,
    ]);
    expect(next.broker_segments[0]).toBe(base.broker_segments[0]);
    expect(next.broker_segments[1]).not.toBe(base.broker_segments[1]);
    expect(await storedBrokerRows(own, base)).toEqual(before);
  });

  test('do not replace gross rows with net rows', async () => {
    const net = { mode: 'net' };
    const next = await add(bought('YP', FEBRUARY, net), bought('YP', MARCH, net));
    expect(await keys(next)).toEqual([
      ...(await keys(base)).slice(0, 4),
      `AAAA ${MARCH} REG YP`,
      (await keys(base))[4],
    ]);
    expect(await own.refusedRows(10)).toMatchObject([
      { line: 2, reason: 'net row of a stock and day that has gross rows' },
    ]);
  });

  test('that are all rejected in a month leave that month shared', async () => {
    const next = await add(bought('YP', FEBRUARY, { market: '?' }), bought('YP', MARCH));
    expect(next.broker_segments.slice(0, 2)).toEqual(base.broker_segments);
  });
});

test('a full import starts without the broker rows of the previous version', async () => {
  await whole([bought('AK', JANUARY)]);
  const { dataset } = await whole([bought('AK', FEBRUARY)]);
  expect(await keys(dataset!)).toEqual([`AAAA ${FEBRUARY} REG AK`]);
});

test('broker rows of a synthetic market are synthetic, even when added later', async () => {
  const kind = 'synthetic';
  const rows = (date: string) => brokerFile([bought('AK', date)]);
  const first = await own.importBytes(await tarGzOf({ ...BARS, 'rows.csv': rows(JANUARY) }), { kind });
  expect(first.dataset).toMatchObject({ broker_data: 'synthetic', broker_rows: 1 });
  const next = await own.importBytes(Buffer.from(rows(MARCH)), { kind, source: 'rows.csv' });
  expect(next.dataset).toMatchObject({ broker_data: 'synthetic', broker_rows: 2 });
});

test('real broker rows replace all synthetic ones', async () => {
  const made = await own.importBytes(await tarGzOf(BARS), { header: { synthesize_brokers: true } });
  expect(made.dataset).toMatchObject({ broker_data: 'synthetic' });
  expect(made.dataset!.broker_rows).toBeGreaterThan(0);
  const next = await add(bought('AK', FEBRUARY));
  expect(next).toMatchObject({ broker_data: 'real', broker_rows: 1 });
  expect(await keys(next)).toEqual([`AAAA ${FEBRUARY} REG AK`]);
});

test('every month is one part, whatever the number and order of its rows', async () => {
  const codes = Array.from({ length: 600 }, (_, i) =>
    `${i.toString(36).padStart(2, '0')}`.toUpperCase().slice(-2),
  );
  const lines = DAYS.flatMap((date) => [...new Set(codes)].map((broker) => bought(broker, date)));
  lines.sort((a, b) => (a.broker < b.broker ? -1 : 1));
  const { dataset } = await whole(lines);
  expect(dataset).toMatchObject({ broker_rows: lines.length });
  const parts = await own.select<{ parts: number }>(
    `SELECT toUInt32(count()) AS parts FROM system.parts WHERE active AND database = 'market' AND table = 'broker_flow'
       AND has({segments:Array(String)}, partition) GROUP BY partition`,
    { segments: dataset!.broker_segments },
  );
  expect(parts).toEqual(dataset!.broker_segments.map(() => ({ parts: 1 })));
});
