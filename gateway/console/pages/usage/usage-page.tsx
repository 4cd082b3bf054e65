import { BarRows } from '#console/charts/bar-rows.tsx';
import { DataTable } from '#console/parts/data-table.tsx';
import { Figure } from '#console/parts/figure.tsx';
import { Facts } from '#console/parts/facts.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { RunsByDay } from '#console/parts/runs-by-day.tsx';
import { linkTo } from '#console/routing.ts';
import { client, rateLimit } from '#console/session/session.ts';
import { moment, number } from '#console/words/formats.ts';
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
      <RunsByDay
        load={(signal) => client.value.usage.summary({ group_by: 'day', signal })}
        on={[]}
        source={say.ledger}
      />
      <div class="two">
        <RunsByModel />
        <EndUsers />
      </div>
      <Jobs />
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
