import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { BarsTable } from '#console/charts/bars-table.tsx';
import { CandleChart } from '#console/charts/candle-chart.tsx';
import type { Bar } from '#console/charts/candles.ts';
import { Choices } from '#console/parts/choices.tsx';
import { Figure } from '#console/parts/figure.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { client } from '#console/session/session.ts';
import { number } from '#console/words/formats.ts';
import { words } from './words.ts';

/** As the API calls them. The snapshot's bars are those of the first. */
const ADJUSTMENTS = ['true', 'total', 'false'] as const;
type Adjustment = (typeof ADJUSTMENTS)[number];
const AVERAGES = [20, 50];
/** A page of bars has at most as many, more than the snapshot has days. */
const MOST_BARS = 1_000;

type Snapshot = Pick<Schemas['Snapshot'], 'ticker' | 'ohlcv' | 'dataset_version' | 'date'>;

/** Candles of the days of a snapshot, with prices adjusted as chosen. */
export function StockChart({ snapshot }: { snapshot: Snapshot }) {
  const say = words.value;
  const [adjusted, setAdjusted] = useState<Adjustment>('true');
  return (
    <>
      <Choices
        label={say.prices}
        of={ADJUSTMENTS}
        chosen={adjusted}
        choose={setAdjusted}
        shown={(one) => say.adjustments[one]}
      >
        <span class="minor">{say.prices}</span>
      </Choices>
      {adjusted === 'true' ? (
        <Candles snapshot={snapshot} />
      ) : (
        <OtherCandles key={adjusted} snapshot={snapshot} adjusted={adjusted} />
      )}
    </>
  );
}

function Candles({ snapshot: { ticker, ohlcv, dataset_version, date } }: { snapshot: Snapshot }) {
  const title = words.value.chart(ticker, ohlcv.length);
  return (
    <Figure
      title={title}
      source={{ datasetVersion: dataset_version, asOf: date }}
      table={<BarsTable caption={ticker} bars={ohlcv} />}
    >
      <CandleChart
        label={title}
        bars={ohlcv}
        overlays={AVERAGES.map((length) => ({
          name: words.value.average(length),
          values: movingAverage(ohlcv, length),
        }))}
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

/** Moving average of the closes; undefined until there are enough of them. */
function movingAverage(bars: readonly Pick<Bar, 'close'>[], length: number): (number | undefined)[] {
  let sum = 0;
  return bars.map(({ close }, at) => {
    sum += close - (bars[at - length]?.close ?? 0);
    return at + 1 < length ? undefined : sum / length;
  });
}
