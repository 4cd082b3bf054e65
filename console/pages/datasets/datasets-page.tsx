import type { Schemas } from '#client/index.ts';
import { linkTo } from '#console/browser/routing.ts';
import { BarRows } from '#console/charts/bar-rows.tsx';
import { Figure } from '#console/parts/figures/figure.tsx';
import { Loaded, useLoading, useRefreshing, type Loading } from '#console/parts/loading.tsx';
import { Synthetic } from '#console/parts/source.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import { LoadedTable } from '#console/parts/tables/loaded-table.tsx';
import { client } from '#console/session/session.ts';
import { day, moment, number } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { FetchLog } from './fetch-log.tsx';
import { say } from './words.ts';

/** Short enough to watch days arrive, also at the pace of a demonstration. */
const REFRESH_MS = 5_000;

/**
 * The sources of new days, every dataset version, the history of served versions, the rows that the import of a version refused,
 * and the log of fetches. What changes by itself is shown as it changes.
 */
export function DatasetsPage({ argument }: { argument: string }) {
  const sources = useRefreshing((signal) => client.value.operator.feedSources({ signal }), [], REFRESH_MS);
  const datasets = useRefreshing((signal) => client.value.operator.datasets({ signal }), [], REFRESH_MS);
  return (
    <>
      <h1>{say.title}</h1>
      <h2>{say.sources}</h2>
      <FeedSources of={sources} />
      <h2>{say.versions}</h2>
      <Loaded of={datasets}>
        {({ datasets: versions, served_version }) => {
          const isLost = served_version !== '' && versions.every(({ version }) => version !== served_version);
          const chosen = argument || served_version;
          return (
            <>
              {isLost && <p class="notice">{say.lost(served_version)}</p>}
              <Versions versions={versions} served={served_version} chosen={chosen} />
              {chosen && <Findings key={chosen} version={chosen} />}
            </>
          );
        }}
      </Loaded>
      <h2>{say.history}</h2>
      <History />
      <h2>{say.log}</h2>
      <FetchLog sources={(sources.value ?? []).map(({ name }) => name)} everyMs={REFRESH_MS} />
    </>
  );
}

interface VersionsProps {
  versions: readonly Schemas['AdminDataset'][];
  served: string;
  chosen: string;
}

function Versions({ versions, served, chosen }: VersionsProps) {
  return (
    <DataTable
      caption={say.versions}
      rows={versions}
      empty={say.none}
      keyOf={({ version }) => version}
      selected={chosen}
      columns={[
        {
          title: shared.version,
          of: ({ version, kind }) => (
            <>
              <a class="unbroken" href={linkTo('datasets', version)}>
                {version}
              </a>
              {version === served && <small class="succeeded"> {say.served}</small>}
              {kind === 'synthetic' && <Synthetic />}
            </>
          ),
        },
        { title: shared.from, of: ({ first_date }) => day(first_date) },
        {
          title: shared.to,
          of: ({ last_date, whole_until }) => (
            <>
              {day(last_date)}
              {whole_until !== last_date && (
                <small class="failed">
                  {' '}
                  {say.wholeUntil(day(whole_until))} <code>saring dataset accept-day {last_date}</code>
                </small>
              )}
            </>
          ),
        },
        { title: say.tickers, isNumber: true, of: ({ tickers }) => number(tickers) },
        { title: say.bars, isNumber: true, of: ({ bars }) => number(bars) },
        {
          title: say.brokers,
          isNumber: true,
          of: ({ broker_data, broker_rows }) => `${number(broker_rows)} (${broker_data})`,
        },
        { title: say.refused, isNumber: true, of: ({ rejected_rows }) => number(rejected_rows) },
        { title: say.published, of: ({ published_at }) => moment(published_at) },
        { title: shared.source, of: ({ source }) => source },
      ]}
    />
  );
}

