import type { Schemas } from '#client/index.ts';
import { DataTable } from '#console/parts/data-table.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { linkTo } from '#console/routing.ts';
import { client } from '#console/session/session.ts';
import { moment, number } from '#console/words/formats.ts';
import { words } from './words.ts';

type ApiKey = Schemas['AdminKey'];

const ACTIONS = 200;

/** Every key without its secret, and the audit log: of all keys, or of the key that the address names. */
export function KeysPage({ argument }: { argument: string }) {
  const say = words.value;
  const keys = useLoading((signal) => client.value.operator.keys({ signal }), []);
  return (
    <>
      <h1>{say.title}</h1>
      <p class="minor">{say.how}</p>
      <Loaded of={keys}>
        {(rows) => (rows.length === 0 ? <p>{say.none}</p> : <KeyTable rows={rows} chosen={argument} />)}
      </Loaded>
      <h2>{argument ? say.auditOf(argument) : say.audit}</h2>
      {argument && (
        <p class="actions">
          <a href={linkTo('keys')}>{say.all}</a>
        </p>
      )}
      <Audit key={argument} keyId={argument} />
    </>
  );
}

function KeyTable({ rows, chosen }: { rows: readonly ApiKey[]; chosen: string }) {
  const say = words.value;
  return (
    <DataTable
      caption={say.title}
      rows={rows}
      keyOf={({ id }) => id}
      selected={chosen}
      columns={[
        { title: say.key, of: ({ id, name }) => <a href={linkTo('keys', id)}>{name}</a> },
        {
          title: say.state,
          of: (key) => {
            const state = stateOf(key);
            return <span class={state === 'enabled' ? 'succeeded' : 'failed'}>{say.states[state]}</span>;
          },
        },
        { title: say.secret, of: ({ hint }) => <code>{hint}…</code> },
        { title: say.scopes, of: ({ scopes }) => scopes.join(', ') },
        { title: say.limit, isNumber: true, of: (key) => number(key.rate_limit_per_minute) },
        { title: say.issued, of: ({ created_at }) => moment(created_at) },
        { title: say.expires, of: ({ expires_at }) => (expires_at ? moment(expires_at) : say.never) },
        { title: say.lastUsed, of: ({ last_used_at }) => (last_used_at ? moment(last_used_at) : say.never) },
        { title: say.oldUntil, of: (key) => moment(key.previous_secret_until) },
        {
          title: say.labels,
          of: ({ labels }) =>
            Object.entries(labels)
              .map((label) => label.join('='))
              .join(', '),
        },
      ]}
    />
  );
}

function stateOf({ disabled, expires_at }: ApiKey): 'enabled' | 'disabled' | 'expired' {
  if (expires_at && Date.parse(expires_at) <= Date.now()) return 'expired';
  return disabled ? 'disabled' : 'enabled';
}

/** Each changed field with its new value. */
function changesText(changes: Record<string, unknown>): string {
  return Object.entries(changes)
    .map(([field, value]) => `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('; ');
}

function Audit({ keyId }: { keyId: string }) {
  const say = words.value;
  const actions = useLoading(
    (signal) => client.value.operator.keyActions({ limit: ACTIONS, ...(keyId && { key_id: keyId }), signal }),
    [],
  );
  return (
    <Loaded of={actions}>
      {(rows) =>
        rows.length === 0 ? (
          <p>{say.noAudit}</p>
        ) : (
          <DataTable
            caption={say.audit}
            rows={rows}
            keyOf={({ request_id, key_id, action }) => `${request_id} ${key_id} ${action}`}
            columns={[
              { title: say.when, of: ({ ts }) => moment(ts) },
              { title: say.key, of: ({ key_id }) => <a href={linkTo('keys', key_id)}>{key_id}</a> },
              { title: say.action, of: ({ action }) => action },
              { title: say.by, of: ({ actor }) => actor },
              {
                title: say.changes,
                of: ({ changes }) => <div class="wide">{changes ? changesText(changes) : ''}</div>,
              },
              { title: say.request, of: ({ request_id }) => <code>{request_id}</code> },
            ]}
          />
        )
      }
    </Loaded>
  );
}
