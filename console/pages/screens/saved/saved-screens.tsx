import type { Schemas } from '#client/index.ts';
import { linkTo } from '#console/browser/routing.ts';
import { Loaded, type Loading } from '#console/parts/loading.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import { endUser } from '#console/session/session.ts';
import { day, number } from '#console/words/formats.ts';
import { say as ofRules } from '../rules/words.ts';
import { say } from './words.ts';

interface SavedScreensProps {
  screens: Loading<Schemas['ScreenPage']>;
  /** Id of the screen that is open. */
  opened: string;
}

/** The screens that the end user owns, and those that others share. Each link opens one. */
export function SavedScreens({ screens, opened }: SavedScreensProps) {
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
                  title: say.name,
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
                { title: say.version, isNumber: true, of: ({ version }) => number(version) },
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
