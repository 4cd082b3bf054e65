import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Job } from '#client/index.ts';
import { seconds } from '#console/words/formats.ts';
import { inLanguages } from '#console/words/in-languages.ts';
import { answeredJob, followLive, isUnderWay, type AnsweredJob } from '#console/session/live-run.ts';
import { client } from '#console/session/session.ts';
import { Facts } from './facts.tsx';
import { Loaded, useLoading } from './loading.tsx';

const words = inLanguages({
  en: {
    status: 'Status',
    statuses: {
      queued: 'Waits for a free worker',
      running: 'Running',
      succeeded: 'Succeeded',
      failed: 'Failed',
      interrupted: 'Interrupted',
    },
    took: 'Took',
    job: 'Job',
  },
  id: {
    status: 'Status',
    statuses: {
      queued: 'Menunggu pekerja yang kosong',
      running: 'Sedang berjalan',
      succeeded: 'Berhasil',
      failed: 'Gagal',
      interrupted: 'Terputus',
    },
    took: 'Lama',
    job: 'Pekerjaan',
  },
});

interface JobStateProps {
  jobId: string;
  /** The last known status; undefined if the job is not followed. */
  status: Job['status'] | undefined;
  /** Shows what the job came to. */
  children: (answered: AnsweredJob) => ComponentChildren;
}

/** A job: its state, why it failed, and below them what it came to. */
export function JobState({ jobId, status, children }: JobStateProps) {
  const say = words.value;
  const [seen, setSeen] = useState(status);
  const answered = useLoading((signal) => answeredJob(jobId, signal), [jobId, status ?? seen, client.value]);
  // Somebody has opened the address of a job that goes on: nobody else follows it.
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
            {children({ job, datasetVersion })}
          </>
        )}
      </Loaded>
    </section>
  );
}
