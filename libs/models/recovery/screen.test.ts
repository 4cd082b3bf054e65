import { describe, expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { shareBelowFloor } from '#quant/recovery/forward-path.ts';
import { RunFailure } from '../inputs/run-failure.ts';
import { AS_OF, bars, day, known, panel, params } from './held-fixture.ts';
import type { PositionInput } from './params.ts';
import { compactOf, runRecovery } from './recovery-fixture.ts';

const { dates, close } = panel.columns;

describe('positions', () => {
  test('are returned in the order and number sent, with tickers in any letter case', async () => {
    const [a, b] = known as [string, string];
    const sent: PositionInput[] = [
      { ticker: b.toLowerCase(), avg_price_input: 1_000 },
      { ticker: a, pnl_input: 5 },
      { ticker: b, avg_price_input: 2_000 },
    ];
    const { result, summary } = await runRecovery(panel, { ...params, positions: sent }, { view: 'compact' });
    expect(summary).toEqual({ pick_count: 3, tickers: [b, a, b], target_date: AS_OF });
    const prices = (result as unknown as { positions: { avg_price: number }[] }).positions;
    expect([prices[0]!.avg_price, prices[2]!.avg_price]).toEqual([1_000, 2_000]);
  });

  test('of unknown, not yet listed, long idle and seldom traded stocks are skipped with a reason', async () => {
    const silent = Array.from({ length: 6 }, (_, i) => dates[day - i]!);
    const everyThird = Array.from({ length: 10 }, (_, i) => dates[day - 2 - 3 * i]!);
    const [held, idle, resting, seldom] = known as [string, string, string, string];
    const isSilent = (ticker: string, date: string) =>
      (ticker === idle && silent.includes(date)) || (ticker === seldom && everyThird.includes(date));
    const changed = panelOf([
      ...bars
        .filter(({ ticker, date }) => ticker !== resting || date !== AS_OF)
        .map((bar) =>
          isSilent(bar.ticker, bar.date) ? { ...bar, volume: 0, high: bar.close, low: bar.close } : bar,
        ),
      { ticker: 'ZZZZ', date: dates[day + 1]!, close: 100 },
    ]);
    const sent = [idle, 'XXXX', held, 'ZZZZ', resting, seldom].map((ticker) => ({ ticker, pnl_input: 1 }));
    const result = await compactOf(changed, { ...params, positions: sent });
    expect(result.positions.map(({ ticker }) => ticker)).toEqual([held, resting]);
    const sinceWhen = /^Saham ini belum diperdagangkan lagi sejak 27 Agustus 2026\. [A-Z]/;
    expect(result.positions.map(({ reason }) => sinceWhen.test(reason))).toEqual([false, true]);
    expect(result.summary.total).toBe(2);
    expect(result.skipped).toEqual([
      { ticker: idle, reason: expect.stringContaining('Transaksi terakhir terjadi pada') as string },
      { ticker: 'XXXX', reason: expect.stringContaining('tidak dikenal') as string },
      { ticker: 'ZZZZ', reason: expect.stringContaining('tidak dikenal') as string },
      { ticker: seldom, reason: expect.stringContaining('jarang diperdagangkan') as string },
    ]);
  });

  test('fail the run with a message when there are none or none can be judged', async () => {
    const none = runRecovery(panel, { analysis_date: AS_OF });
    await expect(none).rejects.toMatchObject({ code: 'no_positions' });
    await expect(none).rejects.toThrow(
      'No positions were given. Add at least one stock with its profit or loss in percent, or with its average purchase price.',
    );
    const unknown = ['XXXX', 'YYYY'].map((ticker) => ({ ticker, pnl_input: 1 }));
    const failed = runRecovery(panel, { ...params, positions: unknown });
    await expect(failed).rejects.toThrow(RunFailure);
    await expect(failed).rejects.toMatchObject({ code: 'no_positions' });
    await expect(failed).rejects.toThrow(/^No position could be judged on 28 August 2026\. XXXX: /);
  });
});

describe('a position at the floor of the regular board', () => {
  const atFloor = known[0]!;
  /** The market with one stock at Rp50, and with others near it of which so many fall to Rp40 within the horizon. */
  function marketWith(fallers: number) {
    const ofFloor = bars.map((bar) => {
      if (bar.ticker !== atFloor) return bar;
      const close = bar.date === AS_OF || dates.indexOf(bar.date) % 3 === 0 ? 50 : 52;
      return { ...bar, close, previous: close, low: 50, high: 53, factor: 1, share_factor: 1 };
    });
    const others = Array.from({ length: 10 }, (_, i) =>
      dates.map((date, at) => ({
        ticker: `ZZZ${i}`,
        date,
        close: i < fallers && at % 40 >= 20 ? 40 : 51,
      })),
    );
    return panelOf([...ofFloor, ...others.flat()]);
  }
  const positionIn = async (market: ReturnType<typeof panelOf>) => {
    const held = { ...params, positions: [{ ticker: atFloor, pnl_input: 5 }] };
    return (await compactOf(market, held)).positions[0]!;
  };

  test('may fall as often as stocks near the floor did in the year before', async () => {
    const shares: number[] = [];
    for (const fallers of [0, 2]) {
      const market = marketWith(fallers);
      const share = shareBelowFloor(market, day, 20);
      const { current_price, probabilities } = await positionIn(market);
      expect(current_price).toBe(50);
      expect(Math.abs(probabilities.down - 100 * share)).toBeLessThan(0.2);
      shares.push(share);
    }
    expect(shares[0]).toBeLessThan(0.01);
    expect(shares[1]).toBeGreaterThan(0.05);
  });
});

describe('every parameter has an effect', () => {
  const trajectories = async (change: object) =>
    (await compactOf(panel, { ...params, ...change })).positions.map(({ trajectory }) => trajectory);

  test('another horizon gives another forecast', async () => {
    const all = await Promise.all([10, 20, 30, 40].map((horizon) => trajectories({ horizon })));
    expect(new Set(all.map((forecast) => JSON.stringify(forecast))).size).toBe(4);
  });

  test('an earlier date analyses that day, at its prices', async () => {
    const saturday = await compactOf(panel, { ...params, analysis_date: '2026-07-25' });
    expect(saturday.as_of).toBe('2026-07-24');
    const { ticker, current_price } = saturday.positions[0]!;
    const row = panel.rowAt(panel.tickerIndex(ticker), panel.dayOnOrBefore('2026-07-24'));
    expect(current_price).toBe(close[row]);
    expect(await trajectories({ analysis_date: '2026-07-25' })).not.toEqual(await trajectories({}));
  });
});

describe('a run', () => {
  const textOf = async (...given: Parameters<typeof runRecovery>) => {
    const { result, summary, model } = await runRecovery(...given);
    return JSON.stringify([result, summary, model!.fingerprint, [...model!.onnx]]);
  };

  test('gives the same bytes on one thread or two', async () => {
    expect(await textOf(panel, params, { threads: 1 })).toBe(await textOf(panel, params, { threads: 2 }));
  });

  test('ends when it is cancelled', async () => {
    await expect(runRecovery(panel, params, { shouldStop: () => true })).rejects.toThrow('cancelled');
  });
});
