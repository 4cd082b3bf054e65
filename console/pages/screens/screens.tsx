import type { Schemas } from '#client/index.ts';
import { goTo, linkTo } from '#console/browser/routing.ts';
import { Loaded, useLoading, useRefreshing } from '#console/parts/loading.tsx';
import { useEvents } from '#console/session/live-events.ts';
import { savedScreens } from '#console/session/saved-screens.ts';
import { client } from '#console/session/session.ts';
import { ModelScreen } from './saved/model-screen.tsx';
import { SavedScreens } from './saved/saved-screens.tsx';
import { say } from './saved/words.ts';
import { Workbench } from './workbench.tsx';

/** The members of a new screen are known a second or two after it was saved. No event tells of that, nor of a screen that another saved. */
const REFRESH_MS = 15_000;

interface ScreensProps {
  fields: readonly Schemas['Field'][];
  opened: string;
}

/** Rules that are written, a screen that is open, and the list of those that are saved. */
export function Screens({ fields, opened }: ScreensProps) {
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
  const loading = useLoading((signal) => client.value.screens.get(screenId, { signal }), []);
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
