import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Panel } from '#quant/panel/panel.ts';
import { generateMarket } from '../generate-market.ts';
import { correlation, mean } from '../market-fixture.ts';
import { realPanel, samplePanel } from './bars-fixture.ts';
import { FOREIGN, LOCAL, RETAIL } from './brokers.ts';
import { generated, type BrokerDay, type TradedDay } from './generated-fixture.ts';
import * as statistics from './statistics-fixture.ts';
import { needing, THE_REAL_MARKET } from '#support/needing.ts';

/*
 * Compares generated rows with statistics of real broker rows, most of them of BUMI, 2017 to 2026, within bounds that held
 * for every seed tried: markets of seeds 1 to 5, and broker rows of seeds 1 to 5 on the market of seed 1.
 */

/** Path from the repository's root. Real bars are not part of the project; without them their tests are skipped. */
const ARCHIVE = '../shared/data/idx-daily.tar.gz';
const archive = path.join(fileURLToPath(new URL('../../..', import.meta.url)), ARCHIVE);
const REAL_STOCKS = ['BUMI', 'BBCA', 'TLKM', 'ANTM', 'ACES'];

const isOf = (which: number) => (broker: BrokerDay) => broker.class === which;
const isBroker = (code: string) => (broker: BrokerDay) => broker.code === code;

function expectWithin(value: number, least: number, most: number): void {
  expect(value).toBeGreaterThanOrEqual(least);
  expect(value).toBeLessThanOrEqual(most);
}

function expectQuantiles(
  values: readonly number[],
  bounds: Record<number, [least: number, most: number]>,
): void {
  for (const [rank, [least, most]] of Object.entries(bounds)) {
    expectWithin(statistics.quantile(values, Number(rank)), least, most);
  }
}

function describeStatistics(panelOf: () => Promise<Panel>): void {
  let regular: TradedDay[];
  let negotiated: TradedDay[];
  /** Stock-days of at least 10 billion IDR, like those of BUMI. */
  let large: TradedDay[];
  /** The same days by stock, for stocks with enough of them to compare one day with the next. */
  let stocks: TradedDay[][];

  beforeAll(async () => {
    const days = generated(await panelOf());
    regular = days.filter(({ market }) => market === 'REG');
    negotiated = days.filter(({ market }) => market === 'NEGO');
    large = regular.filter(({ value }) => value >= 1e10);
    stocks = [...Map.groupBy(large, ({ ticker }) => ticker).values()].filter(({ length }) => length >= 150);
  });

  /** The mean of a statistic over the stocks. */
  const ofStocks = (statistic: (days: TradedDay[]) => number) => mean(stocks.map(statistic));

  test.each([
    [1e7, 1e8, 15],
    [1e8, 3e8, 18],
    [3e8, 1e9, 24],
    [1e9, 3e9, 38],
    [3e9, 1e10, 48],
    [1e10, 3e10, 56],
    [3e10, 1e11, 65],
    [1e11, 3e11, 73],
    [3e11, 1e12, 77],
    [1e12, 1e15, 83],
  ])('active brokers at a value of %d to %d IDR: %d, within 12 %%', (from, to, expected) => {
    const counts = statistics.activeCounts(regular, from, to);
    if (counts.length >= 20) expectWithin(mean(counts) / expected, 0.88, 1.12);
  });

  test('mean gross-buy share of the ten largest: .18 .12 .09 .07 .06 .05 .05 .04 .04 .03, within .55 of each', () => {
    const real = [0.181, 0.116, 0.09, 0.074, 0.062, 0.053, 0.046, 0.041, 0.036, 0.031];
    const shares = statistics.buySharesByRank(large, 10);
    shares.forEach((share, rank) => expectWithin(share / real[rank]!, 0.65, 1.55));
  });

  test('share of the five largest buyers, p10 / p50 / p90: .40 / .51 / .73 (BBCA .51-.80), within .12', () => {
    expectQuantiles(statistics.top5BuyShares(large), {
      0.1: [0.38, 0.55],
      0.5: [0.48, 0.66],
      0.9: [0.63, 0.85],
    });
  });

  test('sum of net buys by turnover, p10 / p50 / p90: .24 / .41 / .67, within .15', () => {
    expectQuantiles(statistics.netBuying(large), { 0.1: [0.18, 0.36], 0.5: [0.34, 0.5], 0.9: [0.5, 0.72] });
  });

  test('(buy - sell) / (buy + sell) of rows, p5 to p95: -1 / -.43 / .03 / .60 / 1, within .2', () => {
    expectQuantiles(statistics.imbalances(large), {
      0.05: [-1, -0.95],
      0.25: [-0.63, -0.4],
      0.5: [-0.05, 0.1],
      0.75: [0.4, 0.65],
      0.95: [0.95, 1],
    });
  });

  test('one-sided rows: 21 %, within 5', () => {
    const oneSided = statistics.imbalances(large).filter((imbalance) => Math.abs(imbalance) === 1);
    expectWithin(oneSided.length / statistics.imbalances(large).length, 0.16, 0.26);
  });

  test('lag-1 autocorrelation of net buying: foreign .25, local .2, retail .05, within .1; MG -.14, within .2', () => {
    expectWithin(
      ofStocks((days) => statistics.persistence(days, ['AK', 'BK', 'ZP', 'YU', 'KZ', 'RX'])),
      0.15,
      0.35,
    );
    expectWithin(
      ofStocks((days) => statistics.persistence(days, ['CC', 'SQ', 'LG', 'AZ', 'DH', 'IF', 'KI'])),
      0.1,
      0.3,
    );
    expectWithin(
      ofStocks((days) => statistics.persistence(days, ['XL', 'XC', 'YP', 'PD', 'KK'])),
      -0.05,
      0.15,
    );
    expectWithin(
      statistics.quantile(
        stocks.map((days) => statistics.persistence(days, ['MG'])),
        0.5,
      ),
      -0.24,
      0.05,
    );
  });

  test('same-sign streaks, p50 / p90 / p99: 2 / 4 / 8 days, within 1 / 1 / 3', () => {
    const lengths = stocks.flatMap((days) => statistics.streaks(days));
    expectQuantiles(lengths, { 0.5: [1, 3], 0.9: [3, 5], 0.99: [6, 11] });
  });

  test('net by turnover, daily deviation: AK .087, CC .070, ZP .067, YP .053, XC .012, within a factor of 2.75', () => {
    const real = { AK: 0.087, CC: 0.07, ZP: 0.067, YP: 0.053, XC: 0.012 };
    for (const [code, deviation] of Object.entries(real)) {
      const made = ofStocks((days) => statistics.deviation(statistics.netParts(days, isBroker(code))));
      expectWithin(made / deviation, 0.4, 2.75);
    }
  });

  test('class nets add up to 0 on every day', () => {
    for (const which of [regular, negotiated]) {
      const nets = [LOCAL, RETAIL, FOREIGN].map((own) => statistics.netParts(which, isOf(own)));
      nets[0]!.forEach((net, i) => expect(net + nets[1]![i]! + nets[2]![i]!).toBeCloseTo(0, 9));
    }
  });

  test('net of foreign brokers and of foreign investors correlate by .76, within .16, in every stock', () => {
    for (const days of stocks) {
      const investors = days.map(({ foreignNet }) => foreignNet);
      expectWithin(correlation(statistics.netParts(days, isOf(FOREIGN)), investors), 0.6, 0.88);
    }
  });

  test('retail net goes against foreign net (-.4 in BUMI) and against the price of the day (XL and YP -.17)', () => {
    for (const days of stocks) {
      const retail = statistics.netParts(days, isOf(RETAIL));
      expectWithin(correlation(retail, statistics.netParts(days, isOf(FOREIGN))), -0.88, -0.25);
      expectWithin(
        correlation(
          retail,
          days.map(({ move }) => move),
        ),
        -0.55,
        -0.05,
      );
    }
  });

  test('negotiated days: one to four deals, most with a house on both sides', () => {
    const crossed = negotiated.filter(({ brokers }) =>
      brokers.some(({ buyShares, sellShares }) => buyShares > 0 && sellShares > 0),
    );
    expectWithin(crossed.length / negotiated.length, 0.6, 0.95);
    expectWithin(mean(negotiated.map(({ brokers }) => brokers.length)), 1.5, 3.5);
    for (const { brokers } of negotiated) {
      for (const side of ['buyShares', 'sellShares'] as const) {
        expectWithin(brokers.filter((broker) => broker[side] > 0).length, 1, 4);
      }
    }
  });
}

