import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { goTo, linkTo } from '#console/browser/routing.ts';
import { useAttempt } from '#console/parts/attempt.ts';
import { Deletion } from '#console/parts/deletion.tsx';
import { Failure } from '#console/parts/failure.tsx';
import { Loaded, useLoadingOn } from '#console/parts/loading.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import { client } from '#console/session/session.ts';
import { moment, number } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { CreateWebhook } from './create-webhook.tsx';
import { Deliveries } from './deliveries.tsx';
import { say } from './words.ts';

/** Many more than a key usually may own. */
const SHOWN = 100;

/** The webhooks of the key, and what was sent to the one that the address names. */
export function WebhooksPage({ argument }: { argument: string }) {
  const webhooks = useLoadingOn(['webhook.disabled'], (signal) =>
    client.value.webhooks.list({ limit: SHOWN, signal }).first(),
  );
  const opened = webhooks.value?.webhooks.find(({ webhook_id }) => webhook_id === argument);
  return (
    <>
      <h1>{say.title}</h1>
      <p class="minor">{say.intro}</p>
      <Loaded of={webhooks}>
        {({ webhooks: rows }) => (
          <DataTable
            caption={say.title}
            rows={rows}
            empty={say.none}
            keyOf={({ webhook_id }) => webhook_id}
            selected={argument}
            columns={[
              {
                title: say.url,
                of: ({ webhook_id, url }) => <a href={linkTo('webhooks', webhook_id)}>{url}</a>,
              },
              { title: shared.state, of: (webhook) => <State of={webhook} /> },
              {
                title: say.types,
                of: ({ event_types }) => (event_types.length === 0 ? say.all : event_types.join(', ')),
              },
              { title: say.description, of: ({ description }) => description ?? '' },
              { title: shared.waiting, isNumber: true, of: ({ waiting }) => number(waiting) },
              { title: say.next, of: ({ next_attempt_at }) => moment(next_attempt_at) },
            ]}
          />
        )}
      </Loaded>
      {opened && <Opened key={opened.webhook_id} webhook={opened} onChanged={webhooks.reload} />}
      <CreateWebhook onCreated={webhooks.reload} />
    </>
  );
}

function State({ of: { enabled, disabled_reason, failures, failing_since } }: { of: Schemas['Webhook'] }) {
  if (!enabled)
    return (
      <span class="failed">
        {say.states.disabled}: {say.reasons[disabled_reason!]}
      </span>
    );
  if (failures === 0) return <span class="succeeded">{say.states.working}</span>;
  return (
    <span class="failed">
      {say.states.failing}: {say.failures(number(failures), moment(failing_since))}
    </span>
  );
}

interface OpenedProps {
  webhook: Schemas['Webhook'];
  onChanged: () => void;
}

/** What can be done with a webhook, and what was sent to it. */
function Opened({ webhook: { webhook_id, url, enabled }, onChanged }: OpenedProps) {
  const [sent, setSent] = useState(0);
  const { webhooks } = client.value;
  const { failure, attempt } = useAttempt();
  const change = (act: () => Promise<unknown>) =>
    void attempt(async () => {
      await act();
      onChanged();
      setSent((n) => n + 1);
    });
  const remove = async () => {
    await webhooks.delete(webhook_id);
    goTo(linkTo('webhooks'));
  };
  return (
    <section>
      <h2>{url}</h2>
      <p class="actions">
        <button type="button" onClick={() => change(() => webhooks.test(webhook_id))}>
          {say.test}
        </button>
        <button
          type="button"
          onClick={() => change(() => webhooks[enabled ? 'disable' : 'enable'](webhook_id))}
        >
          {enabled ? say.disable : say.enable}
        </button>
        <Deletion question={say.reallyDelete} keep={say.keep} remove={() => change(remove)} />
      </p>
      <Failure of={failure} />
      <Deliveries webhookId={webhook_id} sent={sent} attempt={change} />
    </section>
  );
}
