import { expect, test } from 'vitest';
import type { ImportFinding } from '#proto/saring/market_data/v1/datasets.ts';
import { brokerFile, tradeBetween, type BrokerLine } from '#support/markets/broker-rows.ts';
import { idxFile } from '#support/markets/idx-archive.ts';
import { ownDatasets } from '#support/services/test-datasets.ts';

const own = ownDatasets();
const DAYS = ['2024-03-04', '2024-03-05', '2024-03-06'];
const BARS = {
  'bars/AAAA.csv': idxFile(
    DAYS.map((date) => ({
      date,
      close: 100,
      volume: 100_000,
      non_regular_volume: 5_000,
      non_regular_value: 450_000,
    })),
  ),
};
const [first, second, third] = DAYS as [string, string, string];
const whole = (date: string, more: BrokerLine = {}) =>
  tradeBetween(['AK', 'CC'], 100_000, 100, { date, ...more });

async function findingsOf(lines: BrokerLine[]): Promise<ImportFinding[]> {
  const { findings, rejections } = await own.importFiles({ ...BARS, 'rows.csv': brokerFile(lines) });
  expect(rejections).toEqual([]);
  return findings;
}

test('rows that match the exchange’s figures have no findings', async () => {
  const nego = tradeBetween(['AK', 'AK'], 5_000, 90, { date: first, market: 'NG' });
  const both = { ...nego[0], ...nego[1] };
  expect(await findingsOf([...DAYS.flatMap((date) => whole(date)), both])).toEqual([]);
});

test('unequal buys and sells are counted by stock-day, and the first is named', async () => {
  const [buy, sell] = whole(first) as [BrokerLine, BrokerLine];
  const cheaper = { ...whole(second)[1], sell_value: 9_999_000 };
  const rounded = { ...whole(third)[1], sell_value: 10_000_002 };
  const lines = [
    buy,
    { ...sell, sell_shares: 99_900, sell_value: 10_000_000 },
    whole(second)[0]!,
    cheaper,
    whole(third)[0]!,
    rounded,
  ];
  expect(await findingsOf(lines)).toEqual([
    { finding: 'buys and sells are not equal', count: 2, first_at: 'AAAA 2024-03-04 REG' },
  ]);
});

test('a day over 1 % off the exchange’s volume is incomplete, per market', async () => {
  const traded = (shares: number, more: BrokerLine) => tradeBetween(['AK', 'CC'], shares, 100, more);
  const incomplete = 'incomplete: not within 1 % of the exchange’s volume';
  const lines = [
    ...traded(99_000, { date: first }),
    ...traded(98_900, { date: second }),
    ...traded(101_100, { date: third }),
    ...traded(4_950, { date: first, market: 'NG' }),
    ...traded(4_949, { date: second, market: 'NG' }),
  ];
  expect(await findingsOf(lines)).toEqual([
    { finding: incomplete, count: 3, first_at: 'AAAA 2024-03-05 NEGO' },
  ]);
});

test('a list of 25 rows per side that does not add up to the day is reported as cut', async () => {
  const code = (side: string, i: number) => `${side}${String.fromCharCode(65 + i)}`;
  const list = (date: string, pairs: number, shares: number) =>
    Array.from({ length: pairs }, (_, i) =>
      tradeBetween([code('A', i), code('C', i)], shares, 100, { date }),
    ).flat();
  const findings = await findingsOf([
    ...list(first, 25, 4_000),
    ...list(second, 25, 3_000),
    ...list(third, 24, 4_000),
  ]);
  const cut = findings.filter(({ finding }) => finding.startsWith('list'));
  expect(cut).toEqual([
    { finding: 'list that seems to be cut at 25 rows a side', count: 1, first_at: 'AAAA 2024-03-05 REG' },
  ]);
});

test('net buys above the volume of their market are reported', async () => {
  const net = (shares: number, more: BrokerLine) =>
    tradeBetween(['AK', 'CC'], shares, 100, { mode: 'net', ...more });
  const lines = [
    ...net(100_000, { date: first }),
    ...net(100_100, { date: second }),
    ...net(5_000, { date: second, market: 'NG' }),
    ...net(5_001, { date: third, market: 'NG' }),
    ...whole(third),
  ];
  expect(await findingsOf(lines)).toEqual([
    { finding: 'only net rows', count: 4, first_at: 'AAAA 2024-03-04 REG' },
    {
      finding: 'net buys above the volume of the exchange: lots or shares?',
      count: 2,
      first_at: 'AAAA 2024-03-05 REG',
    },
  ]);
});

test('net-only days, regular trades in odd lots, and unknown brokers are reported', async () => {
  const lines = [
    ...whole(first, { mode: 'net' }),
    ...tradeBetween(['AK', 'Q0'], 99_950, 100, { date: second }),
    ...tradeBetween(['Q1', 'CC'], 5_000 - 1, 100, { date: second, market: 'NG' }),
  ];
  expect(await findingsOf(lines)).toEqual([
    { finding: 'broker that the broker table does not have', count: 2, first_at: 'Q0, Q1' },
    { finding: 'only net rows', count: 1, first_at: 'AAAA 2024-03-04 REG' },
    { finding: 'regular trades that are no whole lots', count: 1, first_at: 'AAAA 2024-03-05 REG' },
  ]);
});

test('of many unknown brokers the first ten are named', async () => {
  const numbers = Array.from({ length: 12 }, (_, i) => 10 + i);
  const lines = numbers.flatMap((n) => tradeBetween([`Y${n}`, `Z${n}`], 100, 100, { date: first }));
  expect((await findingsOf(lines))[0]).toEqual({
    finding: 'broker that the broker table does not have',
    count: 24,
    first_at: 'Y10, Y11, Y12, Y13, Y14, Y15, Y16, Y17, Y18, Y19',
  });
});
