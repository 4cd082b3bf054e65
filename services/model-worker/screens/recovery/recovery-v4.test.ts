import { describe, expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { RETURN_BUCKETS } from '#quant/recovery/return-buckets.ts';
import { RunFailure } from '../run-failure.ts';
import { poisonedAfter } from '../gann/gann-fixture.ts';
import { syntheticBars } from '../market-fixtures.ts';
import { screenInput } from '../screen-input-fixture.ts';
import type { PositionInput } from './recovery-params.ts';
import { compactOf, fullOf, runRecovery } from './recovery-fixture.ts';
import { MODEL_ID } from './recovery-provenance.ts';

const AS_OF = '2026-08-28';
const bars = syntheticBars({ seed: 11, tickers: 100, days: 440 });
const panel = panelOf(bars);
const day = panel.dayOnOrBefore(AS_OF);
const { columns } = screenInput({ panel, params: {} }).features();
const { tickers, dates, close } = panel.columns;

/** Names of the analysed day, any of them. */
const known = Array.from(
  columns.ticker.subarray(columns.dayStarts[day], columns.dayStarts[day + 1]),
  (ticker) => tickers[ticker]!,
);
const PNL = [-35, -8, -1, 0, 3, 60];
const positions: PositionInput[] = known
  .slice(0, 24)
  .map((ticker, i) => ({ ticker, pnl_input: PNL[i % PNL.length]! }));
const params = { analysis_date: AS_OF, positions };

describe('the compact view', () => {
  test('has just the fields of the contract', async () => {
    const result = await compactOf(panel, params);
    expect(Object.keys(result).toSorted()).toEqual(
      ['model_id', 'view', 'as_of', 'horizon_days', 'summary', 'positions'].toSorted(),
    );
    expect(result).toMatchObject({ model_id: MODEL_ID, view: 'compact', as_of: AS_OF, horizon_days: 20 });
    const level = { price: expect.any(Number) as number, change_pct: expect.any(Number) as number };
    for (const position of result.positions) {
      expect(position).toEqual({
        ticker: expect.any(String) as string,
        ...{ pnl_pct: expect.any(Number) as number, current_price: expect.any(Number) as number },
        avg_price: expect.any(Number) as number,
        outlook: expect.stringMatching(/^(BEARISH|NEUTRAL|BULLISH)$/) as string,
        bucket: expect.stringMatching(/^(loser|neutral|winner)$/) as string,
        reason: expect.stringMatching(/^[A-Z].{30,}\.$/) as string,
        ...{ restore_target: level, support_level: level },
        exit_window: { day_from: expect.any(Number) as number, day_to: expect.any(Number) as number },
        probabilities: {
          ...{ up: expect.any(Number) as number, down: expect.any(Number) as number },
          neutral: expect.any(Number) as number,
        },
        trajectory: Object.fromEntries(
          RETURN_BUCKETS.map((bucket) => [bucket, expect.any(Number) as number]),
        ),
      });
    }
  });

  test('holds together: sums, sides of the price, days within the horizon', async () => {
    for (const horizon of [10, 40] as const) {
      const result = await compactOf(panel, { ...params, horizon });
      for (const position of result.positions) {
        const { trajectory, probabilities, restore_target, support_level, exit_window } = position;
        const chances = RETURN_BUCKETS.map((bucket) => trajectory[bucket]);
        expect(chances.reduce((a, b) => a + b)).toBeCloseTo(100, 6);
        for (const chance of chances) expect(chance).toBeGreaterThan(0);
        expect(probabilities.up).toBeCloseTo(trajectory.CLIMB + trajectory.RALLY, 6);
        expect(restore_target.price).toBeGreaterThan(position.current_price);
        expect(restore_target.change_pct).toBeGreaterThan(0);
        if (position.bucket === 'loser') expect(restore_target.price).toBeLessThanOrEqual(position.avg_price);
        expect(support_level.price).toBeLessThan(position.current_price);
        expect(support_level.change_pct).toBeLessThan(0);
        expect(exit_window.day_from).toBeGreaterThanOrEqual(1);
        expect(exit_window.day_to).toBeGreaterThanOrEqual(exit_window.day_from);
        expect(exit_window.day_to).toBeLessThanOrEqual(horizon);
      }
      const { total, winners, neutral, losers } = result.summary;
      expect([total, winners, neutral, losers]).toEqual([24, 8, 8, 8]);
    }
  });

  test('a loser whose average price lies near gets it as its target, another what prices reach', async () => {
    const ticker = known[0]!;
    const result = await compactOf(panel, {
      ...params,
      positions: [-2.5, -90, 10].map((pnl_input) => ({ ticker, pnl_input })),
    });
    const [near, far, winner] = result.positions;
    expect(near!.restore_target.price).toBe(near!.avg_price);
    expect(far!.restore_target).toEqual(winner!.restore_target);
    expect(near!.exit_window.day_from).toBeLessThanOrEqual(far!.exit_window.day_from);
  });
});

describe('the full view', () => {
  test('shows the numbers of the compact one, and every feature as a number', async () => {
    const [full, compact] = [await fullOf(panel, params), await compactOf(panel, params)];
    expect([full.as_of, full.horizon_days, full.summary]).toEqual([
      compact.as_of,
      compact.horizon_days,
      compact.summary,
    ]);
    const number = (text: unknown) => Number.parseFloat((text as string).replaceAll(/[,%]/g, ''));
    for (const [i, row] of full.df_result.entries()) {
      const position = compact.positions[i]!;
      expect([row['Ticker'], row['Outlook'], row['Bucket'], row['Reason']]).toEqual([
        position.ticker,
        position.outlook,
        position.bucket,
        position.reason,
      ]);
      for (const bucket of RETURN_BUCKETS) expect(number(row[bucket])).toBe(position.trajectory[bucket]);
      expect(number(row['Prob Up'])).toBe(position.probabilities.up);
      expect(number(row['P/L'])).toBeCloseTo(position.pnl_pct, 9);
      expect(number(row['Last Close'])).toBe(position.current_price);
      expect(Math.abs(number(row['Restore Target']) - position.restore_target.price)).toBeLessThanOrEqual(
        0.5,
      );
      expect(number(row['Support Level'])).toBe(position.support_level.price);
      const { day_from, day_to } = position.exit_window;
      expect(row['Exit Window']).toBe(`${day_from}-${day_to} hari`);
      for (const feature of full.diag.model.feature_names) expect(row[feature]).toEqual(expect.any(Number));
    }
  });

  test('tells what was learnt from, how good that is, and what became of the positions', async () => {
    const { diag, model_quality, pick_count, target_date } = await fullOf(panel, {
      ...params,
      positions: [...positions, { ticker: 'XXXX', pnl_input: 1 }],
    });
    expect(diag).toMatchObject({ total: 25, known: 24, evaluated: 24, final: 24 });
    expect([pick_count, target_date]).toEqual([24, AS_OF]);
    const { training, fingerprint } = diag.model;
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(panel.dayOnOrBefore(training.to)).toBe(day - 20 - 5);
    expect(Object.values(training.base_rates_pct).reduce((a, b) => a + b)).toBeCloseTo(100, 6);
    expect(model_quality.brier_skill).toBeCloseTo(
      1 - model_quality.brier_score / model_quality.climatology_brier_score,
      3,
    );
    expect(model_quality.candidates).toBeGreaterThan(0);
    expect(model_quality.candidates).toBeLessThan(training.rows);
  });
});

describe('positions', () => {
  test('come back in the order and as often as they were sent, in any case of letters', async () => {
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
    expect(result.summary.total).toBe(2);
    expect(result.skipped).toEqual([
      { ticker: idle, reason: expect.stringContaining('Transaksi terakhir terjadi pada') as string },
      { ticker: 'XXXX', reason: expect.stringContaining('tidak dikenal') as string },
      { ticker: 'ZZZZ', reason: expect.stringContaining('tidak dikenal') as string },
      { ticker: seldom, reason: expect.stringContaining('jarang diperdagangkan') as string },
    ]);
  });

  test('that are none fail the run with what to send; so do positions of which none can be judged', async () => {
    await expect(runRecovery(panel, { analysis_date: AS_OF })).rejects.toThrow(
      'Belum ada posisi yang dimasukkan. Isi minimal satu saham beserta persentase untung/rugi atau harga beli rata-rata.',
    );
    const unknown = ['XXXX', 'YYYY'].map((ticker) => ({ ticker, pnl_input: 1 }));
    const failed = runRecovery(panel, { ...params, positions: unknown });
    await expect(failed).rejects.toThrow(RunFailure);
    await expect(failed).rejects.toThrow(
      /^Tidak ada posisi yang dapat dinilai pada 28 Agustus 2026\. XXXX: /,
    );
  });
});

describe('every parameter has its effect', () => {
  const trajectories = async (change: object) =>
    (await compactOf(panel, { ...params, ...change })).positions.map(({ trajectory }) => trajectory);

  test('another horizon is another forecast', async () => {
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

  test('a date with too little before it fails the run', async () => {
    await expect(runRecovery(panel, { ...params, analysis_date: dates[200]! })).rejects.toThrow(
      /terlalu awal/,
    );
  });
});

describe('a run', () => {
  const textOf = async (...given: Parameters<typeof runRecovery>) => {
    const { result, summary, model } = await runRecovery(...given);
    return JSON.stringify([result, summary, model!.fingerprint, [...model!.onnx]]);
  };

  test('changes no byte when the rows after the analysed day are deleted or poisoned', async () => {
    const text = await textOf(panel, params);
    const deleted = panelOf(bars.filter(({ date }) => date <= AS_OF));
    expect(await textOf(deleted, params)).toBe(text);
    expect(await textOf(panelOf(poisonedAfter(bars, AS_OF)), params)).toBe(text);
  });

  test('gives the same bytes again, on one thread or two', async () => {
    expect(await textOf(panel, params, { threads: 1 })).toBe(await textOf(panel, params, { threads: 2 }));
  });

  test('ends when it is no longer wanted', async () => {
    await expect(runRecovery(panel, params, { shouldStop: () => true })).rejects.toThrow('cancelled');
  });
});
