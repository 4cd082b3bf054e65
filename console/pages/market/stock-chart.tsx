import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { CandleChart } from '#console/charts/candle-chart.tsx';
import type { Bar } from '#console/charts/candles.ts';
import { Choices } from '#console/parts/choices.tsx';
import { barsTable } from '#console/parts/figures/bars-table.ts';
import { Figure } from '#console/parts/figures/figure.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { client } from '#console/session/session.ts';
import { day, number } from '#console/words/formats.ts';
import { language } from '#console/words/language.ts';
import { flowsOn, markersOn, useBesides, type Besides } from './beside-candles.ts';
import { say } from './words.ts';

/** As the API calls them. The snapshot's bars are those of the first. */
const ADJUSTMENTS = ['true', 'total', 'false'] as const;
type Adjustment = (typeof ADJUSTMENTS)[number];
const AVERAGES = [20, 50];
/** A page of bars has at most as many, more than the snapshot has days. */
const MOST_BARS = 1_000;

type Snapshot = Pick<Schemas['Snapshot'], 'ticker' | 'ohlcv' | 'dataset_version' | 'date'>;

interface StockChartProps {
  snapshot: Snapshot;
  /** Exchange days. */
  days: number;
  /** Shown beside the choice of prices. */
  children: ComponentChildren;
}

/** Candles of the days of a snapshot, with prices adjusted as chosen, and below them who bought on the same days. */
export function StockChart({ snapshot, days, children }: StockChartProps) {
  const [adjusted, setAdjusted] = useState<Adjustment>('true');
  const besides = useBesides(snapshot.ticker, days);
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
      {/* Drawn once, with everything: drawing it again would lose where the reader has scrolled to. */}
      <Loaded of={besides}>
        {(besides) =>
          adjusted === 'true' ? (
            <Candles snapshot={snapshot} besides={besides} />
          ) : (
            <OtherCandles key={adjusted} snapshot={snapshot} adjusted={adjusted} besides={besides} />
          )
        }
      </Loaded>
    </>
  );
}

interface CandlesProps {
  snapshot: Snapshot;
  besides: Besides;
}

function Candles({ snapshot: { ticker, ohlcv, dataset_version, date }, besides }: CandlesProps) {
  const title = say.chart(ticker, ohlcv.length);
  const flows = useMemo(() => flowsOn(ohlcv, besides), [ohlcv, besides, language.value]);
  return (
    <Figure
      title={title}
      source={{ datasetVersion: dataset_version, asOf: date, brokerData: besides.flow?.broker_data }}
      table={barsTable(ticker, ohlcv)}
    >
      <CandleChart
        label={title}
        bars={ohlcv}
        overlays={AVERAGES.map((length) => ({
          name: say.average(length),
          values: movingAverage(ohlcv, length),
        }))}
        flows={flows}
        flowsTitle={say.netSince(day(besides.flow?.by_day[0]?.date))}
        markers={markersOn(ohlcv, besides)}
      />
    </Figure>
  );
}

/** The same days with other prices, and what these mean. */
function OtherCandles({
  snapshot: { ticker, ohlcv, date },
  adjusted,
  besides,
}: CandlesProps & { adjusted: Exclude<Adjustment, 'true'> }) {
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
          <Candles
            snapshot={{ ticker, date, dataset_version, ohlcv: bars.flatMap(tradedBar) }}
            besides={besides}
          />
        </>
      )}
    </Loaded>
  );
}

/** The bar of a day with trades; nothing for another one. */
function tradedBar({ open, high, low, close, reference_price, ...bar }: Schemas['PeriodBar']): Bar[] {
  if (open === null || high === null || low === null || close === null) return [];
  const change_pct = reference_price ? 100 * (close / reference_price - 1) : null;
  return [{ ...bar, open, high, low, close, change_pct }];
}

/** Moving average of the closes; undefined until there are enough of them. */
function movingAverage(bars: readonly Pick<Bar, 'close'>[], length: number): (number | undefined)[] {
  let sum = 0;
  return bars.map(({ close }, at) => {
    sum += close - (bars[at - length]?.close ?? 0);
    return at + 1 < length ? undefined : sum / length;
  });
}
