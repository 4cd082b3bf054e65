import { useEffect, useRef, useState } from 'preact/hooks';
import { SaringError, type Job, type SimulationJob } from '#client/index.ts';
import { Failure } from '#console/parts/failure.tsx';
import { JobState } from '#console/parts/job-state.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { linkTo, place, replaceAddress } from '#console/routing.ts';
import { client } from '#console/session/session.ts';
import { choicesToFollow } from './followed.ts';
import { SimulationForm, type Wanted } from './simulation-form.tsx';
import { SimulationResult } from './simulation-result.tsx';
import { words } from './words.ts';

/** Somebody's money in the picks of a screen or a model. The address names the job that is open, or the screen that is chosen. */
export function SimulationsPage({ argument }: { argument: string }) {
  const say = words.value;
  const choices = useLoading(choicesToFollow, [client.value]);
  const { status, failure, isBusy, submit, cancel } = useSimulation();
  return (
    <>
      <h1>{say.title}</h1>
      <p class="what-it-is">{say.intro}</p>
      <Loaded of={choices}>
        {(choices) => (
          <SimulationForm
            choices={choices}
            chosen={place.value.choices.get('screen') ?? undefined}
            {...{ isBusy, submit, cancel }}
            mistakes={failure instanceof SaringError ? failure.detail : []}
          />
        )}
      </Loaded>
      {failure !== undefined && <Failure of={failure} />}
      {argument !== '' && <Opened key={argument} jobId={argument} status={status} />}
    </>
  );
}

/** Submits a simulation and follows it. The address names its job as soon as there is one. */
function useSimulation() {
  const [job, setJob] = useState<Pick<Job, 'job_id' | 'status'>>();
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const submit = async (wanted: Wanted) => {
    const { simulations, jobs } = client.peek();
    const { signal } = leaving.current;
    setFailure(undefined);
    setBusy(true);
    try {
      const accepted = await simulations.submit({ ...wanted, signal });
      setJob(accepted);
      replaceAddress(linkTo('simulations', accepted.job_id));
      for await (const job of jobs.follow(accepted.job_id, { signal })) setJob(job);
    } catch (problem) {
      if (!signal.aborted) setFailure(problem);
    }
    setBusy(false);
  };
  const cancel = () => void client.peek().jobs.cancel(job!.job_id).catch(setFailure);
  return { status: job?.status, failure, isBusy, submit, cancel: isBusy && job ? cancel : undefined };
}

function Opened({ jobId, status }: { jobId: string; status: Job['status'] | undefined }) {
  const say = words.value;
  return (
    <JobState jobId={jobId} status={status}>
      {({ job }) => {
        const { result } = job as SimulationJob;
        if (result) return <SimulationResult of={result} />;
        return job.status === 'succeeded' && <p class="notice">{say.resultGone}</p>;
      }}
    </JobState>
  );
}
