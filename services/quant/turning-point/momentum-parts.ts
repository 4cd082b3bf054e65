import { rsi } from '../indicators/rsi.ts';
import { sma } from '../indicators/sma.ts';
import { divergence } from './divergence.ts';
import type { TurningPart } from './parts.ts';
import type { TurningView } from './turning-view.ts';

const OVERBOUGHT = 75;
const OVERSOLD = 30;
/** Differences below this part of the price are rounding: without it, flat prices would "cross". */
const RELATIVE_TOLERANCE = 1e-9;

/** What RSI(14) and the crossing of MA5 and MA20 say. */
export function momentumParts(view: TurningView): TurningPart[] {
  const index = rsi(view.series.close);
  const [now, before] = [index.at(-1) ?? NaN, index.at(-2) ?? NaN];
  const turn = divergence(view.series.close, index, view);
  const parts: TurningPart[] = [];
  if (now > OVERBOUGHT) parts.push({ kind: 'overbought', amount: now });
  else if (turn === 'bearish') parts.push({ kind: 'bearish_divergence', amount: now });
  if (before < OVERSOLD && now > before) parts.push({ kind: 'oversold_turning', amount: now });
  else if (turn === 'bullish') parts.push({ kind: 'bullish_divergence', amount: now });
  const spreadPct = crossedUpPct(view);
  if (spreadPct !== null) parts.push({ kind: 'ma_cross_up', amount: spreadPct });
  return parts;
}

/** MA5 against MA20 on the last bar in percent, when it crossed above within the recent bars and still is. */
function crossedUpPct({ series: { close }, recentBars }: TurningView): number | null {
  const [ma5, ma20] = [sma(close, 5), sma(close, 20)];
  const isAbove = (bar: number) => ma5[bar]! > ma20[bar]! * (1 + RELATIVE_TOLERANCE);
  const last = close.length - 1;
  if (!isAbove(last)) return null;
  for (let bar = last - 1; bar >= last - recentBars; bar--) {
    if (ma5[bar]! <= ma20[bar]! * (1 + RELATIVE_TOLERANCE)) return 100 * (ma5[last]! / ma20[last]! - 1);
  }
  return null;
}
