import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { DataTable } from '#console/parts/data-table.tsx';
import { Failure } from '#console/parts/failure.tsx';
import { Loaded, useLoadingOn } from '#console/parts/loading.tsx';
import { goTo, linkTo } from '#console/routing.ts';
import { client } from '#console/session/session.ts';
import { moment, number } from '#console/words/formats.ts';
import { CreateWebhook } from './create-webhook.tsx';
import { Deliveries } from './deliveries.tsx';
import { words } from './words.ts';

/** Many more than a key usually may own. */
const SHOWN = 100;

/** The webhooks of the key, and what was sent to the one that the address names. */
export function WebhooksPage({ argument }: { argument: string }) {
  const say = words.value;
  const webhooks = useLoadingOn(
    ['webhook.disabled'],
    (signal) => client.value.webhooks.list({ limit: SHOWN, signal }).first(),
    [],
  );
  const opened = webhooks.value?.webhooks.find(({ webhook_id }) => webhook_id === argument);
  return (
    <>
      <h1>{say.title}</h1>
      <p class="minor">{say.intro}</p>
      <Loaded of={webhooks}>
        {({ webhooks: rows }) =>
          rows.length === 0 ? (
            <p>{say.none}</p>
          ) : (
            <DataTable
              caption={say.title}
              rows={rows}
              keyOf={({ webhook_id }) => webhook_id}
              selected={argument}
              columns={[
                {
                  title: say.url,
                  of: ({ webhook_id, url }) => <a href={linkTo('webhooks', webhook_id)}>{url}</a>,
                },
                { title: say.state, of: (webhook) => <State of={webhook} /> },
                {
                  title: say.types,
                  of: ({ event_types }) => (event_types.length === 0 ? say.all : event_types.join(', ')),
                },
                { title: say.description, of: ({ description }) => description ?? '' },
                { title: say.waiting, isNumber: true, of: ({ waiting }) => number(waiting) },
                { title: say.next, of: ({ next_attempt_at }) => moment(next_attempt_at) },
              ]}
            />
          )
        }
      </Loaded>
      {opened && <Opened key={opened.webhook_id} webhook={opened} onChanged={webhooks.reload} />}
      <CreateWebhook onCreated={webhooks.reload} />
    </>
  );
}

function State({ of: { enabled, disabled_reason, failures, failing_since } }: { of: Schemas['Webhook'] }) {
  const say = words.value;
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
  const say = words.value;
  const [failure, setFailure] = useState<unknown>();
  const [isAsked, ask] = useState(false);
  const [sent, setSent] = useState(0);
  const { webhooks } = client.value;
  const attempt = async (act: () => Promise<unknown>) => {
    setFailure(undefined);
    try {
      await act();
      onChanged();
      setSent((n) => n + 1);
    } catch (problem) {
      setFailure(problem);
    }
  };
  const remove = async () => {
    await webhooks.delete(webhook_id);
    goTo(linkTo('webhooks'));
  };
  return (
    <section>
      <h2>{url}</h2>
      <p class="actions">
        <button type="button" onClick={() => void attempt(() => webhooks.test(webhook_id))}>
          {say.test}
        </button>
        <button
          type="button"
          onClick={() => void attempt(() => webhooks[enabled ? 'disable' : 'enable'](webhook_id))}
        >
          {enabled ? say.disable : say.enable}
        </button>
        {isAsked ? (
          <>
            <span role="alert">{say.reallyDelete}</span>
            <button type="button" onClick={() => void attempt(remove)}>
              {say.deleteForGood}
            </button>
            <button type="button" onClick={() => ask(false)}>
              {say.keep}
            </button>
          </>
        ) : (
          <button type="button" onClick={() => ask(true)}>
            {say.delete}
          </button>
        )}
      </p>
      {failure !== undefined && <Failure of={failure} />}
      <Deliveries webhookId={webhook_id} sent={sent} attempt={(act) => void attempt(act)} />
    </section>
  );
}
