import { type BarFixture, panelOf } from '#quant/panel/panel-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { Random } from '#quant/random.ts';

/** High enough that no tick is felt. */
const FIRST_PRICE = 20_000;
const VOLUME = 1_000_000;

/**
 * A market of prices that nobody can foresee: every close is the one before times a lognormal step without drift. How
 * wide the steps are, `volatilityOf` says: a fraction of the price, of a stock on a day.
 */
export function randomMarket(
  { tickers, days, seed }: { tickers: number; days: number; seed: number },
  volatilityOf: (ticker: number, day: number) => number,
): Panel {
  const dates = weekdays(days);
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

function weekdays(count: number): string[] {
  const dates: string[] = [];
  for (let ms = Date.UTC(2021, 0, 4); dates.length < count; ms += 86_400_000) {
    const date = new Date(ms);
    if (date.getUTCDay() % 6 !== 0) dates.push(date.toISOString().slice(0, 10));
  }
  return dates;
}
