import type { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

type Run = UsageRecorded & { day: string };

const JAKARTA_OFFSET_MS = 7 * 3_600_000;

/** Every counting view of the ledger, computed with simple loops from the latest state of each run. */
export function plainViews(latest: UsageRecorded[]): Record<string, Row[]> {
  const runs = latest.map((run) => ({ ...run, day: jakartaDay(run.ts!) }));
  const picks = withStatus(runs, 'succeeded').flatMap((run) =>
    [...new Set(run.summary!.tickers)].map((ticker, index) => ({ ...run, ticker, rank: index + 1 })),
  );
  return {
    run_v1: runs.map(runRow),
    run_v2: runs.map((run) => ({ ...runRow(run), actor: run.actor })),
    run_v3: runs.map((run) => ({ ...runRow(run), actor: run.actor, ...datasetOf(run), ...errorOf(run) })),
    runs_per_day_v1: grouped(runs, ['day', 'model_id', 'channel'], runsPerDay),
    durations_per_day_v1: grouped(runs.filter(wasTimed), ['day', 'model_id'], durations),
    errors_per_day_v1: grouped(runs.filter(hasEnded), ['day', 'model_id'], errors),
    errors_per_day_v2: grouped(runs.filter(hasEnded), ['day', 'model_id'], errorsWithCodes),
    pick_v1: picks.map(pickRow),
    pick_v2: picks.map((pick) => ({ ...pickRow(pick), ...datasetOf(pick) })),
    picks_by_ticker_v1: grouped(picks, ['ticker'], picksOfTicker),
    picks_by_ticker_v2: grouped(
      picks.map((pick) => ({ ...pick, ...datasetOf(pick) })),
      ['ticker', 'dataset_kind'],
      picksOfTicker,
    ),
    keys_per_day_v1: grouped(runs, ['day', 'api_key_id', 'channel'], keyUse),
    end_users_v1: grouped(runs.filter(hasEndUser), ['api_key_id', 'end_user'], endUser),
    end_user_cohorts_v1: cohorts(runs.filter(hasEndUser)),
  };
}

const hasEnded = ({ status }: Run) => status !== 'started';
const wasTimed = (run: Run) => hasEnded(run) && run.duration_seconds > 0;
const hasEndUser = ({ end_user }: Run) => end_user !== '';
const withStatus = (runs: Run[], ...wanted: string[]) => runs.filter(({ status }) => wanted.includes(status));

/** The columns of the first version. */
function runRow({ day, summary, ts, ...whole }: Run): Row {
  const { actor: _actor, dataset_version: _version, dataset_kind: _kind, error_code: _code, ...run } = whole;
  return {
    ...run,
    jakarta_day: day,
    ts: moment(ts!),
    params: JSON.stringify(run.params),
    pick_count: summary?.pick_count ?? null,
    tickers: summary?.tickers ?? [],
    target_date: summary?.target_date ?? null,
  };
}

const datasetOf = ({ dataset_version = '', dataset_kind = '' }: Run) => ({ dataset_version, dataset_kind });
const errorOf = ({ error_code = '' }: Run) => ({ error_code });

function counts(runs: Run[]): Row {
  const of = (status: string) => withStatus(runs, status).length;
  return {
    runs: runs.length,
    started: of('started'),
    succeeded: of('succeeded'),
    failed: of('failed'),
    interrupted: of('interrupted'),
  };
}

function runsPerDay(runs: Run[]): Row {
  const empty = withStatus(runs, 'succeeded').filter(({ summary }) => summary!.pick_count === 0);
  return { ...counts(runs), empty_results: empty.length };
}

function durations(runs: Run[]): Row {
  const sorted = runs.map(({ duration_seconds }) => duration_seconds).sort((a, b) => a - b);
  return {
    ended_runs: sorted.length,
    mean_seconds: sum(sorted) / sorted.length,
    p50_seconds: quantile(sorted, 0.5),
    p90_seconds: quantile(sorted, 0.9),
    p99_seconds: quantile(sorted, 0.99),
    max_seconds: sorted.at(-1),
  };
}

function errors(runs: Run[]): Row {
  const wrong = withStatus(runs, 'failed', 'interrupted');
  return {
    ended_runs: runs.length,
    failed: withStatus(runs, 'failed').length,
    interrupted: withStatus(runs, 'interrupted').length,
    error_rate: wrong.length / runs.length,
    end_users: people(wrong).size,
    api_keys: distinct(wrong, 'api_key_id').length,
    last_error_at: wrong.length === 0 ? null : moment(latestOf(wrong)),
  };
}

function errorsWithCodes(runs: Run[]): Row {
  const byCode = Map.groupBy(withStatus(runs, 'failed', 'interrupted'), (run) => errorOf(run).error_code);
  const counted = [...byCode].map(([code, wrong]) => [code, wrong.length] as const);
  return { ...errors(runs), error_codes: Object.fromEntries(counted.sort()) };
}

type Pick = Run & { rank: number; ticker: string };

function pickRow({ event_id, ts, day, channel, actor, api_key_id, end_user, ...pick }: Pick): Row {
  const { model_id, rank, ticker } = pick;
  const target_date = pick.summary!.target_date;
  const who = { channel, actor, api_key_id, end_user };
  return { event_id, ts: moment(ts!), jakarta_day: day, ...who, model_id, target_date, rank, ticker };
}

function picksOfTicker(picks: Pick[]): Row {
  return {
    runs: picks.length,
    models: distinct(picks, 'model_id'),
    mean_rank: sum(picks.map(({ rank }) => rank)) / picks.length,
    end_users: people(picks).size,
    api_keys: distinct(picks, 'api_key_id').length,
    first_picked_at: moment(earliestOf(picks)),
    last_picked_at: moment(latestOf(picks)),
    last_target_date: picks
      .map(({ summary }) => summary!.target_date)
      .sort()
      .at(-1),
  };
}

function keyUse(runs: Run[]): Row {
  return {
    ...counts(runs),
    end_users: people(runs).size,
    compute_seconds: sum(runs.map(({ duration_seconds }) => duration_seconds)),
    picks: sum(runs.map(({ summary }) => summary?.pick_count ?? 0)),
  };
}

function endUser(runs: Run[]): Row {
  const days = distinct(runs, 'day');
  return {
    first_day: days[0],
    last_day: days.at(-1),
    active_days: days.length,
    runs: runs.length,
    succeeded: withStatus(runs, 'succeeded').length,
    models: distinct(runs, 'model_id'),
    first_seen_at: moment(earliestOf(runs)),
    last_seen_at: moment(latestOf(runs)),
  };
}

function cohorts(runs: Run[]): Row[] {
  const firstWeek = new Map<string, string>();
  const person = ({ api_key_id, end_user }: Run) => `${api_key_id} ${end_user}`;
  for (const run of runs.toSorted((a, b) => a.ts!.getTime() - b.ts!.getTime())) {
    if (!firstWeek.has(person(run))) firstWeek.set(person(run), mondayOf(run.day));
  }
  const weekly = runs.map((run) => ({
    ...run,
    cohort_week: firstWeek.get(person(run))!,
    week: mondayOf(run.day),
  }));
  return grouped(weekly, ['api_key_id', 'cohort_week', 'week'], (present) => {
    const { api_key_id, cohort_week, week } = present[0]!;
    const inCohort = weekly.filter((run) => run.api_key_id === api_key_id && run.cohort_week === cohort_week);
    const [here, all] = [people(present).size, people(inCohort).size];
    const weeks_since = (Date.parse(week) - Date.parse(cohort_week)) / (7 * DAY_MS);
    return { weeks_since, cohort_size: all, end_users: here, retention: here / all };
  });
}

function people(runs: Run[]): Set<string> {
  return new Set(runs.filter(hasEndUser).map(({ api_key_id, end_user }) => `${api_key_id} ${end_user}`));
}

function distinct(runs: Run[], field: 'model_id' | 'api_key_id' | 'day'): string[] {
  return [...new Set(runs.map((run) => run[field]))].sort();
}

const times = (runs: Run[]) => runs.map(({ ts }) => ts!.getTime());
const earliestOf = (runs: Run[]) => new Date(Math.min(...times(runs)));
const latestOf = (runs: Run[]) => new Date(Math.max(...times(runs)));
const moment = (time: Date) => time.toISOString().replace('T', ' ').replace('Z', '');

function jakartaDay(time: Date): string {
  return new Date(time.getTime() + JAKARTA_OFFSET_MS).toISOString().slice(0, 10);
}

function mondayOf(day: string): string {
  const time = Date.parse(day);
  const sinceMonday = (new Date(time).getUTCDay() + 6) % 7;
  return new Date(time - sinceMonday * DAY_MS).toISOString().slice(0, 10);
}

type Row = Record<string, unknown>;

/** A row for each distinct combination of the columns. The column `day` is named `jakarta_day` in the row. */
function grouped<Item extends object>(
  items: Item[],
  columns: (keyof Item & string)[],
  rest: (items: Item[]) => Row,
): Row[] {
  const groups = Map.groupBy(items, (item) => JSON.stringify(columns.map((column) => item[column])));
  return [...groups.values()].map((members) => ({
    ...Object.fromEntries(
      columns.map((column) => [column === 'day' ? 'jakarta_day' : column, members[0]![column]]),
    ),
    ...rest(members),
  }));
}

/** Interpolates between the two nearest values. Level 0 is the smallest, 1 the largest. */
function quantile(sorted: number[], level: number): number {
  const position = (sorted.length - 1) * level;
  const below = sorted[Math.floor(position)]!;
  return below + (sorted[Math.ceil(position)]! - below) * (position % 1);
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
