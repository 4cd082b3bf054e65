import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Job } from '#client/index.ts';
import { answeredJob, followLive, isUnderWay, type AnsweredJob } from '#console/session/live-run.ts';
import { client } from '#console/session/session.ts';
import { seconds } from '#console/words/formats.ts';
import { inLanguages } from '#console/words/in-languages.ts';
import { shared } from '#console/words/shared.ts';
import { Facts } from '../facts.tsx';
import { Loaded, useLoading } from '../loading.tsx';

const say = inLanguages({
  statuses: {
    queued: ['Waits for a free worker', 'Menunggu pekerja yang kosong'],
    running: ['Running', 'Sedang berjalan'],
    succeeded: ['Succeeded', 'Berhasil'],
    failed: ['Failed', 'Gagal'],
    interrupted: ['Interrupted', 'Terputus'],
  },
});

interface JobStateProps {
  jobId: string;
  /** The last known status; undefined if the job is not followed. */
  status: Job['status'] | undefined;
  /** Shows the result of the job. */
  children: (answered: AnsweredJob) => ComponentChildren;
}

/** A job: its state, why it failed, and below them its result. */
export function JobState({ jobId, status, children }: JobStateProps) {
  const [seen, setSeen] = useState(status);
  const answered = useLoading((signal) => answeredJob(jobId, signal), [jobId, status ?? seen, client.value]);
  // The address of a running job was opened, so no other part of the page follows it.
  const isToFollow = status === undefined && answered.value !== undefined && isUnderWay(answered.value.job);
  useEffect(() => {
    if (!isToFollow) return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    // Loading the job again says why it cannot be followed.
    followLive(jobId, { onJob: (job) => setSeen(job.status), signal }).catch(
      () => signal.aborted || answered.reload(),
    );
    return () => leaving.abort();
  }, [jobId, isToFollow]);
  return (
    <section class="job" aria-label={shared.job}>
      <Loaded of={answered}>
        {({ job, datasetVersion }) => (
          <>
            <div role="status">
              <Facts
                facts={[
                  [shared.status, <span class={job.status}>{say.statuses[job.status]}</span>],
                  [shared.took, seconds(job.duration_seconds)],
                  [shared.job, <code>{job.job_id}</code>],
                ]}
              />
            </div>
            {job.error && (
              <p class="failure" role="alert">
                {job.error.message}
              </p>
            )}
            {children({ job, datasetVersion })}
          </>
        )}
      </Loaded>
    </section>
  );
}
