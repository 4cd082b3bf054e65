import { useState } from 'preact/hooks';
import type { Job } from '#gateway/client/index.ts';
import { DataTable } from '#console/parts/data-table.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { Source } from '#console/parts/source.tsx';
import { linkTo } from '#console/routing.ts';
import { client } from '#console/session/session.ts';
import { day, fixed, number, percent } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { PickDetails } from './pick-details.tsx';
import { forgetTodaysRun, MODEL, todaysPicks, type TodaysPicks } from './todays-run.ts';
import { words } from './words.ts';

/** What a person sees first: today's picks of model F, and why. */
export function PicksPage() {
  const [job, setJob] = useState<Job>();
  const picks = useLoading((signal) => todaysPicks(setJob, signal), [client.value]);
  const { waitingTitle, statuses, again } = words.value;
  const runAgain = () => {
    forgetTodaysRun();
    picks.reload();
  };
  return (
    <>
      <h1>{picks.value?.result ? words.value.title(day(picks.value.result.as_of)) : waitingTitle}</h1>
      <Loaded
        of={picks}
        waiting={
          job?.status === 'queued' || job?.status === 'running' ? statuses[job.status] : shared.value.loading
        }
      >
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
            caption={say.table}
            rows={picks}
            keyOf={({ ticker }) => ticker}
            selected={pick.ticker}
            columns={[
              {
                title: shared.value.ticker,
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
              { title: say.probability, isNumber: true, of: (row) => fixed(row.probability, 1) },
              { title: say.chance, isNumber: true, of: (row) => percent(row.win_chance_pct) },
              { title: say.signals, isNumber: true, of: ({ signals }) => number(signals) },
              { title: say.close, isNumber: true, of: ({ close }) => number(close) },
              {
                title: say.entry,
                isNumber: true,
                of: ({ tick_prices: { entry_low, entry_high } }) =>
                  `${number(entry_low)} – ${number(entry_high)}`,
              },
              { title: say.stop, isNumber: true, of: ({ tick_prices }) => number(tick_prices.stop) },
              { title: say.target, isNumber: true, of: ({ tick_prices }) => number(tick_prices.target) },
            ]}
          />
          <Source datasetVersion={datasetVersion} asOf={as_of} />
          <PickDetails key={pick.ticker} jobId={job.job_id} pick={pick} asOf={as_of} />
        </>
      )}
    </>
  );
}
