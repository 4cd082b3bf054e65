import type { BarFixture } from '#quant/panel/panel-fixture.ts';
import { isoFromEpochDay } from '#foundation/iso-day.ts';
import { Random } from '#quant/random.ts';

const DAY_ZERO = 19_000;
const VOLATILITY = 0.02;
/** Correlation of one day's foreign flow with the next day's. */
const PERSISTENCE = 0.9;

interface Walk {
  seed: number;
  tickers: number;
  days: number;
  /** How much the previous day's foreign flow adds to the return, as a share of daily volatility; 0 for no signal. */
  pull: number;
}

/**
 * Independent random-walk stocks of the same volatility. Apart from the pull of foreign flow, nothing known on a day predicts
 * the next. In (ticker, date) order.
 */
export function walkBars({ seed, tickers, days, pull }: Walk): BarFixture[] {
  const random = new Random(seed);
  const dates = Array.from({ length: days }, (_, day) => isoFromEpochDay(DAY_ZERO + day));
  return Array.from({ length: tickers }, (_, i) =>
    walk(`T${String(i).padStart(3, '0')}`, dates, pull, random),
  ).flat();
}

function walk(ticker: string, dates: string[], pull: number, random: Random): BarFixture[] {
  const bars: BarFixture[] = [];
  let [close, flow] = [4_000, 0];
  for (const date of dates) {
    const previous = close;
    close *= Math.exp(VOLATILITY * (random.normal() + pull * flow));
    flow = PERSISTENCE * flow + Math.sqrt(1 - PERSISTENCE ** 2) * random.normal();
    const volume = Math.round(1e6 * Math.exp(0.3 * random.normal()));
    const bought = Math.min(1, Math.max(0, 0.5 + 0.2 * flow));
    bars.push({
      ticker,
      date,
      close,
      previous,
      high: Math.max(close, previous) * (1 + 0.005 * random.uniform()),
      low: Math.min(close, previous) * (1 - 0.005 * random.uniform()),
      volume,
      value: close * volume,
      frequency: 500 + Math.round(500 * random.uniform()),
      foreign_buy: Math.round(0.4 * volume * bought),
      foreign_sell: Math.round(0.4 * volume * (1 - bought)),
    });
  }
  return bars;
}
