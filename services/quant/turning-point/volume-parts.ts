import { volumeRatio } from '../indicators/volume-ratio.ts';
import type { TurningPart } from './parts.ts';
import type { TurningView } from './turning-view.ts';

const HEAVY_RATIO = 2;
const AVERAGE_BARS = 20;
/** How near, as a fraction, a day must have come to the extreme of 60 bars. */
const REACH = 0.03;

/** The newest of the recent days on which volume was heavy and the price turned away from its 60-bar extreme. */
export function volumeParts({ series, recentBars, high60, low60 }: TurningView): TurningPart[] {
  if (high60 === null || low60 === null) return [];
  const { high, low, close } = series;
  const ratio = volumeRatio(series.volume, AVERAGE_BARS);
  const newest = (isTurn: (bar: number) => boolean) => {
    const last = close.length - 1;
    for (let bar = last; bar > last - recentBars; bar--) {
      if (ratio[bar]! >= HEAVY_RATIO && isTurn(bar)) return bar;
    }
    return -1;
  };
  const red = newest((bar) => close[bar]! < close[bar - 1]! && high[bar]! >= high60 * (1 - REACH));
  const green = newest((bar) => close[bar]! > close[bar - 1]! && low[bar]! <= low60 * (1 + REACH));
  const parts: TurningPart[] = [];
  if (red >= 0) parts.push({ kind: 'heavy_red_day', amount: ratio[red]! });
  if (green >= 0) parts.push({ kind: 'heavy_green_day', amount: ratio[green]! });
  return parts;
}
