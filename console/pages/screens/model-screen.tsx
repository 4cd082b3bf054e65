import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { Facts } from '#console/parts/facts.tsx';
import { Failure } from '#console/parts/failure.tsx';
import { goTo, linkTo } from '#console/routing.ts';
import { client } from '#console/session/session.ts';
import { Past } from './past.tsx';
import { words } from './words.ts';

/** A screen by model: what it runs, a button that runs it and opens the job, and what became of its picks. */
export function ModelScreen({ screen, model }: { screen: Schemas['Screen']; model: string }) {
  const say = words.value;
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setFailure(undefined);
    setBusy(true);
    try {
      const { job_id } = await client.peek().screens.submit(screen.screen_id);
      goTo(linkTo('run', model, { job: job_id }));
    } catch (problem) {
      setFailure(problem);
      setBusy(false);
    }
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
              name: say.among,
              value: screen.universe ? <code>{JSON.stringify(screen.universe)}</code> : say.kinds.all,
            },
          ]}
        />
        <p class="actions">
          <button type="button" class="primary" disabled={isBusy} onClick={() => void run()}>
            {isBusy ? say.running : say.run}
          </button>
        </p>
        {failure !== undefined && <Failure of={failure} />}
      </section>
      <Past screenId={screen.screen_id} isByModel />
    </>
  );
}
