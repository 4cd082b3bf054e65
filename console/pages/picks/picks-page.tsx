import { useState } from 'preact/hooks';
import type { Event, Job, ResultOf } from '#client/index.ts';
import { BarsTable } from '#console/charts/bars-table.tsx';
import { CandleChart } from '#console/charts/candle-chart.tsx';
import type { Level } from '#console/charts/candles.ts';
import { DataTable } from '#console/parts/data-table.tsx';
import { ExplainPick } from '#console/parts/explain-pick.tsx';
import { Figure } from '#console/parts/figure.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { Reasons } from '#console/parts/reasons.tsx';
import { Source } from '#console/parts/source.tsx';
import { Worth } from '#console/parts/worth.tsx';
import { linkTo } from '#console/routing.ts';
import { useEvents } from '#console/session/live-events.ts';
import { featureNames } from '#console/session/feature-names.ts';
import { isUnderWay } from '#console/session/live-run.ts';
import { client } from '#console/session/session.ts';
import { day, fixed, number, percent, signed } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { forgetTodaysRun, MODEL, todaysPicks, type TodaysPicks } from './todays-run.ts';
import { words } from './words.ts';

/** The dataset versions of test keys begin with this. */
const TEST_VERSIONS = 'synthetic-test-';

/** The first page that a person sees: today's picks of model F, and the reasons. */
export function PicksPage() {
  const [job, setJob] = useState<Job>();
  const picks = useLoading((signal) => todaysPicks(setJob, signal), [client.value]);
  const { waitingTitle, statuses, again } = words.value;
  const runAgain = () => {
    forgetTodaysRun();
    picks.reload();
  };
  const runOnNewDay = async (event: Event | undefined) => {
    const seen = picks.value?.datasetVersion;
    // No day comes after the last of the test market, whatever is served.
    if (seen?.startsWith(TEST_VERSIONS)) return;
    const newest = await newestVersion(event).catch(() => undefined);
    if (seen !== undefined && newest !== undefined && seen !== newest) runAgain();
  };
  useEvents(['dataset.published'], (event) => void runOnNewDay(event));
  return (
    <>
      <h1>{picks.value?.result ? words.value.title(day(picks.value.result.as_of)) : waitingTitle}</h1>
      <Loaded of={picks} waiting={job && isUnderWay(job) ? statuses[job.status] : shared.value.loading}>
        {(value) => <Picks of={value} />}
      </Loaded>
      {!picks.isBusy && (
        <p class="actions">
          <button type="button" onClick={runAgain}>
            {again}
          </button>
        </p>
      )}
    </>
  );
}

async function newestVersion(event: Event | undefined): Promise<string | undefined> {
  if (event?.type === 'dataset.published') return event.data.dataset_version;
  return (await client.peek().health()).dataset?.version;
}

function Picks({ of: { job, result, datasetVersion } }: { of: TodaysPicks }) {
  const say = words.value;
  const [chosen, choose] = useState<string>();
  if (!result)
    return (
      <div class="failure" role="alert">
        <p>{say.ended(job.status)}</p>
        <p>{job.error?.message}</p>
      </div>
    );
  const { picks, as_of, notice, empty } = result;
  const pick = picks.find(({ ticker }) => ticker === chosen) ?? picks[0];
  return (
    <>
      <p>{say.model}</p>
      <p class="what-it-is">{notice}</p>
      {job.evidence && <Worth of={job.evidence} />}
      {!pick && (
        <>
          <p>{say.nothing}</p>
          {empty && <p>{empty.message}</p>}
          <ul>
            {empty?.suggestions.map(({ param, why }) => (
              <li key={param}>{why}</li>
            ))}
          </ul>
          <p class="actions">
            <a href={linkTo('run', MODEL)}>{say.change}</a>
          </p>
        </>
      )}
      {pick && (
        <>
          <DataTable
            name="picks"
            caption={say.table}
            rows={picks}
            keyOf={({ ticker }) => ticker}
            selected={pick.ticker}
            columns={[
              {
                title: shared.value.ticker,
                field: 'ticker',
                value: ({ ticker }) => ticker,
                of: ({ ticker }) => (
                  <button
                    type="button"
                    class="choose"
                    aria-pressed={ticker === pick.ticker}
                    aria-label={say.select(ticker)}
                    onClick={() => choose(ticker)}
                  >
                    {ticker}
                  </button>
                ),
              },
              {
                title: say.rank,
                isNumber: true,
                field: 'rank',
                value: ({ rank }) => rank,
                of: ({ rank }) => number(rank),
              },
              {
                title: say.chance,
                isNumber: true,
                field: 'win_chance_pct',
                value: (row) => row.win_chance_pct,
                of: (row) => `${percent(row.win_chance_pct)} / ${percent(row.base_rate_pct)}`,
              },
              {
                title: say.score,
                isNumber: true,
                isOrder: true,
                field: 'score',
                value: ({ score }) => score,
                of: ({ score }) => fixed(score, 1),
              },
              {
                title: say.probability,
                isNumber: true,
                field: 'probability',
                value: (row) => row.probability,
                of: (row) => fixed(row.probability, 1),
              },
              {
                title: say.signals,
                isNumber: true,
                field: 'signals',
                value: (row) => row.signals,
                of: (row) => `${number(row.signals)} (${signed(row.score_from_signals, 1)})`,
              },
              {
                title: say.close,
                isNumber: true,
                field: 'close',
                value: ({ close }) => close,
                of: ({ close }) => number(close),
              },
              {
                title: say.entry,
                isNumber: true,
                field: 'entry_high',
                value: (row) => row.tick_prices.entry_high,
                of: ({ tick_prices: { entry_low, entry_high } }) =>
                  `${number(entry_low)} – ${number(entry_high)}`,
              },
              {
                title: say.stop,
                isNumber: true,
                field: 'stop',
                value: (row) => row.tick_prices.stop,
                of: ({ tick_prices }) => number(tick_prices.stop),
              },
              {
                title: say.target,
                isNumber: true,
                field: 'target',
                value: (row) => row.tick_prices.target,
                of: ({ tick_prices }) => number(tick_prices.target),
              },
            ]}
          />
          <p class="hint">{say.order}</p>
          <Source datasetVersion={datasetVersion} asOf={as_of} />
          <PickDetails key={pick.ticker} jobId={job.job_id} pick={pick} asOf={as_of} />
        </>
      )}
      <ExplainPick job={job} />
    </>
  );
}

type Pick = ResultOf<'model_f_combined', 'compact'>['picks'][number];

const DAYS = 90;

/** The chart of a pick with its levels, and the reasons for it. */
function PickDetails({ jobId, pick, asOf }: { jobId: string; pick: Pick; asOf: string }) {
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
          {({ explanation, featureName }) => <Reasons of={explanation} featureName={featureName} />}
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
  // A price outside the daily limits has no order, so it is not drawn.
  return [
    { name: say.target, price: target, kind: 'target' as const },
    { name: say.entry, price: entry_high, kind: 'entry' as const },
    { name: '', price: entry_low, kind: 'entry' as const },
    { name: say.stop, price: stop, kind: 'stop' as const },
  ].filter((level): level is Level => level.price !== null);
}
