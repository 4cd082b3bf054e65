import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  LineSeries,
  LineStyle,
  type AutoscaleInfo,
  type IChartApi,
  type LineSeriesPartialOptions,
} from 'lightweight-charts';
import { locale, number, rupiah, short } from '#console/words/formats.ts';
import type { Candles, Level } from './candles.ts';

/** Share of the chart's height for the volume. */
const VOLUME_SHARE = 0.2;
const LEVEL_COLOURS: Record<Level['kind'], string> = { entry: 'accent', stop: 'down', target: 'up' };
const LINE_COLOURS = ['line-1', 'line-2', 'line-3'];
/** Share of the chart's height for the lines below the candles. */
const FLOWS_SHARE = 0.3;
const FLOWS_PANE = 1;

/** A chart that is drawn. */
export interface DrawnCandles {
  /** Moves the crosshair to a bar, or removes it without one. */
  pointAt: (at: number | undefined) => void;
  remove: () => void;
}

/**
 * Draws into the frame.
 * @param onPoint called with the bar below the pointer, and with undefined once the pointer has left
 */
export function drawCandles(
  frame: HTMLElement,
  { bars, levels = [], overlays = [], markers = [], flows = [] }: Candles,
  onPoint: (at: number | undefined) => void,
): DrawnCandles {
  const [text, line, up, down] = ['text', 'line', 'up', 'down'].map(themeColour) as [
    ...[string, string, string, string],
  ];
  const chart = createChart(frame, {
    autoSize: true,
    localization: { locale: locale.value },
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
    priceFormat: PRICES,
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
  addVolume(chart, bars);
  addLines(chart, bars, overlays, { priceFormat: PRICES, crosshairMarkerVisible: false });
  createSeriesMarkers(
    candles,
    markers.map(({ date, text }) => ({
      time: date,
      text,
      position: 'aboveBar',
      shape: 'arrowDown',
      color: themeColour('accent'),
    })),
  );
  addLines(chart, bars, flows, { priceFormat: AMOUNTS }, FLOWS_PANE);
  if (flows.length > 0) {
    const [above, below] = chart.panes();
    above!.setStretchFactor(1 - FLOWS_SHARE);
    below!.setStretchFactor(FLOWS_SHARE);
  }
  chart.timeScale().fitContent();
  const placeOf = new Map(bars.map(({ date }, at) => [date, at]));
  chart.subscribeCrosshairMove(({ time }) => onPoint(placeOf.get(time as string)));
  return {
    pointAt: (at) => {
      const bar = at === undefined ? undefined : bars[at];
      if (bar) chart.setCrosshairPosition(bar.close, bar.date, candles);
      else chart.clearCrosshairPosition();
      onPoint(at);
    },
    remove: () => chart.remove(),
  };
}

function addVolume(chart: IChartApi, bars: Candles['bars']): void {
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
}

/** Lines with one value for each bar, in a pane of the chart. */
function addLines(
  chart: IChartApi,
  bars: Candles['bars'],
  lines: readonly { values: readonly (number | undefined)[] }[],
  options: LineSeriesPartialOptions,
  pane = 0,
): void {
  for (const [at, { values }] of lines.entries()) {
    const series = chart.addSeries(LineSeries, { color: lineColour(at), ...LINE, ...options }, pane);
    series.setData(
      bars.flatMap(({ date }, at) => (values[at] === undefined ? [] : [{ time: date, value: values[at] }])),
    );
  }
}

const AMOUNTS = { type: 'custom', formatter: (value: number) => rupiah(value), minMove: 1 } as const;
const PRICES = { type: 'custom', formatter: (price: number) => number(price), minMove: 1 } as const;
const LINE = { lineWidth: 2, priceLineVisible: false, lastValueVisible: false } as const;

function lineColour(at: number): string {
  return themeColour(LINE_COLOURS[at % LINE_COLOURS.length]!);
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
