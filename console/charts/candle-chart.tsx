import { useEffect, useRef } from 'preact/hooks';
import type { CandleChartProps } from './candles.ts';
import { Legend } from './legend.tsx';
import { language, theme } from '#console/session/preferences.ts';

/** Style sheet classes for the colours of overlays, in order. */
const OVERLAY_KINDS = ['first', 'second', 'third'];

/** Candles with their volume below, to scroll and zoom. The drawing code is loaded with the first such chart. */
export function CandleChart({ label, bars, levels = [], overlays = [] }: CandleChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [currentTheme, currentLanguage] = [theme.value, language.value];
  useEffect(() => {
    let isGone = false;
    let remove = () => {};
    void import('./draw-candles.ts').then(({ drawCandles }) => {
      if (!isGone && frame.current) remove = drawCandles(frame.current, { bars, levels, overlays });
    });
    return () => {
      isGone = true;
      remove();
    };
  }, [bars, JSON.stringify(levels), overlays.length, currentTheme, currentLanguage]);
  return (
    <>
      {overlays.length > 0 && (
        <Legend of={overlays.map(({ name }, at) => ({ name, kind: OVERLAY_KINDS[at] }))} />
      )}
      <div class="candles" role="img" aria-label={label} ref={frame} />
    </>
  );
}
