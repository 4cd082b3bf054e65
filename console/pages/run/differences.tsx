import { useState } from 'preact/hooks';
import type { Job } from '#client/index.ts';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { client } from '#console/session/session.ts';
import { moment } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { say } from './words.ts';

const JOBS = 100;

/** How the picks differ from those of an earlier run of the same model. */
export function Differences({ job }: { job: Job }) {
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
