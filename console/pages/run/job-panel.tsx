import { useState } from 'preact/hooks';
import type { Job } from '#client/index.ts';
import { BarFigure } from '#console/parts/figures/bar-figure.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { ExplainPick } from '#console/parts/runs/explain-pick.tsx';
import { JobState } from '#console/parts/runs/job-state.tsx';
import { Worth } from '#console/parts/runs/worth.tsx';
import { Source } from '#console/parts/source.tsx';
import { StockLink } from '#console/parts/tables/columns.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import type { CellValue } from '#console/parts/tables/table-view.ts';
import { client } from '#console/session/session.ts';
import { moment, NONE, number } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { textOf } from './parameters.ts';
import { say } from './words.ts';

interface JobPanelProps {
  jobId: string;
  /** The last known status; undefined if the run is not followed. */
  status: Job['status'] | undefined;
  /** Puts values into the form. */
  loosen: (changes: Record<string, unknown>) => void;
}

/** A run: its state, its result, and the questions that it can answer. */
export function JobPanel({ jobId, status, loosen }: JobPanelProps) {
  return (
    <JobState jobId={jobId} status={status}>
      {({ job, datasetVersion }) => (
        <>
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
    </JobState>
  );
}

interface ResultProps {
  job: Job;
  datasetVersion: string | undefined;
  loosen: JobPanelProps['loosen'];
}

function Result({ job, datasetVersion, loosen }: ResultProps) {
  const result = job.result!;
  const source = { datasetVersion, asOf: result.as_of };
  const steps = funnelOf(result);
  const stepName = (name: string) => say.steps[name as keyof typeof say.steps] ?? name;
  const empty = 'empty' in result ? result.empty : undefined;
  return (
    <>
      <h2>
        {say.result}: {say.picks(job.summary?.pick_count ?? 0)}
      </h2>
      {'notice' in result && <p class="what-it-is">{result.notice}</p>}
      {job.evidence && <Worth of={job.evidence} />}
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
        <BarFigure
          title={say.funnel}
          source={source}
          measure={say.stocks}
          bar={([name, count]) => ({ label: stepName(name), value: count, shown: number(count) })}
          table={{
            rows: steps,
            keyOf: ([name]) => name,
            columns: [
              { title: say.step, of: ([name]) => stepName(name) },
              { title: say.stocks, isNumber: true, of: ([, count]) => number(count) },
            ],
          }}
        />
      )}
      {job.kind === 'model_run' && (
        <div class="two">
          <ExplainPick job={job} first={job.summary?.tickers[0]} />
          <Differences job={job} />
        </div>
      )}
    </>
  );
}

type Result = NonNullable<Job['result']>;
type Row = Record<string, unknown>;

/** The trades of a simulation, or the picks of a run with the model's values for each. Leaves out the features, which the explanation shows. */
function ResultRows({ of }: { of: Result }) {
  const rows = rowsOf(of);
  if (rows.length === 0) return null;
  const features = new Set<string>(featureNamesOf(of));
  const names = chanceFirst([...new Set(rows.flatMap((row) => Object.keys(row)))]).filter(
    (name) => !features.has(name) && rows.every((row) => typeof row[name] !== 'object' || row[name] === null),
  );
  const titles: Record<string, string> = say.columns;
  return (
    <DataTable<Row>
      name="result"
      caption={say.result}
      rows={rows}
      keyOf={(row) => `${tickerOf(row)} ${textOf(row['bought_on'])}`}
      columns={names.map((name) => ({
        title: titles[name] ?? name,
        field: name,
        value: (row) => valueIn(row[name]),
        isNumber: rows.some((row) => typeof row[name] === 'number'),
        isOrder: name === orderOf(of),
        of: (row) =>
          row[name] === tickerOf(row) ? (
            <StockLink to={tickerOf(row)} />
          ) : (
            <Shown value={name === 'Probability' ? withoutPercent(row[name]) : row[name]} />
          ),
      }))}
    />
  );
}

/** The contract has some numbers as texts, such as `9,100` and `77.1%`. */
function valueIn(shown: unknown): CellValue {
  if (typeof shown === 'string' && /^-?[\d,]+(\.\d+)?%?$/.test(shown))
    return Number(shown.replaceAll(/[,%]/g, ''));
  return shown as CellValue;
}

/** The columns that come first, under the names of both views. */
const FIRST =
  'Ticker,ticker,Rank,rank,win_chance_pct,base_rate_pct,Strategy Votes,strategy_votes,Score,score'.split(',');