function History() {
  const served = useRefreshing((signal) => client.value.operator.servedDatasets({ signal }), [], REFRESH_MS);
  return (
    <LoadedTable
      of={served}
      caption={say.history}
      keyOf={({ served_at, version }) => `${served_at} ${version}`}
      columns={[
        { title: shared.since, of: ({ served_at }) => moment(served_at) },
        {
          title: shared.version,
          of: ({ version, is_published }) => (
            <span class="unbroken">{is_published ? version : `${version} (${say.removed})`}</span>
          ),
        },
        { title: say.action, of: ({ action }) => action },
        { title: shared.by, of: ({ actor }) => actor },
        { title: shared.why, of: ({ reason }) => reason },
      ]}
    />
  );
}

/** Enough to see the problem with a file. */
const ROWS = 200;

/** The rows that the import of a version refused, by reason and one by one. */
function Findings({ version }: { version: string }) {
  const title = say.findings(version);
  const rejected = useLoading((signal) =>
    client.value.operator.rejectedRows(version, { limit: ROWS, signal }),
  );
  return (
    <>
      <h2>{title}</h2>
      <Loaded of={rejected}>
        {(rows) => {
          if (rows.length === 0) return <p>{say.noFindings}</p>;
          const byReason = [...Map.groupBy(rows, ({ reason }) => reason)]
            .map(([label, { length }]) => ({ label, value: length, shown: number(length) }))
            .toSorted((a, b) => b.value - a.value);
          return (
            <Figure
              title={say.byReason}
              source={say.first(number(rows.length))}
              table={{
                caption: title,
                rows,
                keyOf: ({ file, line }) => `${file}:${line}`,
                columns: [
                  { title: say.place, of: ({ file, line }) => `${file}:${line}` },
                  { title: shared.why, of: ({ reason }) => reason },
                  { title: say.text, of: ({ text }) => <code>{text}</code> },
                ],
              }}
            >
              <BarRows
                caption={say.byReason}
                columns={{ name: shared.why, value: say.rows }}
                rows={byReason}
              />
            </Figure>
          );
        }}
      </Loaded>
    </>
  );
}

type Source = Schemas['FeedSource'];

/** States without a class need no attention. */
const CLASS_OF: Partial<Record<Source['state'], string>> = {
  failing: 'failed',
  paused: 'failed',
  idle: 'succeeded',
};

/** Every source of new days: what it brought, what it waits for and why. Each leads to its part of the log. */
function FeedSources({ of }: { of: Loading<readonly Source[]> }) {
  return (
    <LoadedTable
      of={of}
      caption={say.sources}
      empty={say.noSources}
      keyOf={({ name }) => name}
      columns={[
        {
          title: shared.source,
          of: ({ name, origin }) => (
            <a href={linkTo('datasets', '', { source: name })} title={origin}>
              {name}
            </a>
          ),
        },
        { title: say.format, of: ({ format }) => say.formats[format] },
        { title: shared.state, of: (source) => <State of={source} /> },
        { title: say.lastDay, of: ({ last_day }) => day(last_day) },
        { title: say.dueDay, of: ({ due_day }) => (due_day ? day(due_day) : '') },
        { title: say.nextAttempt, of: ({ next_attempt_at }) => moment(next_attempt_at) },
        {
          title: say.requests,
          isNumber: true,
          of: ({ requests_today, requests_per_day }) =>
            say.ofRequests(number(requests_today), number(requests_per_day)),
        },
        { title: shared.why, of: ({ reason }) => reason ?? '' },
      ]}
    />
  );
}

function State({ of: { state, catch_up } }: { of: Source }) {
  return (
    <>
      <span class={CLASS_OF[state]}>{say.states[state]}</span>
      {catch_up && (
        <>
          {' '}
          <small>
            {say.catchUp(
              number(catch_up.days_done),
              number(catch_up.days),
              day(catch_up.from),
              day(catch_up.to),
            )}
          </small>
        </>
      )}
    </>
  );
}
