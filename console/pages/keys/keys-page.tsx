import type { Schemas } from '#client/index.ts';
import { linkTo } from '#console/browser/routing.ts';
import { useLoading } from '#console/parts/loading.tsx';
import { LoadedTable } from '#console/parts/tables/loaded-table.tsx';
import { client } from '#console/session/session.ts';
import { moment, number } from '#console/words/formats.ts';
import { inLanguages } from '#console/words/in-languages.ts';
import { shared } from '#console/words/shared.ts';

const say = inLanguages({
  title: ['Keys', 'Kunci'],
  secret: ['Secret', 'Rahasia'],
  scopes: ['Scopes', 'Hak'],
  limit: ['Per minute', 'Per menit'],
  states: {
    enabled: ['Enabled', 'Aktif'],
    disabled: ['Disabled', 'Nonaktif'],
    expired: ['Expired', 'Kedaluwarsa'],
  },
  labels: ['Labels', 'Label'],
  issued: ['Issued', 'Diterbitkan'],
  oldUntil: ['Old secret until', 'Rahasia lama sampai'],
  none: ['There is no key yet.', 'Belum ada kunci.'],
  audit: ['What was done to keys', 'Apa yang dilakukan pada kunci'],
  auditOf: (name: string) => [`What was done to ${name}`, `Apa yang dilakukan pada ${name}`],
  all: ['Of every key', 'Semua kunci'],
  when: ['When', 'Kapan'],
  action: ['Action', 'Tindakan'],
  changes: ['Changes', 'Perubahan'],
  request: ['Request', 'Permintaan'],
  noAudit: ['Nothing is recorded.', 'Tidak ada yang tercatat.'],
  how: [
    'Keys are issued, changed and revoked with the command line: saring keys --help.',
    'Kunci diterbitkan, diubah, dan dicabut dengan baris perintah: saring keys --help.',
  ],
});

const ACTIONS = 200;

/** Every key without its secret, and the audit log: of all keys, or of the key that the address names. */
export function KeysPage({ argument }: { argument: string }) {
  const keys = useLoading((signal) => client.value.operator.keys({ signal }));
  return (
    <>
      <h1>{say.title}</h1>
      <p class="minor">{say.how}</p>
      <LoadedTable
        of={keys}
        caption={say.title}
        empty={say.none}
        keyOf={({ id }) => id}
        selected={argument}
        columns={[
          { title: shared.key, of: ({ id, name }) => <a href={linkTo('keys', id)}>{name}</a> },
          {
            title: shared.state,
            of: (key) => {
              const state = stateOf(key);
              return <span class={state === 'enabled' ? 'succeeded' : 'failed'}>{say.states[state]}</span>;
            },
          },
          { title: say.secret, of: ({ hint }) => <code>{hint}…</code> },
          { title: say.scopes, of: ({ scopes }) => scopes.join(', ') },
          { title: say.limit, isNumber: true, of: (key) => number(key.rate_limit_per_minute) },
          { title: say.issued, of: ({ created_at }) => moment(created_at) },
          { title: shared.expires, of: ({ expires_at }) => (expires_at ? moment(expires_at) : shared.never) },
          {
            title: shared.lastUsed,
            of: ({ last_used_at }) => (last_used_at ? moment(last_used_at) : shared.never),
          },
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

function stateOf({ disabled, expires_at }: Schemas['AdminKey']): 'enabled' | 'disabled' | 'expired' {
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
  const actions = useLoading((signal) =>
    client.value.operator.keyActions({ limit: ACTIONS, ...(keyId && { key_id: keyId }), signal }),
  );
  return (
    <LoadedTable
      of={actions}
      caption={say.audit}
      empty={say.noAudit}
      keyOf={({ request_id, key_id, action }) => `${request_id} ${key_id} ${action}`}
      columns={[
        { title: say.when, of: ({ ts }) => moment(ts) },
        { title: shared.key, of: ({ key_id }) => <a href={linkTo('keys', key_id)}>{key_id}</a> },
        { title: say.action, of: ({ action }) => action },
        { title: shared.by, of: ({ actor }) => actor },
        {
          title: say.changes,
          of: ({ changes }) => <div class="wide">{changes ? changesText(changes) : ''}</div>,
        },
        { title: say.request, of: ({ request_id }) => <code>{request_id}</code> },
      ]}
    />
  );
}
