import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  LineSeries,
  LineStyle,
  type AutoscaleInfo,
} from 'lightweight-charts';
import { number, short } from '#console/words/formats.ts';
import type { CandleChartProps, Level } from './candles.ts';

/** Share of the chart's height for the volume. */
const VOLUME_SHARE = 0.2;
const LEVEL_COLOURS: Record<Level['kind'], string> = { entry: 'accent', stop: 'down', target: 'up' };
const OVERLAY_COLOURS = ['line-1', 'line-2', 'line-3'];

/** Draws into the frame. Returns a function that removes the chart. */
export function drawCandles(
  frame: HTMLElement,
  { bars, levels = [], overlays = [] }: Omit<CandleChartProps, 'label'>,
): () => void {
  const [text, line, up, down] = ['text', 'line', 'up', 'down'].map(themeColour) as [
    ...[string, string, string, string],
  ];
  const chart = createChart(frame, {
    autoSize: true,
    layout: {
      background: { color: 'transparent' },
      textColor: text,
      fontFamily: getComputedStyle(frame).fontFamily,
      attributionLogo: false,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: line } },
    rightPriceScale: {
      borderColor: line,
      entireTextOnly: true,
      scaleMargins: { top: 0.05, bottom: VOLUME_SHARE + 0.04 },
    },
    timeScale: { borderColor: line, rightOffset: 2 },
    localization: { priceFormatter: (price: number) => number(price) },
    // The mouse wheel and one finger scroll the page. Two fingers scroll and zoom the chart.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
  });
  const prices = levels.map(({ price }) => price);
  const candles = chart.addSeries(CandlestickSeries, {
    upColor: 'transparent',
    downColor: down,
    borderUpColor: up,
    borderDownColor: down,
    wickUpColor: up,
    wickDownColor: down,
    priceLineVisible: false,
    autoscaleInfoProvider: (own: () => AutoscaleInfo | null) => withPrices(own(), prices),
  });
  // A day without trades has no candle.
  const traded = bars.filter(({ volume }) => volume > 0);
  candles.setData(traded.map(({ date, open, high, low, close }) => ({ time: date, open, high, low, close })));
  for (const { name, price, kind } of levels) {
    const color = themeColour(LEVEL_COLOURS[kind]);
    const lineStyle = kind === 'entry' ? LineStyle.Dashed : LineStyle.Solid;
    candles.createPriceLine({ price, color, title: name, lineStyle, lineWidth: 1, axisLabelVisible: true });
  }
  const volume = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    priceFormat: { type: 'custom', formatter: (shares: number) => short(shares), minMove: 1 },
    lastValueVisible: false,
    priceLineVisible: false,
  });
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 1 - VOLUME_SHARE, bottom: 0 } });
  const [rise, fall] = [themeColour('up-faint'), themeColour('down-faint')];
  volume.setData(
    bars.map(({ date, open, close, volume: shares }) => ({
      time: date,
      value: shares,
      color: close >= open ? rise : fall,
    })),
  );
  for (const [at, { values }] of overlays.entries()) {
    const series = chart.addSeries(LineSeries, {
      color: themeColour(OVERLAY_COLOURS[at % OVERLAY_COLOURS.length]!),
      lineWidth: 2,
      priceLineVisible: false,
      lastValueVisible: false,
      crosshairMarkerVisible: false,
    });
    series.setData(
      bars.flatMap(({ date }, i) => (values[i] === undefined ? [] : [{ time: date, value: values[i] }])),
    );
  }
  chart.timeScale().fitContent();
  return () => chart.remove();
}

/** The range of the candles, widened so that every level is in it. */
function withPrices(own: AutoscaleInfo | null, prices: readonly number[]): AutoscaleInfo | null {
  if (!own?.priceRange || prices.length === 0) return own;
  const { minValue, maxValue } = own.priceRange;
  return {
    ...own,
    priceRange: { minValue: Math.min(minValue, ...prices), maxValue: Math.max(maxValue, ...prices) },
  };
}

/** A colour of the theme, for drawing on a canvas. Everything else takes it from the style sheet. */
function themeColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
