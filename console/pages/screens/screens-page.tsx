import type { Schemas } from '#client/index.ts';
import { Loaded, useLoading, useRefreshing } from '#console/parts/loading.tsx';
import { goTo, linkTo } from '#console/routing.ts';
import { savedScreens } from '#console/session/saved-screens.ts';
import { client } from '#console/session/session.ts';
import { ModelScreen } from './model-screen.tsx';
import { SavedScreens } from './saved-screens.tsx';
import type { Workbench } from './workbench.tsx';
import { words } from './words.ts';

/** The members of a new screen are known a second or two after it was saved, and change with each day. */
const REFRESH_MS = 15_000;

/** Screens of one's own: rules on fields that a person writes, runs and saves. The address names the screen that is open. */
export function ScreensPage({ argument }: { argument: string }) {
  // The parser and the evaluation of rules are a tenth of the console, which other pages do without.
  const loading = useLoading(
    (signal) => Promise.all([client.value.screens.fields({ signal }), import('./workbench.tsx')]),
    [client.value],
  );
  return (
    <>
      <h1>{words.value.title}</h1>
      <p class="what-it-is">{words.value.intro}</p>
      <Loaded of={loading}>
        {([fields, parts]) => <Screens {...parts} fields={fields} opened={argument} />}
      </Loaded>
    </>
  );
}

interface ScreensProps {
  Workbench: typeof Workbench;
  fields: readonly Schemas['Field'][];
  opened: string;
}

function Screens({ Workbench, fields, opened }: ScreensProps) {
  const screens = useRefreshing(savedScreens, [client.value], REFRESH_MS);
  const onChanged = (screenId: string) => {
    screens.reload();
    goTo(linkTo('screens', screenId));
  };
  return (
    <>
      {opened === '' ? (
        <Workbench fields={fields} onChanged={onChanged} />
      ) : (
        <OpenedScreen key={opened} screenId={opened} {...{ Workbench, fields, onChanged }} />
      )}
      <SavedScreens screens={screens} opened={opened} />
    </>
  );
}

interface OpenedScreenProps {
  Workbench: typeof Workbench;
  screenId: string;
  fields: readonly Schemas['Field'][];
  onChanged: (screenId: string) => void;
}

function OpenedScreen({ Workbench, screenId, fields, onChanged }: OpenedScreenProps) {
  const loading = useLoading((signal) => client.value.screens.get(screenId, { signal }), []);
  return (
    <>
      <p class="actions">
        <a href={linkTo('screens')}>{words.value.newScreen}</a>
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
