import type { Schemas } from '#client/index.ts';
import { goTo, linkTo } from '#console/browser/routing.ts';
import { useAttempt } from '#console/parts/attempt.ts';
import { Facts } from '#console/parts/facts.tsx';
import { Failure } from '#console/parts/failure.tsx';
import { Loaded, useLoading, useRefreshing, type Loading } from '#console/parts/loading.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import { useEvents } from '#console/session/live-events.ts';
import { savedScreens } from '#console/session/saved-screens.ts';
import { client, endUser } from '#console/session/session.ts';
import { day, number } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { say as ofRules } from './rules/words.ts';
import { Past } from './saved/past.tsx';
import { say } from './saved/words.ts';
import { Workbench } from './workbench.tsx';

/** The members of a new screen are known a second or two after it was saved. No event tells of that, nor of a screen that another saved. */
const REFRESH_MS = 15_000;

/** Rules that are written, a screen that is open, and the list of those that are saved. */
export function Screens({ fields, opened }: { fields: readonly Schemas['Field'][]; opened: string }) {
  const screens = useRefreshing(savedScreens, [client.value], REFRESH_MS);
  useEvents(['screen.changed', 'dataset.published'], screens.reload);
  const onChanged = (screenId: string) => {
    screens.reload();
    goTo(linkTo('screens', screenId));
  };
  return (
    <>
      {opened === '' ? (
        <Workbench fields={fields} onChanged={onChanged} />
      ) : (
        <OpenedScreen key={opened} screenId={opened} fields={fields} onChanged={onChanged} />
      )}
      <SavedScreens screens={screens} opened={opened} />
    </>
  );
}

interface OpenedScreenProps {
  screenId: string;
  fields: readonly Schemas['Field'][];
  onChanged: (screenId: string) => void;
}

function OpenedScreen({ screenId, fields, onChanged }: OpenedScreenProps) {
  const loading = useLoading((signal) => client.value.screens.get(screenId, { signal }));
  return (
    <>
      <p class="actions">
        <a href={linkTo('screens')}>{say.newScreen}</a>
      </p>
      <Loaded of={loading}>
        {(screen) =>
          screen.model_id !== null ? (
            <ModelScreen screen={screen} model={screen.model_id} />
          ) : (
            <Workbench
              key={screen.version}
              fields={fields}
              screen={screen}
              onChanged={(changed) => {
                if (changed === screenId) loading.reload();
                onChanged(changed);
              }}
            />
          )
        }
      </Loaded>
    </>
  );
}

interface SavedScreensProps {
  screens: Loading<Schemas['ScreenPage']>;
  /** Id of the screen that is open. */
  opened: string;
}

/** The screens that the end user owns, and those that others share. Each link opens one. */
function SavedScreens({ screens, opened }: SavedScreensProps) {
  return (
    <section>
      <h2>{say.saved}</h2>
      <Loaded of={screens}>
        {({ screens: rows, has_more }) => (
          <>
            <DataTable
              caption={say.saved}
              rows={rows}
              empty={say.noneSaved}
              keyOf={({ screen_id }) => screen_id}
              selected={opened}
              columns={[
                {
                  title: shared.name,
                  of: ({ screen_id, name }) => <a href={linkTo('screens', screen_id)}>{name}</a>,
                },
                {
                  title: say.members,
                  isNumber: true,
                  of: ({ model_id, members, members_as_of }) =>
                    model_id !== null
                      ? '–'
                      : members === null
                        ? say.notYet
                        : say.membersOn(number(members), day(members_as_of)),
                },
                {
                  title: ofRules.rules,
                  of: ({ rules_text, model_id, failure }) => (
                    <div class="wide">
                      {model_id === null ? <code>{rules_text}</code> : say.ofModel(model_id)}
                      {failure !== null && <div class="failed">{failure}</div>}
                    </div>
                  ),
                },
                { title: shared.version, isNumber: true, of: ({ version }) => number(version) },
                { title: say.owner, of: (screen) => <Owner of={screen} /> },
              ]}
            />
            {has_more && <p class="minor">{say.firstScreens(number(rows.length))}</p>}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Owner({ of: { end_user, shared } }: { of: Schemas['Screen'] }) {
  if (end_user !== endUser.value) return say.sharedBy(end_user);
  return shared ? say.mineShared : say.mine;
}

/** A screen by model: what it runs, a button that runs it and opens the job, and what became of its picks. */
function ModelScreen({ screen, model }: { screen: Schemas['Screen']; model: string }) {
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
            [shared.model, <code>{model}</code>],
            [shared.parameters, <code>{JSON.stringify(screen.params)}</code>],
            [
              ofRules.among,
              screen.universe ? <code>{JSON.stringify(screen.universe)}</code> : ofRules.kinds.all,
            ],
          ]}
        />
        <p class="actions">
          <button type="button" class="primary" disabled={isBusy} onClick={() => void attempt(run)}>
            {isBusy ? ofRules.running : shared.run}
          </button>
        </p>
        <Failure of={failure} />
      </section>
      <Past screenId={screen.screen_id} isByModel />
    </>
  );
}
