import type { Schemas } from '#client/index.ts';
import { Loaded, useRefreshing } from '#console/parts/loading.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import { client } from '#console/session/session.ts';
import { moment, number } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { say } from './words.ts';

const SHOWN = 20;
/** An attempt takes seconds, and the next one comes later. */
const REFRESH_MS = 5_000;

interface DeliveriesProps {
  webhookId: string;
  /** Changes when something was sent. */
  sent: number;
  attempt: (act: () => Promise<unknown>) => void;
}

/** The last deliveries of a webhook, with how their last attempts ended. */
export function Deliveries({ webhookId, sent, attempt }: DeliveriesProps) {
  const { webhooks } = client.value;
  const deliveries = useRefreshing(
    (signal) => webhooks.deliveries(webhookId, { limit: SHOWN, signal }).first(),
    [sent],
    REFRESH_MS,
  );
  return (
    <>
      <h3>{say.deliveries}</h3>
      <p class="actions">
        <button type="button" onClick={deliveries.reload}>
          {say.refresh}
        </button>
      </p>
      <Loaded of={deliveries}>
        {({ deliveries: rows }) => (
          <DataTable
            caption={say.deliveries}
            rows={rows}
            empty={say.noDeliveries}
            keyOf={({ delivery_id }) => delivery_id}
            columns={[
              { title: say.created, of: ({ created_at }) => moment(created_at) },
              { title: say.event, of: ({ event_type }) => <code>{event_type}</code> },
              {
                title: shared.state,
                of: ({ state }) => (
                  <span class={state === 'delivered' ? 'succeeded' : state === 'failed' ? 'failed' : ''}>
                    {say.deliveryStates[state]}
                  </span>
                ),
              },
              { title: say.attempts, isNumber: true, of: ({ attempts }) => number(attempts.length) },
              { title: say.answer, of: (delivery) => <LastAnswer of={delivery} /> },
              {
                title: say.again,
                of: ({ delivery_id }) => (
                  <button
                    type="button"
                    aria-label={say.sendAgain(delivery_id)}
                    onClick={() => attempt(() => webhooks.redeliver(webhookId, delivery_id))}
                  >
                    {say.again}
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

function LastAnswer({ of: { attempts } }: { of: Schemas['Delivery'] }) {
  const last = attempts.at(-1);
  if (!last) return null;
  return (
    <div class="wide">
      {last.error ?? last.status}
      {last.answer && (
        <div class="minor">
          <code>{last.answer.slice(0, 200)}</code>
        </div>
      )}
    </div>
  );
}
