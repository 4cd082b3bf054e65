import { expect, test } from 'vitest';
import { randomMarket } from './random-market-fixture.ts';
import { fullOf } from './recovery-fixture.ts';

const SIZE = { tickers: 60, days: 620, seed: 11 };
const positions = [{ ticker: 'Q000', pnl_input: -5 }];

test('on a market where every stock steps alike there is no skill to be had, and none is claimed', async () => {
  const { model_quality } = await fullOf(
    randomMarket(SIZE, () => 0.02),
    { positions },
  );
  expect(Math.abs(model_quality.brier_skill!)).toBeLessThan(0.01);
  expect(model_quality.candidates).toBeGreaterThan(1_000);
});

test('where stocks change between calm and wild for months, the forecast knows how wide they will spread', async () => {
  const isWild = (ticker: number, day: number) => Math.floor((day + 37 * ticker) / 90) % 2 === 0;
  const panel = randomMarket(SIZE, (ticker, day) => (isWild(ticker, day) ? 0.035 : 0.008));
  const { model_quality, diag } = await fullOf(panel, { positions });
  expect(model_quality.brier_skill).toBeGreaterThan(0.05);
  expect(diag.model.caution).toBeUndefined();
  expect(model_quality.log_loss).toBeLessThan(model_quality.climatology_log_loss!);
});

test('where calm stocks have turned wild and wild ones calm, the forecast has no skill, and says so', async () => {
  const isWild = (ticker: number, day: number) => (ticker % 2 === 0) === day < 520;
  const panel = randomMarket(SIZE, (ticker, day) => (isWild(ticker, day) ? 0.035 : 0.008));
  const { model_quality, diag, df_result } = await fullOf(panel, { positions });
  expect(model_quality.brier_skill).toBeLessThan(0);
  expect(diag.model.caution).toBe(
    'Pada hari-hari yang tidak ikut dipelajari, perkiraan model ini tidak lebih baik daripada frekuensi rata-rata pasar. Jangan mengandalkannya untuk tanggal ini.',
  );
  expect(df_result[0]!['Reason']).toMatch(/tidak terbukti lebih baik daripada frekuensi rata-rata pasar\.$/);
});
