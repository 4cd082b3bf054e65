import type { Job } from '#gateway/client/index.ts';
import { BarRows } from '#console/charts/bar-rows.tsx';
import { Facts } from '#console/parts/facts.tsx';
import { Figure } from '#console/parts/figure.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { Source } from '#console/parts/source.tsx';
import { answeredJob } from '#console/session/live-run.ts';
import { client } from '#console/session/session.ts';
import { number, seconds } from '#console/words/formats.ts';
import { DataTable } from '#console/parts/data-table.tsx';
import { Differences } from './differences.tsx';
import { ExplainName } from './explain-name.tsx';
import { funnelOf, ResultRows } from './result-rows.tsx';
import { words } from './words.ts';

interface JobPanelProps {
  jobId: string;
  /** As it was seen last, of a run that is followed. */
  status: Job['status'] | undefined;
  /** Puts values into the form. */
  loosen: (changes: Record<string, unknown>) => void;
}

/** A run: how it stands, what it came to, and what can be asked of it. */
export function JobPanel({ jobId, status, loosen }: JobPanelProps) {
  const say = words.value;
  const answered = useLoading((signal) => answeredJob(jobId, signal), [jobId, status, client.value]);
  return (
    <section class="job" aria-label={say.job}>
      <Loaded of={answered}>
        {({ job, datasetVersion }) => (
          <>
            <div role="status">
              <Facts
                facts={[
                  { name: say.status, value: <span class={job.status}>{say.statuses[job.status]}</span> },
                  { name: say.took, value: seconds(job.duration_seconds) },
                  { name: say.job, value: <code>{job.job_id}</code> },
                ]}
              />
            </div>
            {job.error && (
              <p class="failure" role="alert">
                {job.error.message}
              </p>
            )}
            {job.result && <Result job={job} datasetVersion={datasetVersion} loosen={loosen} />}
            {job.status === 'succeeded' && !job.result && job.summary && (
              <>
                <p class="notice">{say.resultGone}</p>
                <p>
                  {say.picks(job.summary.pick_count)}: {job.summary.tickers.join(', ')}
                </p>
              </>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

interface ResultProps {
  job: Job;
  datasetVersion: string | undefined;
  loosen: JobPanelProps['loosen'];
}

function Result({ job, datasetVersion, loosen }: ResultProps) {
  const say = words.value;
  const result = job.result!;
  const source = { datasetVersion, asOf: result.as_of };
  const steps = funnelOf(result);
  const funnelRows = steps.map(([name, count]) => ({
    label: say.steps[name as keyof typeof say.steps] ?? name,
    value: count,
    shown: number(count),
  }));
  const empty = 'empty' in result ? result.empty : undefined;
  return (
    <>
      <h2>
        {say.result}: {say.picks(job.summary?.pick_count ?? 0)}
      </h2>
      {'notice' in result && <p class="what-it-is">{result.notice}</p>}
      {empty && (
        <>
          <p>{say.noPicks}</p>
          <h3>{say.loosen}</h3>
          <ul>
            {empty.suggestions.map(({ param, value, label, why }) => (
              <li key={param}>
                <strong>{label}</strong>. {why}{' '}
                <button type="button" onClick={() => loosen({ [param]: value })}>
                  {say.use(param, String(value))}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <ResultRows of={result} />
      <Source {...source} />
      {steps.length > 0 && (
        <Figure
          title={say.funnel}
          source={source}
          table={
            <DataTable
              caption={say.funnel}
              rows={funnelRows}
              keyOf={({ label }) => label}
              columns={[
                { title: say.step, of: ({ label }) => label },
                { title: say.stocks, isNumber: true, of: ({ shown }) => shown },
              ]}
            />
          }
        >
          <BarRows caption={say.funnel} columns={{ name: say.step, value: say.stocks }} rows={funnelRows} />
        </Figure>
      )}
      <div class="two">
        <ExplainName job={job} />
        <Differences job={job} />
      </div>
    </>
  );
}
