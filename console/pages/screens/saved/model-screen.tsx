import type { Schemas } from '#client/index.ts';
import { goTo, linkTo } from '#console/browser/routing.ts';
import { useAttempt } from '#console/parts/attempt.ts';
import { Facts } from '#console/parts/facts.tsx';
import { Failure } from '#console/parts/failure.tsx';
import { client } from '#console/session/session.ts';
import { say as ofRules } from '../rules/words.ts';
import { Past } from './past.tsx';
import { say } from './words.ts';

/** A screen by model: what it runs, a button that runs it and opens the job, and what became of its picks. */
export function ModelScreen({ screen, model }: { screen: Schemas['Screen']; model: string }) {
  const { failure, isBusy, attempt } = useAttempt();
  const run = async () => {
    const { job_id } = await client.peek().screens.submit(screen.screen_id);
    goTo(linkTo('run', model, { job: job_id }));
  };
  return (
    <>
      <section class="card">
        <h2>{say.openedScreen(screen.name, screen.version)}</h2>
        <p class="minor">{say.byModel}</p>
        <Facts
          facts={[
            { name: say.model, value: <code>{model}</code> },
            { name: say.parameters, value: <code>{JSON.stringify(screen.params)}</code> },
            {
              name: ofRules.among,
              value: screen.universe ? <code>{JSON.stringify(screen.universe)}</code> : ofRules.kinds.all,
            },
          ]}
        />
        <p class="actions">
          <button type="button" class="primary" disabled={isBusy} onClick={() => void attempt(run)}>
            {isBusy ? ofRules.running : ofRules.run}
          </button>
        </p>
        <Failure of={failure} />
      </section>
      <Past screenId={screen.screen_id} isByModel />
    </>
  );
}
