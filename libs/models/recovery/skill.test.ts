import { expect, test } from 'vitest';
import { weekdays } from '#support/markets/idx-archive.ts';
import { panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { Random } from '#quant/random.ts';
import { compactOf, fullOf } from './recovery-fixture.ts';

const SIZE = { tickers: 60, days: 620, seed: 11 };
const positions = [{ ticker: 'Q000', pnl_input: -5 }];

test('no skill is claimed on a market where all stocks are equally volatile', async () => {
  const { model_quality } = await fullOf(
    randomMarket(SIZE, () => 0.02),
    { positions },
  );
  expect(Math.abs(model_quality.brier_skill!)).toBeLessThan(0.01);
  expect(model_quality.candidates).toBeGreaterThan(500);
});

test('the forecast has skill when stocks alternate between calm and volatile for months', async () => {
  const isWild = (ticker: number, day: number) => Math.floor((day + 37 * ticker) / 90) % 2 === 0;
  const panel = randomMarket(SIZE, (ticker, day) => (isWild(ticker, day) ? 0.035 : 0.008));
  const { model_quality, diag } = await fullOf(panel, { positions });
  expect(model_quality.brier_skill).toBeGreaterThan(0.05);
  expect(diag.model.caution).toBeUndefined();
  expect(model_quality.log_loss).toBeLessThan(model_quality.climatology_log_loss!);
});

test('the forecast has no skill, and says so, after calm and volatile stocks swap roles', async () => {
  const isWild = (ticker: number, day: number) => (ticker % 2 === 0) === day < 550;
  const panel = randomMarket(SIZE, (ticker, day) => (isWild(ticker, day) ? 0.035 : 0.008));
  const { model_quality, diag, df_result, notice } = await fullOf(panel, { positions });
  const compact = await compactOf(panel, { positions });
  expect(compact.caution).toBe(diag.model.caution);
  for (const text of [notice, compact.notice])
    expect(text.startsWith(`${compact.caution} Persentase`)).toBe(true);
  expect(model_quality.brier_skill).toBeLessThan(0);
  expect(diag.model.caution).toBe(
    'Pada hari-hari yang tidak ikut dipelajari, perkiraan model ini tidak lebih baik daripada frekuensi rata-rata pasar. Jangan mengandalkannya untuk tanggal ini.',
  );
  expect(df_result[0]!['Reason']).toMatch(/tidak terbukti lebih baik daripada frekuensi rata-rata pasar\.$/);
});

test('on a history too short for a measurement, the caution says that and claims nothing of the skill', async () => {
  const panel = randomMarket({ ...SIZE, days: 400 }, () => 0.02);
  const { model_quality, diag, df_result } = await fullOf(panel, { positions, horizon: 40 });
  expect(model_quality).toStrictEqual({ candidates: 0 });
  expect(diag.model.caution).toMatch(/^Riwayat data terlalu pendek untuk mengukur/);
  expect(diag.model.caution).not.toMatch(/tidak lebih baik/);
  expect(df_result[0]!['Reason']).toMatch(/tidak terbukti lebih baik daripada frekuensi rata-rata pasar\.$/);
});

/** High enough that no tick is felt. */
const FIRST_PRICE = 20_000;
const VOLUME = 1_000_000;

/**
 * A market of prices that nobody can foresee: every close is the one before times a lognormal step without drift. How
 * wide the steps are, `volatilityOf` says: a fraction of the price, of a stock on a day.
 */
function randomMarket(
  { tickers, days, seed }: { tickers: number; days: number; seed: number },
  volatilityOf: (ticker: number, day: number) => number,
): Panel {
  const dates = weekdays('2021-01-04', days);
  const bars = Array.from({ length: tickers }, (_, ticker) => {
    const random = new Random(seed, ticker);
    const code = `Q${String(ticker).padStart(3, '0')}`;
    let close = FIRST_PRICE;
    return dates.map((date, day): BarFixture => {
      const volatility = volatilityOf(ticker, day);
      const previous = close;
      close = previous * Math.exp(volatility * random.normal() - volatility ** 2 / 2);
      const [high, low] = [Math.max(previous, close) * 1.002, Math.min(previous, close) * 0.998];
      return { ticker: code, date, previous, close, high, low, volume: VOLUME, value: VOLUME * FIRST_PRICE };
    });
  });
  return panelOf(bars.flat());
}
