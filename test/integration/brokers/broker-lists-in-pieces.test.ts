import { beforeEach, expect, test } from 'vitest';
import { brokerFile, storedBrokerRows, type BrokerLine } from '#support/markets/broker-rows.ts';
import { idxFile, tarGzOf } from '#support/markets/idx-archive.ts';
import { ownDatasets } from '#support/services/test-datasets.ts';

const own = ownDatasets();
const BARS = { 'bars/AAAA.csv': idxFile([{ date: '2024-03-04', close: 4_080, volume: 1_500_000 }]) };
/** 15,000 lots at 4,080. */
const AMOUNTS = { shares: 1_500_000, value: 6_120_000_000 };
const bought = (broker: string, { shares, value } = AMOUNTS): BrokerLine => {
  return { broker, buy_shares: shares, buy_value: value };
};
const sold = (broker: string, { shares, value } = AMOUNTS): BrokerLine => {
  return { broker, sell_shares: shares, sell_value: value };
};
const AK = 'AAAA 2024-03-04 REG AK gross';
const YP = 'AAAA 2024-03-04 REG YP gross';

beforeEach(() => own.importFiles(BARS));

/** Adds files of broker rows to the served version. Returns its rows and what was noticed. */
async function add(files: Record<string, BrokerLine[]>, newest_first?: boolean) {
  const texts = Object.entries(files).map(([name, lines]) => [name, brokerFile(lines)] as const);
  const { dataset, rejections, findings } = await own.importBytes(await tarGzOf(Object.fromEntries(texts)), {
    header: { adds: true, newest_first },
  });
  return {
    rows: await storedBrokerRows(own, dataset!),
    refused: rejections.map(({ reason }) => reason),
    findings: findings.map(({ finding }) => finding),
  };
}

test('a list of buyers and one of sellers make a whole stock-day, in one upload or one after the other', async () => {
  const whole = [`${AK} +1500000@6120000000 -1500000@6120000000`];
  const together = await add({ 'buyers.csv': [bought('AK')], 'sellers.csv': [sold('AK')] });
  expect(together).toEqual({ rows: whole, refused: [], findings: [] });

  await own.importFiles(BARS);
  await add({ 'buyers.csv': [bought('AK')] });
  const then = await add({ 'sellers.csv': [sold('AK')] });
  expect(then).toEqual({ rows: whole, refused: [], findings: [] });
});

test('a corrected list replaces its side of the stock-day, and the other side stays', async () => {
  await add({ 'whole.csv': [bought('AK'), sold('YP')] });
  const half = { shares: 750_000, value: 3_060_000_000 };
  const { rows } = await add({ 'sellers.csv': [sold('AK', half), sold('YP', half)] });
  expect(rows).toEqual([`${AK} +1500000@6120000000 -750000@3060000000`, `${YP} +0@0 -750000@3060000000`]);
});

test('the two sides of net lists complete each other too, and are netted', async () => {
  const net = (lines: BrokerLine[]) => lines.map((line) => ({ ...line, mode: 'net' }));
  await add({ 'buyers.csv': net([bought('AK')]) });
  const { rows } = await add({ 'sellers.csv': net([sold('YP')]) });
  expect(rows).toEqual([
    'AAAA 2024-03-04 REG AK net +1500000@6120000000 -0@0',
    'AAAA 2024-03-04 REG YP net +0@0 -1500000@6120000000',
  ]);
});

test('rows of several files add up, with a finding, unless they are the same rows', async () => {
  const [foreign, domestic] = [
    { shares: 500_000, value: 2_040_000_000 },
    { shares: 1_000_000, value: 4_080_000_000 },
  ];
  const files = {
    'domestic.csv': [bought('AK', domestic), sold('YP')],
    'foreign.csv': [bought('AK', foreign)],
    'foreign-copy.csv': [bought('AK', foreign)],
  };
  expect(await add(files)).toEqual({
    rows: [`${AK} +1500000@6120000000 -0@0`, `${YP} +0@0 -1500000@6120000000`],
    refused: ['same row in another file'],
    findings: ['sides of a broker that add up from several files'],
  });
});

test('later and earlier states of the same lists do not add up: of each side, the first file counts', async () => {
  const old = { shares: 1_000_000, value: 4_080_000_000 };
  const files = { '1/day.csv': [bought('AK'), sold('YP')], '2/day.csv': [bought('AK', old), sold('YP')] };
  const { rows, refused } = await add(files, true);
  expect(rows).toEqual([`${AK} +1500000@6120000000 -0@0`, `${YP} +0@0 -1500000@6120000000`]);
  expect(refused).toEqual(['second row of the same broker, stock, day and market']);
});
