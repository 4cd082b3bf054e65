import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brokerFlowOf } from '#quant/broker-rows/flow-fixture.ts';
import { arbitraryBars, panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { brokerTimelineOf } from '../broker-responses/broker-timeline.ts';
import { brokerWindowOf } from '../broker-responses/broker-window.ts';
import { brokersOf } from '../broker-responses/brokers.ts';
import { loadedOf, rowsInMemory } from '../in-memory/loaded-fixture.ts';
import { negoScanOf } from './nego-scan.ts';
import { negoOf } from '../broker-responses/nego.ts';
import { snapshotOf } from '../stock-responses/snapshot.ts';

const TODAY = '2024-12-31';
const BROKER = 'AK';

/** A market in which one broker buys everything at the close, in the regular and the negotiated market. */
function marketOf(bars: BarFixture[]) {
  const traded = bars.map((bar) => ({
    ...bar,
    volume: 1_000,
    nego_volume: 100,
    nego_value: bar.close * 110,
  }));
  const panel = panelOf(traded);
  const rows = traded.map(({ ticker, date, close }) => ({
    ticker,
    date,
    broker: BROKER,
    buy_shares: 1_000,
    buy_value: close * 1_000,
  }));
  return loadedOf(panel, {}, brokerFlowOf(panel, rows));
}

/** The close of each day of a stock, as reported by every endpoint that has one. */
async function closesOf(market: ReturnType<typeof marketOf>, ticker: string) {
  const { ohlcv } = snapshotOf(market, { ticker, days: 250 }, TODAY);
  const { items } = negoOf(market, { ticker, days: 250 });
  const wanted = { ticker, market: 'REG', top_n: 50, sort_by: 'value' } as const;
  const { timeline } = brokerTimelineOf(market, { ...wanted, broker: BROKER, days: 250 }, TODAY);
  const scan = { min_val: 0, top_n: 100 };
  const days = await Promise.all(
    ohlcv.map(async ({ date }) => ({
      brokers: await brokersOf(market, { ...wanted, date }, TODAY, rowsInMemory),
      nego: (await negoScanOf(market, { ...scan, date }, TODAY, rowsInMemory)).items.find(
        (item) => item.ticker === ticker,
      )!,
    })),
  );
  return { ohlcv, items, timeline, days };
}

describe('adjusted prices across splits and rights issues', () => {
  test('every endpoint reports the same close for a day, and average prices are on the same basis', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryBars, async (bars) => {
        const market = marketOf(bars);
        const [ticker] = market.panel.columns.tickers as [string];
        const { ohlcv, items, timeline, days } = await closesOf(market, ticker);
        const closes = ohlcv.map(({ close }) => close);
        expect(items.map(({ close }) => close)).toEqual(closes);
        expect(timeline.map(({ close }) => close)).toEqual(closes);
        expect(days.map(({ brokers }) => brokers.close)).toEqual(closes);
        expect(days.map(({ nego }) => nego.close)).toEqual(closes);
        const close = (i: number) => expect.closeTo(closes[i]!, 3) as number;
        expect(timeline.map(({ avg_buy_price }) => avg_buy_price)).toEqual(closes.map((_, i) => close(i)));
        for (const [i, { brokers, nego }] of days.entries()) {
          expect(brokers.top_buyers[0]!.avg_buy_price).toEqual(close(i));
          expect(nego.nego_premium).toBeCloseTo(0.1, 5);
          expect(nego.nego_avg_price! / closes[i]!).toBeCloseTo(1.1, 3);
          expect(items[i]!.nego_avg_price).toBe(nego.nego_avg_price);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('timeline days add up to the timeline summary and the window: shares and average cost', () => {
    fc.assert(
      fc.property(arbitraryBars, (bars) => {
        const market = marketOf(bars);
        const [ticker] = market.panel.columns.tickers as [string];
        const wanted = { ticker, market: 'REG', top_n: 50, sort_by: 'value' } as const;
        const { timeline, summary } = brokerTimelineOf(
          market,
          { ...wanted, broker: BROKER, days: 250 },
          TODAY,
        );
        const { top_buyers } = brokerWindowOf(market, { ...wanted, days: 120 }, TODAY);
        const shares = timeline.reduce((sum, { buy_shares }) => sum + buy_shares, 0);
        expect(Math.abs(summary!.net_shares - shares)).toBeLessThanOrEqual(timeline.length);
        const prices = timeline.map(({ avg_buy_price }) => avg_buy_price!);
        expect(summary!.avg_cost).toBeGreaterThanOrEqual(Math.min(...prices) - 1e-3);
        expect(summary!.avg_cost).toBeLessThanOrEqual(Math.max(...prices) + 1e-3);
        expect(top_buyers[0]).toMatchObject({
          avg_buy_price: summary!.avg_cost,
          buy_shares: summary!.net_shares,
        });
      }),
      { numRuns: 50 },
    );
  });
});

test('every answer is marked as adjusted, to the last day of the dataset', async () => {
  const market = marketOf([
    { ticker: 'AAAA', date: '2024-01-02', close: 100 },
    { ticker: 'BBBB', date: '2024-01-03', close: 100 },
  ]);
  const wanted = { ticker: 'AAAA', market: 'REG', top_n: 5, sort_by: 'value', days: 5 } as const;
  const responses = [
    snapshotOf(market, wanted, TODAY),
    negoOf(market, wanted),
    brokerTimelineOf(market, { ...wanted, broker: BROKER }, TODAY),
    brokerWindowOf(market, wanted, TODAY),
    await brokersOf(market, { ...wanted, date: '2024-01-02' }, TODAY, rowsInMemory),
  ];
  const wantedOf = responses.map(() => [true, '2024-01-03']);
  expect(responses.map(({ adjusted, adjusted_to }) => [adjusted, adjusted_to])).toEqual(wantedOf);
});
