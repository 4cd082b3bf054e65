import { DataTable } from '#console/parts/data-table.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { linkTo } from '#console/routing.ts';
import { client } from '#console/session/session.ts';
import { moment, number, seconds } from '#console/words/formats.ts';
import { words } from './words.ts';

const JOBS = 50;

/** Recent runs and backfills of the key. */
export function Jobs() {
  const say = words.value;
  const jobs = useLoading((signal) => client.value.jobs.list({ limit: JOBS, signal }), []);
  const backfills = useLoading((signal) => client.value.backfills.list({ signal }), []);
  return (
    <>
      <h2>{say.jobs}</h2>
      <Loaded of={jobs}>
        {(rows) => (
          <DataTable
            caption={say.jobs}
            rows={rows}
            keyOf={({ job_id }) => job_id}
            columns={[
              {
                title: say.job,
                of: ({ job_id, target }) => (
                  <a href={linkTo('run', target, { job: job_id })}>{job_id.slice(0, 12)}…</a>
                ),
              },
              { title: say.model, of: ({ target }) => target },
              { title: say.status, of: ({ status }) => <span class={status}>{say.statuses[status]}</span> },
              { title: say.submitted, of: ({ created_at }) => moment(created_at) },
              {
                title: say.took,
                isNumber: true,
                of: ({ duration_seconds }) => seconds(duration_seconds),
              },
              { title: say.picks, isNumber: true, of: ({ summary }) => number(summary?.pick_count) },
            ]}
          />
        )}
      </Loaded>
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
                  { title: say.job, of: ({ backfill_id }) => <code>{backfill_id}</code> },
                  { title: say.model, of: ({ model_id }) => model_id },
                  { title: say.status, of: ({ status }) => status },
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
