import type { Job } from '#client/index.ts';
import { linkTo } from '#console/browser/routing.ts';
import { Facts } from '#console/parts/facts.tsx';
import { BarFigure } from '#console/parts/figures/bar-figure.tsx';
import { Loaded, useLoading, useLoadingOn } from '#console/parts/loading.tsx';
import { RunsByDay } from '#console/parts/runs/runs-by-day.tsx';
import { columnsFor } from '#console/parts/tables/columns.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import { LoadedTable } from '#console/parts/tables/loaded-table.tsx';
import { RUN_ENDED } from '#console/session/live-events.ts';
import { client, ownSession, rateLimit, signOut } from '#console/session/session.ts';
import { moment, number, seconds } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { Requests } from './requests.tsx';
import { say } from './words.ts';

/** The rights of a key, and its runs. */
export function UsagePage() {
  const key = useLoading((signal) => client.value.key({ signal }));
  return (
    <>
      <h1>{say.title}</h1>
      <h2>{say.key}</h2>
      <Loaded of={key}>
        {({ name, hint, scopes, rate_limit_per_minute, expires_at }) => (
          <Facts
            facts={[
              [shared.name, name, `${hint}…`],
              [say.scopes, scopes.join(', ')],
              [
                say.limit,
                number(rate_limit_per_minute),
                rateLimit.value && say.left(number(rateLimit.value.remaining)),
              ],
              [shared.expires, expires_at ? moment(expires_at) : shared.never],
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
      <Requests />
      <Browsers />
    </>
  );
}

function RunsByModel() {
  const summary = useLoadingOn(RUN_ENDED, (signal) =>
    client.value.usage.summary({ group_by: 'model', signal }),
  );
  return (
    <section>
      <Loaded of={summary}>
        {({ rows }) => (
          <BarFigure
            title={say.byModel}
            source={say.ledger}
            measure={shared.runs}
            bar={({ key, runs }) => ({
              label: key,
              href: linkTo('run', key),
              value: runs,
              shown: number(runs),
            })}
            table={{
              rows,
              keyOf: ({ key }) => key,
              columns: [
                { title: shared.model, of: ({ key }) => key },
                { title: shared.runs, isNumber: true, of: ({ runs }) => number(runs) },
              ],
            }}
          />
        )}
      </Loaded>
    </section>
  );
}

function EndUsers() {
  const users = useLoading((signal) => client.value.usage.endUsers({ limit: 20, signal }));
  return (
    <section>
      <h3>{shared.endUsers}</h3>
      <LoadedTable
        of={users}
        caption={shared.endUsers}
        keyOf={({ end_user }) => end_user}
        columns={[
          { title: shared.endUsers, of: ({ end_user }) => end_user },
          { title: shared.runs, isNumber: true, of: ({ runs }) => number(runs) },
          { title: say.lastSeen, of: ({ last_seen }) => moment(last_seen) },
        ]}
      />
    </section>
  );
}

const JOBS = 50;

/** Recent runs and backfills of the key. */
function Jobs() {
  const { text, numeric, figure } = columnsFor<Job>();
  const jobs = useLoadingOn(RUN_ENDED, (signal) => client.value.jobs.list({ limit: JOBS, signal }));
  const backfills = useLoading((signal) => client.value.backfills.list({ signal }));
  return (
    <>
      <h2>{say.jobs}</h2>
      <LoadedTable
        of={jobs}
        name="jobs"
        caption={say.jobs}
        keyOf={({ job_id }) => job_id}
        columns={[
          {
            ...text(shared.job, 'job_id'),
            of: ({ job_id, target }) => (
              <a href={linkTo('run', target, { job: job_id })}>{job_id.slice(0, 12)}…</a>
            ),
          },
          text(shared.model, 'target'),
          text(shared.status, 'status', (status) => <span class={status}>{say.statuses[status]}</span>),
          text(say.submitted, 'created_at', moment),
          numeric(shared.took, 'duration_seconds', seconds),
          figure(shared.picks, 'pick_count', ({ summary }) => summary?.pick_count),
        ]}
      />

      <Loaded of={backfills}>
        {(rows) =>
          rows.length > 0 && (
            <>
              <h2>{say.backfills}</h2>
              <DataTable
                caption={say.backfills}
                rows={rows}
                keyOf={({ backfill_id }) => backfill_id}
                columns={[
                  { title: shared.job, of: ({ backfill_id }) => <code>{backfill_id}</code> },
                  { title: shared.model, of: ({ model_id }) => model_id },
                  { title: shared.status, of: ({ status }) => status },
                  {
                    title: say.days,
                    isNumber: true,
                    of: ({ days_done, days_total }) => `${number(days_done)} / ${number(days_total)}`,
                  },
                ]}
              />
            </>
          )
        }
      </Loaded>
    </>
  );
}

/** The browsers that are signed in with the key. Each can be signed out. */
function Browsers() {
  const sessions = useLoading((signal) => client.value.sessions.list({ signal }));
  const end = async (id: string) => {
    if (id === ownSession.value) return signOut();
    // One that has ended meanwhile is gone from the list too.
    await client.value.sessions.end(id).catch(() => {});
    sessions.reload();
  };
  return (
    <>
      <h2>{say.browsers}</h2>
      <Loaded of={sessions}>
        {({ sessions: rows }) => (
          <DataTable
            caption={say.browsers}
            rows={rows}
            keyOf={({ session_id }) => session_id}
            columns={[
              {
                title: say.browser,
                of: ({ session_id, browser }) => (
                  <span title={browser}>
                    {nameOf(browser)} {session_id === ownSession.value && <em>{say.thisOne}</em>}
                  </span>
                ),
              },
              { title: shared.since, of: ({ created_at }) => moment(created_at) },
              { title: shared.lastUsed, of: ({ last_used_at }) => moment(last_used_at) },
              {
                title: say.end,
                of: ({ session_id, browser }) => (
                  <button
                    type="button"
                    aria-label={say.endOf(nameOf(browser))}
                    onClick={() => void end(session_id)}
                  >
                    {say.end}
                  </button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

/** Most browsers call themselves by the names of others too: the most particular one comes first. */
const KNOWN = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const;
const NAMES: Partial<Record<(typeof KNOWN)[number], string>> = { Edg: 'Edge', OPR: 'Opera' };
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac', 'Linux'];

/** Browser and system, as far as they are known; otherwise the start of what the browser calls itself. */
function nameOf(browser: string): string {
  const known = KNOWN.find((name) => browser.includes(name));
  const system = SYSTEMS.find((name) => browser.includes(name));
  if (known === undefined) return browser.slice(0, 40) || '–';
  return [NAMES[known] ?? known, system].filter((part) => part !== undefined).join(' · ');
}
