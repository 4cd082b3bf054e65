import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import { client, ownSession, signOut } from '#console/session/session.ts';
import { moment } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { say } from './words.ts';

/** The browsers that are signed in with the key. Each can be signed out. */
export function Browsers() {
  const sessions = useLoading((signal) => client.value.sessions.list({ signal }));
  const end = async (id: string) => {
    if (id === ownSession.value) return signOut();
    // One that has ended meanwhile is gone from the list too.
    await client.value.sessions.end(id).catch(() => {});
    sessions.reload();
  };
  return (
    <>
      <h2>{say.browsers}</h2>
      <Loaded of={sessions}>
        {({ sessions: rows }) => (
          <DataTable
            caption={say.browsers}
            rows={rows}
            keyOf={({ session_id }) => session_id}
            columns={[
              {
                title: say.browser,
                of: ({ session_id, browser }) => (
                  <span title={browser}>
                    {nameOf(browser)} {session_id === ownSession.value && <em>{say.thisOne}</em>}
                  </span>
                ),
              },
              { title: shared.since, of: ({ created_at }) => moment(created_at) },
              { title: shared.lastUsed, of: ({ last_used_at }) => moment(last_used_at) },
              {
                title: say.end,
                of: ({ session_id, browser }) => (
                  <button
                    type="button"
                    aria-label={say.endOf(nameOf(browser))}
                    onClick={() => void end(session_id)}
                  >
                    {say.end}
                  </button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

/** Most browsers call themselves by the names of others too: the most particular one comes first. */
const KNOWN = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const;
const NAMES: Partial<Record<(typeof KNOWN)[number], string>> = { Edg: 'Edge', OPR: 'Opera' };
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac', 'Linux'];

/** Browser and system, as far as they are known; otherwise the start of what the browser calls itself. */
function nameOf(browser: string): string {
  const known = KNOWN.find((name) => browser.includes(name));
  const system = SYSTEMS.find((name) => browser.includes(name));
  if (known === undefined) return browser.slice(0, 40) || '–';
  return [NAMES[known] ?? known, system].filter((part) => part !== undefined).join(' · ');
}
