import { BarRows } from '#console/charts/bar-rows.tsx';
import { DayBars } from '#console/charts/day-bars.tsx';
import { DataTable } from '#console/parts/data-table.tsx';
import { Figure } from '#console/parts/figure.tsx';
import { Facts } from '#console/parts/facts.tsx';
import { Loaded } from '#console/parts/loaded.tsx';
import { useLoading } from '#console/parts/loading.ts';
import { linkTo } from '#console/routing.ts';
import { client, rateLimit } from '#console/session/session.ts';
import { day, moment, number, seconds } from '#console/words/formats.ts';
import { Jobs } from './jobs.tsx';
import { words } from './words.ts';

/** What a key may do, and what it has done. */
export function UsagePage() {
  const say = words.value;
  const key = useLoading((signal) => client.value.key({ signal }), []);
  return (
    <>
      <h1>{say.title}</h1>
      <h2>{say.key}</h2>
      <Loaded of={key}>
        {({ name, hint, scopes, rate_limit_per_minute, expires_at }) => (
          <Facts
            facts={[
              { name: say.name, value: name, note: `${hint}…` },
              { name: say.scopes, value: scopes.join(', ') },
              {
                name: say.limit,
                value: number(rate_limit_per_minute),
                ...(rateLimit.value && { note: say.left(number(rateLimit.value.remaining)) }),
              },
              { name: say.expires, value: expires_at ? moment(expires_at) : say.never },
            ]}
          />
        )}
      </Loaded>
      <RunsByDay />
      <div class="two">
        <RunsByModel />
        <EndUsers />
      </div>
      <Jobs />
    </>
  );
}

function RunsByDay() {
  const say = words.value;
  const summary = useLoading((signal) => client.value.usage.summary({ group_by: 'day', signal }), []);
  return (
    <>
      <h2>{say.byDay}</h2>
      <Loaded of={summary}>
        {({ rows }) => {
          if (rows.length === 0) return <p>{say.nothing}</p>;
          const days = rows.toReversed();
          return (
            <Figure
              title={say.byDay}
              source={say.ledger}
              table={
                <DataTable
                  caption={say.byDay}
                  rows={rows}
                  keyOf={({ key }) => key ?? ''}
                  columns={[
                    { title: say.day, of: ({ key }) => day(key) },
                    { title: say.runs, isNumber: true, of: ({ runs }) => number(runs) },
                    { title: say.succeeded, isNumber: true, of: ({ succeeded }) => number(succeeded) },
                    { title: say.failed, isNumber: true, of: ({ failed }) => number(failed) },
                    {
                      title: say.average,
                      isNumber: true,
                      of: ({ avg_duration_seconds }) => seconds(avg_duration_seconds),
                    },
                  ]}
                />
              }
            >
              <DayBars
                label={say.byDay}
                days={days.map(({ key }) => key ?? '')}
                series={[
                  { name: say.succeeded, kind: 'first', values: days.map(({ succeeded }) => succeeded) },
                  { name: say.failed, kind: 'second', values: days.map(({ failed }) => failed) },
                ]}
                format={(value) => number(value)}
              />
            </Figure>
          );
        }}
      </Loaded>
    </>
  );
}

function RunsByModel() {
  const say = words.value;
  const summary = useLoading((signal) => client.value.usage.summary({ group_by: 'model', signal }), []);
  return (
    <section>
      <Loaded of={summary}>
        {({ rows }) => (
          <Figure
            title={say.byModel}
            source={say.ledger}
            table={
              <DataTable
                caption={say.byModel}
                rows={rows}
                keyOf={({ key }) => key ?? ''}
                columns={[
                  { title: say.model, of: ({ key }) => key ?? '' },
                  { title: say.runs, isNumber: true, of: ({ runs }) => number(runs) },
                ]}
              />
            }
          >
            <BarRows
              caption={say.byModel}
              columns={{ name: say.model, value: say.runs }}
              rows={rows.map(({ key, runs }) => ({
                label: key ?? '',
                href: linkTo('run', key ?? ''),
                value: runs,
                shown: number(runs),
              }))}
            />
          </Figure>
        )}
      </Loaded>
    </section>
  );
}

function EndUsers() {
  const say = words.value;
  const users = useLoading((signal) => client.value.usage.endUsers({ limit: 20, signal }), []);
  return (
    <section>
      <h3>{say.endUsers}</h3>
      <Loaded of={users}>
        {(rows) => (
          <DataTable
            caption={say.endUsers}
            rows={rows}
            keyOf={({ end_user }) => end_user}
            columns={[
              { title: say.endUsers, of: ({ end_user }) => end_user },
              { title: say.runs, isNumber: true, of: ({ runs }) => number(runs) },
              { title: say.lastSeen, of: ({ last_seen }) => moment(last_seen) },
            ]}
          />
        )}
      </Loaded>
    </section>
  );
}
