import { useEffect, useRef, useState } from 'preact/hooks';
import { SaringError, type FieldError, type Job } from '#client/index.ts';
import { Failure } from '#console/parts/failure.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { goTo, linkTo, place } from '#console/routing.ts';
import { runLive } from '#console/session/live-run.ts';
import { language } from '#console/words/language.ts';
import { client, endUser } from '#console/session/session.ts';
import { CodeToCopy } from './code-to-copy.tsx';
import { JobPanel } from './job-panel.tsx';
import { ParameterForm } from './parameter-form.tsx';
import { defaultsOf, enteredOf, paramsOf, type Parameters } from './parameters.ts';
import { words } from './words.ts';

const FIRST_MODEL = 'model_f_combined';

/** Choice of a model, its form, and the run: live at first, later with the questions that it can answer. */
export function RunPage({ argument }: { argument: string }) {
  const model = argument || FIRST_MODEL;
  const say = words.value;
  const models = useLoading((signal) => client.value.models.list({ signal }), []);
  const chosen = useLoading((signal) => client.value.models.get(model, { signal }), [model, client.value]);
  return (
    <>
      <h1>{say.title}</h1>
      <Loaded of={models}>
        {(list) => (
          <div class="field">
            <label for="model">{say.model}</label>
            <select
              id="model"
              value={model}
              onChange={({ currentTarget }) => goTo(linkTo('run', currentTarget.value))}
            >
              {list.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        )}
      </Loaded>
      <Loaded of={chosen}>
        {({ id, params, explanation }) =>
          id === model && (
            <>
              {(['what', 'when', 'how'] as const).map((part) => (
                <details key={part}>
                  <summary>{say[part]}</summary>
                  <p>{explanation[part]}</p>
                </details>
              ))}
              <ModelRun key={id} model={id} parameters={params} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function ModelRun({ model, parameters }: { model: string; parameters: Parameters }) {
  const say = words.value;
  const [entered, setEntered] = useState(() => defaultsOf(parameters, language.peek()));
  const [job, setJob] = useState<Pick<Job, 'job_id' | 'status'>>();
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const requested = place.value.choices.get('job');
  const jobId = job?.job_id ?? requested ?? undefined;
  const params = paramsOf(parameters, entered, language.value);

  const run = async () => {
    setFailure(undefined);
    setJob(undefined);
    setBusy(true);
    try {
      await runLive(model, { params, view: 'full', onJob: setJob, signal: leaving.current.signal });
    } catch (problem) {
      if (!leaving.current.signal.aborted) setFailure(problem);
    }
    setBusy(false);
  };
  const mistakes = mistakesOf(failure);
  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <ParameterForm
          parameters={parameters}
          entered={entered}
          enter={(name, value) => setEntered((before) => ({ ...before, [name]: value }))}
          mistakes={mistakes}
        />
        <p class="actions">
          <button type="submit" class="primary" disabled={isBusy}>
            {isBusy ? say.running : say.run}
          </button>
          {isBusy && job && (
            <button
              type="button"
              onClick={() => void client.peek().jobs.cancel(job.job_id).catch(setFailure)}
            >
              {say.cancel}
            </button>
          )}
        </p>
      </form>
      {failure !== undefined && <Failure of={failure} />}
      {jobId && (
        <JobPanel
          key={jobId}
          jobId={jobId}
          status={job?.status}
          loosen={(changes) =>
            setEntered((before) => ({
              ...before,
              ...Object.fromEntries(
                Object.entries(changes).map(([name, value]) => [
                  name,
                  enteredOf(parameters[name]!, value, language.peek()),
                ]),
              ),
            }))
          }
        />
      )}
      <CodeToCopy call={{ baseUrl: location.origin, model, endUser: endUser.value, params }} />
    </>
  );
}

function mistakesOf(failure: unknown): readonly FieldError[] {
  return failure instanceof SaringError ? failure.detail : [];
}