describe('synthetic broker rows of a synthetic market', () => {
  describeStatistics(async () => samplePanel(generateMarket({ seed: 1, tickers: 60, days: 320 })));
});

describe(
  `made-up broker rows of real bars of ${ARCHIVE}`,
  needing(THE_REAL_MARKET, existsSync(archive)),
  () => {
    const panel = existsSync(archive) ? realPanel(archive, REAL_STOCKS, '2022-01-01') : undefined;
    describeStatistics(() => panel!);

    describe('of BUMI over five seeds', () => {
      let days: TradedDay[];
      beforeAll(async () => {
        const bars = await panel!;
        days = [1, 2, 3, 4, 5]
          .flatMap((seed) => generated(bars, { seed, tickers: ['BUMI'] }))
          .filter(({ market }) => market === 'REG');
      });

      test('class shares of value, p10 / p50 / p90: retail .17 / .26 / .34, foreign .07 / .16 / .28, within .1', () => {
        expectQuantiles(statistics.parts(days, isOf(RETAIL)), {
          0.1: [0.07, 0.27],
          0.5: [0.16, 0.36],
          0.9: [0.24, 0.5],
        });
        expectQuantiles(statistics.parts(days, isOf(FOREIGN)), {
          0.1: [0, 0.17],
          0.5: [0.06, 0.26],
          0.9: [0.18, 0.38],
        });
      });

      test('retail and foreign net correlate by -.40, within .2', () => {
        const [retail, foreign] = [RETAIL, FOREIGN].map((own) => statistics.netParts(days, isOf(own)));
        expectWithin(correlation(retail!, foreign!), -0.6, -0.2);
      });

      test('average buying price against that of the day, p1 / p10 / p90 / p99: -2.8 / -1.0 / .8 / 2.5 %, within a third', () => {
        expectQuantiles(statistics.buyPriceGaps(days), {
          0.01: [-0.0373, -0.0187],
          0.1: [-0.0133, -0.0067],
          0.9: [0.0053, 0.0107],
          0.99: [0.0167, 0.0333],
        });
      });

      test('rows of 1 billion IDR net and more: 29 %, within 8', () => {
        const nets = days.flatMap(({ brokers }) =>
          brokers.map(({ buyValue, sellValue }) => Math.abs(buyValue - sellValue)),
        );
        expectWithin(nets.filter((net) => net >= 1e9).length / nets.length, 0.21, 0.37);
      });
    });
  },
);
