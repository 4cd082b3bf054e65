import type { Job, SimulationJob } from '#client/index.ts';
import { linkTo, place, replaceAddress } from '#console/browser/routing.ts';
import { Failure } from '#console/parts/failure.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { mistakesOf } from '#console/parts/mistakes.ts';
import { JobState } from '#console/parts/runs/job-state.tsx';
import { useStartedJob } from '#console/parts/runs/started-job.ts';
import { client } from '#console/session/session.ts';
import { choicesToFollow } from './followed.ts';
import { SimulationForm, type Wanted } from './simulation-form.tsx';
import { SimulationResult } from './simulation-result.tsx';
import { say } from './words.ts';

/** Somebody's money in the picks of a screen or a model. The address names the job that is open, or the screen that is chosen. */
export function SimulationsPage({ argument }: { argument: string }) {
  const choices = useLoading(choicesToFollow, [client.value]);
  const { job, failure, isBusy, start, cancel } = useStartedJob();
  // The address names the job as soon as there is one.
  const submit = (wanted: Wanted) =>
    start(
      (signal) => client.peek().simulations.submit({ ...wanted, signal }),
      ({ job_id }) => replaceAddress(linkTo('simulations', job_id)),
    );
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
            mistakes={mistakesOf(failure)}
          />
        )}
      </Loaded>
      <Failure of={failure} />
      {argument !== '' && <Opened key={argument} jobId={argument} status={job?.status} />}
    </>
  );
}

function Opened({ jobId, status }: { jobId: string; status: Job['status'] | undefined }) {
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
