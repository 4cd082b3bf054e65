import { useMemo, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { Schemas } from '#client/index.ts';
import { BarsTable } from '#console/charts/bars-table.tsx';
import { CandleChart } from '#console/charts/candle-chart.tsx';
import type { Bar, Candles as Drawn } from '#console/charts/candles.ts';
import { Choices } from '#console/parts/choices.tsx';
import { Figure } from '#console/parts/figure.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { language } from '#console/session/preferences.ts';
import { client } from '#console/session/session.ts';
import { day, number } from '#console/words/formats.ts';
import { words as actionWords } from './corporate-action-words.ts';
import { words } from './words.ts';

/** As the API calls them. The snapshot's bars are those of the first. */
const ADJUSTMENTS = ['true', 'total', 'false'] as const;
type Adjustment = (typeof ADJUSTMENTS)[number];
const AVERAGES = [20, 50];
/** A page of bars has at most as many, more than the snapshot has days. */
const MOST_BARS = 1_000;

type Snapshot = Pick<Schemas['Snapshot'], 'ticker' | 'ohlcv' | 'dataset_version' | 'date'>;

interface StockChartProps {
  snapshot: Snapshot;
  /** Shown beside the choice of prices. */
  children: ComponentChildren;
}

/** Candles of the days of a snapshot, with prices adjusted as chosen, and below them who bought on the same days. */
export function StockChart({ snapshot, children }: StockChartProps) {
  const say = words.value;
  const [adjusted, setAdjusted] = useState<Adjustment>('true');
  return (
    <>
      <div class="toolbar">
        {children}
        <Choices
          label={say.prices}
          of={ADJUSTMENTS}
          chosen={adjusted}
          choose={setAdjusted}
          shown={(one) => say.adjustments[one]}
        />
      </div>
      {adjusted === 'true' ? (
        <Candles snapshot={snapshot} />
      ) : (
        <OtherCandles key={adjusted} snapshot={snapshot} adjusted={adjusted} />
      )}
    </>
  );
}

function Candles({ snapshot: { ticker, ohlcv, dataset_version, date } }: { snapshot: Snapshot }) {
  const { flows, flowsTitle, brokerData } = useFlows(ticker, ohlcv);
  const markers = useMarkers(ticker, ohlcv);
  const title = words.value.chart(ticker, ohlcv.length);
  return (
    <Figure
      title={title}
      source={{ datasetVersion: dataset_version, asOf: date, brokerData }}
      table={<BarsTable caption={ticker} bars={ohlcv} />}
    >
      <CandleChart
        label={title}
        bars={ohlcv}
        overlays={AVERAGES.map((length) => ({
          name: words.value.average(length),
          values: movingAverage(ohlcv, length),
        }))}
        {...{ flows, flowsTitle, markers }}
      />
    </Figure>
  );
}

/** The same days with other prices, and what these mean. */
function OtherCandles({
  snapshot: { ticker, ohlcv, date },
  adjusted,
}: {
  snapshot: Snapshot;
  adjusted: Exclude<Adjustment, 'true'>;
}) {
  const say = words.value;
  const from = ohlcv[0]!.date;
  const loading = useLoading(
    (signal) => client.value.data.bars(ticker, { adjusted, from, limit: MOST_BARS, signal }).first(),
    [from],
  );
  return (
    <Loaded of={loading}>
      {({ bars, dividends, dataset_version }) => (
        <>
          <p class="hint">
            {adjusted === 'false' ? say.asPublished : say.reinvested(dividends ?? 0, number(dividends))}
          </p>
          <Candles snapshot={{ ticker, date, dataset_version, ohlcv: bars.flatMap(tradedBar) }} />
        </>
      )}
    </Loaded>
  );
}

/** The bar of a day with trades; nothing for another one. */
function tradedBar({ open, high, low, close, reference_price, ...bar }: Schemas['PeriodBar']): Bar[] {
  if (open === null || high === null || low === null || close === null) return [];
  return [
    { ...bar, open, high, low, close, change_pct: reference_price ? 100 * (close / reference_price - 1) : 0 },
  ];
}

/** A request for the brokers of a stock covers at most as many days. */
const MOST_FLOW_DAYS = 120;
const CLASSES = ['foreign', 'bandar', 'retail'] as const;

/** What each class of brokers has bought, less what it has sold, since the first day. Nothing without broker rows. */
function useFlows(ticker: string, bars: readonly Bar[]) {
  const days = Math.min(bars.length, MOST_FLOW_DAYS);
  const { value } = useLoading(
    (signal) => client.value.data.brokersWindow(ticker, { days, top_n: 1, signal }),
    [ticker, days],
  );
  const flows = useMemo(
    () => (value ? cumulated(value.by_day, bars) : NO_FLOWS),
    [value, bars, language.value],
  );
  return {
    flows,
    flowsTitle: words.value.netSince(day(value?.by_day[0]?.date)),
    brokerData: value?.broker_data,
  };
}

const NO_FLOWS: NonNullable<Drawn['flows']> = [];
type ClassDay = Schemas['BrokerWindow']['by_day'][number];

function cumulated(days: readonly ClassDay[], bars: readonly Bar[]): NonNullable<Drawn['flows']> {
  const byDate = new Map(days.map((one) => [one.date, one]));
  return CLASSES.map((of) => {
    let sum = 0;
    let hasBegun = false;
    const values = bars.map(({ date }) => {
      const one = byDate.get(date);
      hasBegun ||= one !== undefined;
      sum += one?.[`${of}_net_value`] ?? 0;
      return hasBegun ? sum : undefined;
    });
    return { name: words.value[of], values };
  });
}

/** The corporate actions on the days that are shown. */
function useMarkers(ticker: string, bars: readonly Bar[]): NonNullable<Drawn['markers']> {
  const { value } = useLoading(
    (signal) => client.value.data.actions(ticker, { limit: MOST_BARS, signal }).first(),
    [ticker],
  );
  const days = new Set(bars.map(({ date }) => date));
  return (value?.actions ?? [])
    .filter(({ ex_date }) => days.has(ex_date))
    .map(({ ex_date, kind }) => ({ date: ex_date, text: actionWords.value.kinds[kind] }))
    .toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

/** Moving average of the closes; undefined until there are enough of them. */
function movingAverage(bars: readonly Pick<Bar, 'close'>[], length: number): (number | undefined)[] {
  let sum = 0;
  return bars.map(({ close }, at) => {
    sum += close - (bars[at - length]?.close ?? 0);
    return at + 1 < length ? undefined : sum / length;
  });
}
