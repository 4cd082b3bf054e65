import { useState } from 'preact/hooks';
import type { Event, Job } from '#client/index.ts';
import { linkTo } from '#console/browser/routing.ts';
import { CandleChart } from '#console/charts/candle-chart.tsx';
import type { Level } from '#console/charts/candles.ts';
import { barsTable } from '#console/parts/figures/bars-table.ts';
import { Figure } from '#console/parts/figures/figure.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { ExplainPick } from '#console/parts/runs/explain-pick.tsx';
import { Reasons, useExplanation } from '#console/parts/runs/reasons.tsx';
import { Worth } from '#console/parts/runs/worth.tsx';
import { Source } from '#console/parts/source.tsx';
import { columnsFor } from '#console/parts/tables/columns.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import { useEvents } from '#console/session/live-events.ts';
import { isUnderWay } from '#console/session/live-run.ts';
import { client } from '#console/session/session.ts';
import { day, fixed, number, percent, signed } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { forgetTodaysRun, MODEL, todaysPicks, type TodaysPicks } from './todays-run.ts';
import { say } from './words.ts';

/** The dataset versions of test keys begin with this. */
const TEST_VERSIONS = 'synthetic-test-';

/** The first page that a person sees: today's picks of model F, and the reasons. */
export function PicksPage() {
  const [job, setJob] = useState<Job>();
  const picks = useLoading((signal) => todaysPicks(setJob, signal), [client.value]);
  const { waitingTitle, statuses, again } = say;
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
      <h1>{picks.value?.result ? say.title(day(picks.value.result.as_of)) : waitingTitle}</h1>
      <Loaded of={picks} waiting={job && isUnderWay(job) ? statuses[job.status] : shared.loading}>
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
      {pick ? (
        <>
          <PickTable picks={picks} chosen={pick.ticker} choose={choose} />
          <p class="hint">{say.order}</p>
          <Source datasetVersion={datasetVersion} asOf={as_of} />
          <PickDetails key={pick.ticker} jobId={job.job_id} pick={pick} asOf={as_of} />
        </>
      ) : (
        <NoPicks empty={empty} />
      )}
      <ExplainPick job={job} />
    </>
  );
}

type Result = NonNullable<TodaysPicks['result']>;
type Pick = Result['picks'][number];

/** A day without picks, and which change of the parameters would give some. */
function NoPicks({ empty }: { empty: Result['empty'] }) {
  return (
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
  );
}

interface PickTableProps {
  picks: readonly Pick[];
  chosen: string;
  choose: (ticker: string) => void;
}

function PickTable({ picks, chosen, choose }: PickTableProps) {
  const { text, numeric, figure } = columnsFor<Pick>();
  return (
    <DataTable
      name="picks"
      caption={say.table}
      rows={picks}
      keyOf={({ ticker }) => ticker}
      selected={chosen}
      columns={[
        text(shared.ticker, 'ticker', (ticker) => (
          <button
            type="button"
            class="choose"
            aria-pressed={ticker === chosen}
            aria-label={say.select(ticker)}
            onClick={() => choose(ticker)}
          >
            {ticker}
          </button>
        )),
        numeric(shared.rank, 'rank'),
        {
          ...numeric(say.chance, 'win_chance_pct'),
          of: (row) => `${percent(row.win_chance_pct)} / ${percent(row.base_rate_pct)}`,
        },
        { ...numeric(shared.score, 'score', (score) => fixed(score, 1)), isOrder: true },
        numeric(shared.probability, 'probability', (probability) => fixed(probability, 1)),
        {
          ...numeric(say.signals, 'signals'),
          of: (row) => `${number(row.signals)} (${signed(row.score_from_signals, 1)})`,
        },
        numeric(shared.close, 'close'),
        {
          ...figure(say.entry, 'entry_high', ({ tick_prices }) => tick_prices.entry_high),
          of: ({ tick_prices: { entry_low, entry_high } }) => `${number(entry_low)} – ${number(entry_high)}`,
        },
        figure(say.stop, 'stop', ({ tick_prices }) => tick_prices.stop),
        figure(say.target, 'target', ({ tick_prices }) => tick_prices.target),
      ]}
    />
  );
}

const DAYS = 90;

/** The chart of a pick with its levels, and the reasons for it. */
function PickDetails({ jobId, pick, asOf }: { jobId: string; pick: Pick; asOf: string }) {
  const { ticker } = pick;
  const stock = useLoading((signal) => client.value.data.stock(ticker, { days: DAYS, signal }), [ticker]);
  const why = useExplanation(jobId, ticker);
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
              table={barsTable(ticker, ohlcv)}
            >
              <CandleChart label={say.chart(ticker)} bars={ohlcv} levels={levelsOf(pick)} />
            </Figure>
          )}
        </Loaded>
        <Loaded of={why}>{(explained) => <Reasons of={explained} />}</Loaded>
      </div>
      <p class="actions">
        <a href={linkTo('market', ticker)}>{say.details}</a>
        <a href={linkTo('record')}>{say.record}</a>
      </p>
    </article>
  );
}

function levelsOf({ tick_prices: { entry_low, entry_high, stop, target } }: Pick): Level[] {
  // A price outside the daily limits has no order, so it is not drawn.
  return [
    { name: say.target, price: target, kind: 'target' as const },
    { name: say.entry, price: entry_high, kind: 'entry' as const },
    { name: '', price: entry_low, kind: 'entry' as const },
    { name: say.stop, price: stop, kind: 'stop' as const },
  ].filter((level): level is Level => level.price !== null);
}
