import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LOT_SHARES } from '#quant/exchange/exchange.ts';
import { arbitraryBars, panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { samplePanel } from './bars-fixture.ts';
import { brokersOf } from './brokers.ts';
import { generateMarket } from '../generate-market.ts';
import { generated, type TradedDay } from './generated-fixture.ts';

const sumsOf = ({ brokers }: TradedDay) => {
  const sums = { buyShares: 0, buyValue: 0, sellShares: 0, sellValue: 0 };
  for (const broker of brokers) {
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += broker[name];
  }
  return sums;
};

function expectExactSums(days: readonly TradedDay[]): void {
  for (const day of days) {
    const { volume, value } = day;
    expect(sumsOf(day)).toEqual({ buyShares: volume, buyValue: value, sellShares: volume, sellValue: value });
  }
}

/** Any bars that files may contain: any volume and value, on either market. */
const anyBars: fc.Arbitrary<BarFixture[]> = arbitraryBars.chain((bars) =>
  fc.tuple(
    ...bars.map((bar) =>
      fc
        .record({
          volume: fc.oneof(
            fc.constant(0),
            fc.nat({ max: 1e9 }),
            fc.nat({ max: 1e6 }).map((lots) => lots * LOT_SHARES),
          ),
          price: fc.double({ min: 0, max: 1e5, noNaN: true }),
          width: fc.nat({ max: 500 }),
          nego_volume: fc.oneof(fc.constant(0), fc.nat({ max: 1e9 })),
          nego_frequency: fc.nat({ max: 30 }),
          frequency: fc.nat({ max: 10_000 }),
          foreign: fc.tuple(
            fc.double({ min: 0, max: 1, noNaN: true }),
            fc.double({ min: 0, max: 1, noNaN: true }),
          ),
        })
        .map(({ price, width, foreign, ...drawn }) => ({
          ...bar,
          ...drawn,
          high: bar.close + width,
          low: Math.max(1, bar.close - width),
          value: Math.round(drawn.volume * price),
          nego_value: Math.round(drawn.nego_volume * price),
          foreign_buy: Math.floor(drawn.volume * foreign[0]),
          foreign_sell: Math.floor(drawn.volume * foreign[1]),
        })),
    ),
  ),
);

describe('synthetic broker rows of a synthetic market', () => {
  const panel = samplePanel(generateMarket({ seed: 1, tickers: 40, days: 120 }));
  const days = generated(panel);

  test('cover every stock-day that traded on either market, and no other', () => {
    const { volume, nego_volume } = panel.columns;
    const traded = (values: Float64Array) => values.filter((value) => value > 0).length;
    expect(days.filter(({ market }) => market === 'REG')).toHaveLength(traded(volume));
    expect(days.filter(({ market }) => market === 'NEGO')).toHaveLength(traded(nego_volume));
    expect(new Set(days.map(({ ticker, date, market }) => `${ticker} ${date} ${market}`)).size).toBe(
      days.length,
    );
  });

  test('add up exactly to the volume and value of each stock-day, on both sides', () => {
    expectExactSums(days);
  });

  test('are whole lots on the regular market, and whole rupiahs and shares on both', () => {
    const broken = days.flatMap(({ market, brokers }) => {
      const unit = market === 'REG' ? LOT_SHARES : 1;
      return brokers.filter(
        ({ buyShares, buyValue, sellShares, sellValue }) =>
          buyShares % unit !== 0 ||
          sellShares % unit !== 0 ||
          !Number.isInteger(buyValue) ||
          !Number.isInteger(sellValue) ||
          buyShares + sellShares <= 0,
      );
    });
    expect(broken).toEqual([]);
  });

  test('have average prices within the day on the regular market', () => {
    const outside = days
      .filter(({ market }) => market === 'REG')
      .flatMap(({ brokers, low, high }) =>
        brokers.filter(
          ({ buyShares, buyValue, sellShares, sellValue }) =>
            buyValue < low * buyShares ||
            buyValue > high * buyShares ||
            sellValue < low * sellShares ||
            sellValue > high * sellShares,
        ),
      );
    expect(outside).toEqual([]);
  });

  test('are sorted by ticker, day, market (NEGO first) and broker, as stored', () => {
    const keys = days.flatMap(({ ticker, date, market, brokers }) =>
      brokers.map(({ code }) => `${ticker} ${date} ${market} ${code}`),
    );
    const byTicker = Map.groupBy(keys, (key) => key.slice(0, 4) + key.slice(5, 12));
    for (const rows of byTicker.values()) expect(rows).toEqual(rows.toSorted());
  });

  test('have at most two brokers per traded lot in the regular market', () => {
    const crowded = days.filter(
      ({ market, brokers, volume }) => market === 'REG' && brokers.length > (2 * volume) / LOT_SHARES,
    );
    expect(crowded).toEqual([]);
  });

  test('differ by seed', () => {
    const wanted = { tickers: [panel.columns.tickers[0]!] };
    expect(generated(panel, { ...wanted, seed: 2 })).not.toEqual(generated(panel, { ...wanted, seed: 1 }));
  });
});

test('a broker has no rows after it left the exchange', () => {
  const bars = ['2023-06-28', '2023-07-03'].map((date) => ({
    ticker: 'AAAA',
    date,
    close: 5_000,
    volume: 1e9,
    value: 5e12,
    frequency: 100_000,
    foreign_buy: 6e8,
    foreign_sell: 6e8,
  }));
  const [before, after] = generated(panelOf(bars)).map(({ brokers }) => brokers.map(({ code }) => code));
  expect(before).toContain('CS');
  expect(after).not.toContain('CS');
  for (const gone of ['ML', 'DB', 'MS', 'CG']) expect([...before!, ...after!]).not.toContain(gone);
});

describe('for any bars', () => {
  test('rows add up exactly', () => {
    fc.assert(
      fc.property(anyBars, fc.nat({ max: 99 }), (bars, seed) =>
        expectExactSums(generated(panelOf(bars), { seed })),
      ),
    );
  });

  test('rows add up exactly with any broker table', () => {
    const entry = fc.record({
      code: fc.stringMatching(/^[A-Z]{2}$/),
      class: fc.constantFrom('retail', 'foreign', 'local'),
    });
    const table = fc
      .uniqueArray(entry, { selector: ({ code }) => code, minLength: 1, maxLength: 20 })
      .map((entries) =>
        entries.map((one) => ({
          code: one.code,
          is_retail: one.class === 'retail',
          is_foreign: one.class === 'foreign',
        })),
      );
    fc.assert(
      fc.property(anyBars, table, (bars, brokers) =>
        expectExactSums(generated(panelOf(bars), { table: brokers })),
      ),
    );
  });

  test('a month generated alone matches the whole, and later days do not change earlier ones', () => {
    fc.assert(
      fc.property(anyBars, fc.nat({ max: 40 }), (bars, day) => {
        const panel = panelOf(bars);
        const whole = generated(panel);
        const months = [...new Set(whole.map(({ date }) => date.slice(0, 7)))];
        expect(months.flatMap((month) => generated(panel, { months: [month] }))).toEqual(whole);
        const lastDate = panel.columns.dates[Math.min(day, panel.dayCount - 1)]!;
        const earlier = bars.filter(({ date }) => date <= lastDate);
        if (earlier.length === 0) return;
        expect(generated(panelOf(earlier))).toEqual(whole.filter(({ date }) => date <= lastDate));
      }),
    );
  });

  test('a stock generated alone has the same rows as among others', () => {
    fc.assert(
      fc.property(anyBars, (bars) => {
        const panel = panelOf(bars);
        const ticker = bars.at(-1)!.ticker;
        const alone = panelOf(bars.filter((bar) => bar.ticker === ticker));
        expect(generated(alone)).toEqual(generated(panel, { tickers: [ticker] }));
      }),
    );
  });

  test('bars before the burn-in of a month have no effect', () => {
    const bars = Array.from({ length: 90 }, (_, i) => ({
      ticker: 'AAAA',
      close: 500,
      volume: 1e6,
      value: 5e8,
      frequency: 500,
      date: new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10),
    }));
    const months = ['2024-03'];
    const needed = bars.filter(({ date }) => date >= '2024-02-16');
    expect(generated(panelOf(needed), { months })).toEqual(generated(panelOf(bars), { months }));
  });
});

test('a broker table without brokers or with more than 256 is refused', () => {
  const table = Array.from({ length: 257 }, (_, i) => ({
    code: `B${i}`,
    is_retail: false,
    is_foreign: false,
  }));
  expect(() => brokersOf([])).toThrow(RangeError);
  expect(() => brokersOf(table)).toThrow(RangeError);
});