/** Puts the chance beside the usual one before the score and the probability, which are easily taken for a chance. */
function chanceFirst(names: readonly string[]): string[] {
  const first = FIRST.filter((name) => names.includes(name));
  return [...first, ...names.filter((name) => !first.includes(name))];
}

/** The column that the rows are in the order of. Undefined for models without a score. */
function orderOf(result: Result): string | undefined {
  const [row = {}] = rowsOf(result);
  return ['Strategy Votes', 'strategy_votes', 'Score', 'score', 'Signals'].find((name) => name in row);
}

/** `77.1` for `77.1%`: a probability of superiority is no chance. */
function withoutPercent(probability: unknown): unknown {
  return typeof probability === 'string' ? probability.replace('%', '') : probability;
}

/** How many stocks passed each step, in the order of the steps. */
function funnelOf(result: Result): [string, number][] {
  const diag = ('diag' in result ? result.diag : {}) as Row;
  return Object.entries(diag).filter(
    (entry): entry is [string, number] =>
      typeof entry[1] === 'number' && /^(total_|after_|final$)/.test(entry[0]),
  );
}

function rowsOf(result: Result): readonly Row[] {
  if ('df_result' in result) return result.df_result;
  if ('trades' in result) return result.trades;
  return 'positions' in result ? result.positions : result.picks;
}

function tickerOf(row: Row): string {
  return String(row['Ticker'] ?? row['ticker']);
}

function featureNamesOf(result: Result): string[] {
  const { diag } = result as { diag?: { model?: { feature_names?: string[] } | null } };
  return diag?.model?.feature_names ?? [];
}

/** Longer texts get a wide cell. Otherwise their column would be as narrow as one word, and their row very high. */
const LONG = 30;

function Shown({ value }: { value: unknown }) {
  if (typeof value === 'number') return <>{number(value, 2)}</>;
  const text = textOf(value) || NONE;
  return text.length > LONG ? <div class="wide">{text}</div> : <>{text}</>;
}

const JOBS = 100;

/** How the picks differ from those of an earlier run of the same model. */
function Differences({ job }: { job: Job }) {
  const jobs = useLoading((signal) => client.value.jobs.list({ limit: JOBS, signal }), [job.job_id]);
  const [before, choose] = useState<string>();
  return (
    <section>
      <h3>{say.diff}</h3>
      <Loaded of={jobs}>
        {(all) => {
          const earlier = all.filter(
            ({ job_id, target, result_available, created_at }) =>
              job_id !== job.job_id &&
              target === job.target &&
              result_available &&
              created_at < job.created_at,
          );
          if (earlier.length === 0) return <p>{say.noEarlier}</p>;
          return (
            <form
              class="inline"
              onSubmit={(event) => {
                event.preventDefault();
                choose(new FormData(event.currentTarget).get('before') as string);
              }}
            >
              <label for="before">{say.earlier}</label>
              <select id="before" name="before">
                {earlier.map(({ job_id, created_at, summary }) => (
                  <option key={job_id} value={job_id}>
                    {moment(created_at)} · {say.picks(summary?.pick_count ?? 0)}
                  </option>
                ))}
              </select>
              <button type="submit">{shared.compare}</button>
            </form>
          );
        }}
      </Loaded>
      {before && <Compared key={before} jobId={job.job_id} before={before} />}
    </section>
  );
}

function Compared({ jobId, before }: { jobId: string; before: string }) {
  const diff = useLoading((signal) => client.value.jobs.diff(jobId, before, { signal }), [client.value]);
  return (
    <Loaded of={diff}>
      {({ params_changed, entered, left, stayed }) => (
        <dl class="differences">
          <dt>{say.changed}</dt>
          <dd>
            {params_changed.length === 0 && shared.none}
            {params_changed.map(({ param, before, now }) => (
              <div key={param}>
                <code>
                  {param}: {String(before)} → {String(now)}
                </code>
              </div>
            ))}
          </dd>
          {[
            { name: shared.entered, names: entered } as const,
            { name: shared.left, names: left } as const,
          ].map(({ name, names }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {names.length === 0 && shared.none}
                {names.map(({ ticker, message }) => (
                  <div key={ticker}>
                    <strong>{ticker}</strong> {message}
                  </div>
                ))}
              </dd>
            </div>
          ))}
          <dt>{say.stayed}</dt>
          <dd>{stayed.map(({ ticker }) => ticker).join(', ') || shared.none}</dd>
        </dl>
      )}
    </Loaded>
  );
}
