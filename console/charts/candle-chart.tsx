import { useEffect, useRef, useState } from 'preact/hooks';
import { day, number, rupiah, short, signedPercent } from '#console/words/formats.ts';
import { language } from '#console/words/language.ts';
import { shared } from '#console/words/shared.ts';
import { theme } from '../browser/theme.ts';
import type { Bar, CandleChartProps, Candles } from './candles.ts';
import type { DrawnCandles } from './draw-candles.ts';

/** Style sheet classes for the colours of lines, in order. */
const LINE_KINDS = ['first', 'second', 'third'];

/**
 * Candles with their volume below, to scroll and zoom. The values of the day under the pointer are above, those of the last day
 * without one; arrow keys lead from day to day. The drawing code is loaded with the first such chart.
 */
export function CandleChart({ label, flowsTitle, ...drawn }: CandleChartProps) {
  const { bars, levels = [], overlays = [], markers = [], flows = [] } = drawn;
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<DrawnCandles>(undefined);
  const [at, setAt] = useState<number>();
  const [currentTheme, currentLanguage] = [theme.value, language.value];
  useEffect(() => {
    let isGone = false;
    setAt(undefined);
    void import('./draw-candles.ts').then(({ drawCandles }) => {
      if (!isGone && frame.current) chart.current = drawCandles(frame.current, drawn, setAt);
    });
    return () => {
      isGone = true;
      chart.current?.remove();
      chart.current = undefined;
    };
  }, [bars, JSON.stringify([levels, markers]), overlays.length, flows, currentTheme, currentLanguage]);
  const last = bars.length - 1;
  const onKeyDown = (event: KeyboardEvent) => {
    // With a modifier they belong to the browser.
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const now = at ?? last;
    const places: Record<string, number> = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    chart.current?.pointAt(Math.min(Math.max(place, 0), last));
  };
  return (
    <>
      <Values of={drawn} at={at ?? last} />
      <div
        class={flows.length > 0 ? 'candles tall' : 'candles'}
        // Arrow keys lead from day to day, and a screen reader says the values of each.
        role="slider"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? last}
        aria-valuetext={valueText(bars[at ?? last])}
        ref={frame}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => chart.current?.pointAt(undefined)}
      />
      {flows.length > 0 && (
        <p class="values">
          {flowsTitle && <strong>{flowsTitle}</strong>}
          <Lines of={flows} at={at ?? last} format={rupiah} />
        </p>
      )}
    </>
  );
}

function valueText(bar: Bar | undefined): string {
  return bar
    ? `${day(bar.date)}: ${shared.close} ${number(bar.close)}, ${signedPercent(bar.change_pct, 2)}`
    : '';
}

/** What the candles show of a day, in figures. */
function Values({ of: { bars, overlays = [], markers = [] }, at }: { of: Candles; at: number }) {
  const say = shared;
  const bar = bars[at];
  if (!bar) return null;
  const figures = [
    [say.open, number(bar.open)],
    [say.high, number(bar.high)],
    [say.low, number(bar.low)],
    [say.close, number(bar.close)],
    [say.change, signedPercent(bar.change_pct, 2)],
    [say.volume, short(bar.volume)],
  ] as const;
  const happened = markers.filter(({ date }) => date === bar.date).map(({ text }) => text);
  return (
    <p class="values">
      <strong>{day(bar.date)}</strong>
      {figures.map(([name, value]) => (
        <span key={name}>
          {name} <b>{value}</b>
        </span>
      ))}
      <Lines of={overlays} at={at} format={number} />
      {happened.length > 0 && <strong>{happened.join(', ')}</strong>}
    </p>
  );
}

interface LinesProps {
  of: NonNullable<Candles['flows']>;
  at: number;
  format: (value: number | undefined) => string;
}

/** The value of each line on a day, with its colour. */
function Lines({ of, at, format }: LinesProps) {
  return (
    <>
      {of.map(({ name, values }, line) => (
        <span key={name}>
          <span class={`swatch ${LINE_KINDS[line]}`} /> {name} <b>{format(values[at])}</b>
        </span>
      ))}
    </>
  );
}
