import type { Bar } from './candles.ts';

/** A candle in the units of the drawing, which is stretched to the width of its place. */
const STEP = 4;
const HALF_BODY = 1.4;
const HEIGHT = 60;

/** Candles without axes, a few centimetres wide. What they say stands beside them. */
export function SmallCandles({ label, bars }: { label: string; bars: readonly Bar[] }) {
  // A day without trades has no candle.
  const traded = bars.flatMap((bar, at) => (bar.volume > 0 ? [{ ...bar, x: (at + 0.5) * STEP }] : []));
  const least = Math.min(...traded.map(({ low }) => low));
  const most = Math.max(...traded.map(({ high }) => high));
  const y = (price: number) =>
    (most === least ? HEIGHT / 2 : HEIGHT - ((price - least) / (most - least)) * HEIGHT).toFixed(1);
  const candle = ({ x, open, high, low, close }: (typeof traded)[number]) =>
    `M${x} ${y(low)}V${y(high)}M${x - HALF_BODY} ${y(open)}H${x + HALF_BODY}V${y(close)}H${x - HALF_BODY}Z`;
  const drawn = (rises: boolean) =>
    traded
      .filter(({ open, close }) => close >= open === rises)
      .map(candle)
      .join('');
  return (
    <svg
      class="small-candles"
      viewBox={`0 -1 ${Math.max(1, bars.length) * STEP} ${HEIGHT + 2}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path class="rise" d={drawn(true)} />
      <path class="fall" d={drawn(false)} />
    </svg>
  );
}
