import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { Choices } from '#console/parts/choices.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { columnsFor } from '#console/parts/tables/columns.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import { client } from '#console/session/session.ts';
import { moment, number } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { say } from './words.ts';

type Group = Schemas['RequestSummary']['rows'][number];

const PERIODS_HOURS = [1, 24, 168] as const;
const HOUR_MS = 3_600_000;
/** The statuses of refused and failed requests begin here. */
const FIRST_FAILED = 400;

/** All requests of the key by operation and outcome: what failed, how often, how long it took, and an id to ask the operator about. */
export function Requests() {
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
        label={shared.outcome}
        of={['all', 'failed'] as const}
        chosen={which}
        choose={setWhich}
        shown={(one) => say.outcomes[one]}
      />
      <Loaded of={summary}>
        {({ rows }) => (
          <RequestTable
            rows={rows.filter(({ status }) => which === 'all' || status >= FIRST_FAILED)}
            empty={say.noRequests[which]}
          />
        )}
      </Loaded>
    </>
  );
}

function RequestTable({ rows, empty }: { rows: readonly Group[]; empty: string }) {
  const { text, numeric } = columnsFor<Group>();
  return (
    <DataTable
      name="requests"
      caption={say.requests}
      rows={rows}
      empty={empty}
      keyOf={({ operation_id, status, code }) => `${operation_id} ${status} ${code}`}
      columns={[
        {
          title: say.operation,
          field: 'operation_id',
          value: ({ operation_id }) => operation_id ?? shared.none,
          of: ({ operation_id }) => (operation_id ? <code>{operation_id}</code> : shared.none),
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
        numeric(say.count, 'requests'),
        numeric(say.meanMs, 'mean_ms', (ms) => number(ms, 1)),
        numeric(say.slowestMs, 'slowest_ms', (ms) => number(ms, 1)),
        text(say.last, 'last_at', moment),
        text(say.lastRequest, 'last_request_id', (id) => <code>{id}</code>),
      ]}
    />
  );
}
