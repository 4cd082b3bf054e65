import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { Choices } from '#console/parts/choices.tsx';
import { DataTable } from '#console/parts/data-table.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { client } from '#console/session/session.ts';
import { moment, number } from '#console/words/formats.ts';
import { words } from './words.ts';

type Group = Schemas['RequestSummary']['rows'][number];

const PERIODS_HOURS = [1, 24, 168] as const;
const HOUR_MS = 3_600_000;
/** The statuses of refused and failed requests begin here. */
const FIRST_FAILED = 400;

/** All requests of the key by operation and outcome: what failed, how often, how long it took, and an id to ask the operator about. */
export function Requests() {
  const say = words.value;
  const [hours, setHours] = useState<number>(24);
  const [which, setWhich] = useState<'all' | 'failed'>('all');
  const summary = useLoading(
    (signal) => {
      const since = new Date(Date.now() - hours * HOUR_MS).toISOString();
      return client.value.usage.requests({ since, signal });
    },
    [hours],
  );
  return (
    <>
      <h2>{say.requests}</h2>
      <Choices label={say.period} of={PERIODS_HOURS} chosen={hours} choose={setHours} shown={say.lastHours} />
      <Choices
        label={say.outcome}
        of={['all', 'failed'] as const}
        chosen={which}
        choose={setWhich}
        shown={(one) => say.outcomes[one]}
      />
      <Loaded of={summary}>
        {({ rows }) => {
          const shown = rows.filter(({ status }) => which === 'all' || status >= FIRST_FAILED);
          return shown.length === 0 ? <p>{say.noRequests[which]}</p> : <RequestTable rows={shown} />;
        }}
      </Loaded>
    </>
  );
}

function RequestTable({ rows }: { rows: readonly Group[] }) {
  const say = words.value;
  return (
    <DataTable
      name="requests"
      caption={say.requests}
      rows={rows}
      keyOf={({ operation_id, status, code }) => `${operation_id} ${status} ${code}`}
      columns={[
        {
          title: say.operation,
          field: 'operation_id',
          value: ({ operation_id }) => operation_id ?? say.noOperation,
          of: ({ operation_id }) => (operation_id ? <code>{operation_id}</code> : say.noOperation),
        },
        {
          title: say.answer,
          field: 'status',
          value: ({ status, code }) => `${status} ${code ?? ''}`.trim(),
          of: ({ status, code }) => (
            <span class={status < FIRST_FAILED ? 'succeeded' : 'failed'}>
              {status} {code && <a href={`/api/docs/errors/${code}`}>{code}</a>}
            </span>
          ),
        },
        {
          title: say.count,
          isNumber: true,
          field: 'requests',
          value: ({ requests }) => requests,
          of: ({ requests }) => number(requests),
        },
        {
          title: say.meanMs,
          isNumber: true,
          field: 'mean_ms',
          value: ({ mean_ms }) => mean_ms,
          of: ({ mean_ms }) => number(mean_ms, 1),
        },
        {
          title: say.slowestMs,
          isNumber: true,
          field: 'slowest_ms',
          value: ({ slowest_ms }) => slowest_ms,
          of: ({ slowest_ms }) => number(slowest_ms, 1),
        },
        {
          title: say.last,
          field: 'last_at',
          value: ({ last_at }) => last_at,
          of: ({ last_at }) => moment(last_at),
        },
        {
          title: say.lastRequest,
          field: 'last_request_id',
          value: ({ last_request_id }) => last_request_id,
          of: ({ last_request_id }) => <code>{last_request_id}</code>,
        },
      ]}
    />
  );
}
