import { useState } from 'preact/hooks';
import type { AnyModelId } from '#client/index.ts';
import { goTo, linkTo, place } from '#console/browser/routing.ts';
import { Choices } from '#console/parts/choices.tsx';
import { Failure } from '#console/parts/failure.tsx';
import { SelectField } from '#console/parts/field.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { mistakesOf } from '#console/parts/mistakes.ts';
import { useStartedJob } from '#console/parts/runs/started-job.ts';
import { client, endUser } from '#console/session/session.ts';
import { language } from '#console/words/language.ts';
import { shared } from '#console/words/shared.ts';
import { callIn, LANGUAGES, type CallToCopy, type CodeLanguage } from './call-in-code.ts';
import { JobPanel } from './job-panel.tsx';
import { ParameterForm } from './parameter-form.tsx';
import { defaultsOf, enteredOf, paramsOf, type Parameters } from './parameters.ts';
import { say } from './words.ts';

const FIRST_MODEL = 'model_f_combined';

/** Choice of a model, its form, and the run: live at first, later with the questions that it can answer. */
export function RunPage({ argument }: { argument: string }) {
  const model = argument || FIRST_MODEL;
  const models = useLoading((signal) => client.value.models.list({ signal }));
  const chosen = useLoading((signal) => client.value.models.get(model, { signal }), [model, client.value]);
  return (
    <>
      <h1>{say.title}</h1>
      <Loaded of={models}>
        {(list) => (
          <SelectField
            id="model"
            label={shared.model}
            value={model}
            options={list.map(({ id, name }) => [id, name])}
            choose={(id) => goTo(linkTo('run', id))}
          />
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
  const [entered, setEntered] = useState(() => defaultsOf(parameters, language.peek()));
  const { job, failure, isBusy, start, cancel } = useStartedJob();
  const requested = place.value.choices.get('job');
  const jobId = job?.job_id ?? requested ?? undefined;
  const params = paramsOf(parameters, entered, language.value);
  const run = () =>
    start((signal) => client.peek().runs.submit<AnyModelId, 'full'>(model, { params, view: 'full', signal }));
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
            {isBusy ? shared.running : shared.run}
          </button>
          {cancel && (
            <button type="button" onClick={cancel}>
              {shared.cancel}
            </button>
          )}
        </p>
      </form>
      <Failure of={failure} />
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

/** The call that the form makes, in the chosen language. */
function CodeToCopy({ call }: { call: CallToCopy }) {
  const [language, choose] = useState<CodeLanguage>('curl');
  const [isCopied, setCopied] = useState(false);
  const code = callIn(language, call);
  return (
    <details class="card">
      <summary>{say.copy}</summary>
      <Choices label={say.copy} of={LANGUAGES} chosen={language} choose={choose} shown={(name) => name}>
        <button
          type="button"
          onClick={() => void navigator.clipboard.writeText(code).then(() => setCopied(true))}
        >
          {say.copyButton}
        </button>
        <span role="status">{isCopied && say.copied}</span>
      </Choices>
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
      <p class="hint">{say.keyNote}</p>
    </details>
  );
}
