import type { ResultOf } from '#gateway/client/index.ts';
import { BarsTable } from '#console/charts/bars-table.tsx';
import { CandleChart, type Level } from '#console/charts/candle-chart.tsx';
import { Figure } from '#console/parts/figure.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { Reasons } from '#console/parts/reasons.tsx';
import { linkTo } from '#console/routing.ts';
import { featureNames } from '#console/session/feature-names.ts';
import { client } from '#console/session/session.ts';
import { words } from './words.ts';

type Pick = ResultOf<'model_f_combined', 'compact'>['picks'][number];

const DAYS = 90;

/** The chart of a pick with its levels, and why it is one. */
export function PickDetails({ jobId, pick, asOf }: { jobId: string; pick: Pick; asOf: string }) {
  const { ticker } = pick;
  const say = words.value;
  const stock = useLoading((signal) => client.value.data.stock(ticker, { days: DAYS, signal }), [ticker]);
  const why = useLoading(
    async (signal) => ({
      explanation: await client.value.jobs.explain(jobId, ticker, { signal }),
      featureName: await featureNames(),
    }),
    [jobId, ticker, client.value],
  );
  return (
    <article class="details" aria-label={ticker}>
      <h2>
        {ticker} {stock.value?.name && <small>{stock.value.name}</small>}
      </h2>
      <div class="two">
        <Loaded of={stock}>
          {({ ohlcv, dataset_version }) => (
            <Figure
              title={say.chart(ticker)}
              source={{ datasetVersion: dataset_version, asOf }}
              table={<BarsTable caption={ticker} bars={ohlcv} />}
            >
              <CandleChart label={say.chart(ticker)} bars={ohlcv} levels={levelsOf(pick)} />
            </Figure>
          )}
        </Loaded>
        <Loaded of={why}>
          {({ explanation, featureName }) => (
            <Reasons of={explanation} featureName={featureName} baseRatePct={pick.base_rate_pct} />
          )}
        </Loaded>
      </div>
      <p class="actions">
        <a href={linkTo('market', ticker)}>{say.details}</a>
        <a href={linkTo('record')}>{say.record}</a>
      </p>
    </article>
  );
}

function levelsOf({ tick_prices: { entry_low, entry_high, stop, target } }: Pick): Level[] {
  const say = words.value;
  // A price outside the daily limits has no order, and none is drawn.
  return [
    { name: say.target, price: target, kind: 'target' as const },
    { name: say.entry, price: entry_high, kind: 'entry' as const },
    { name: '', price: entry_low, kind: 'entry' as const },
    { name: say.stop, price: stop, kind: 'stop' as const },
  ].filter((level): level is Level => level.price !== null);
}
