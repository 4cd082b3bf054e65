import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { goTo, linkTo } from '#console/browser/routing.ts';
import { useAttempt } from '#console/parts/attempt.ts';
import { Deletion } from '#console/parts/deletion.tsx';
import { Failure } from '#console/parts/failure.tsx';
import { InputField } from '#console/parts/field.tsx';
import { Loaded, useLoadingOn, useRefreshing } from '#console/parts/loading.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import { client } from '#console/session/session.ts';
import { moment, number } from '#console/words/formats.ts';
import { namesIn } from '#console/words/names-in.ts';
import { shared } from '#console/words/shared.ts';
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

/** A form that creates a webhook, and shows its secret once. */
function CreateWebhook({ onCreated }: { onCreated: () => void }) {
  const [url, setUrl] = useState('');
  const [types, setTypes] = useState('');
  const [description, setDescription] = useState('');
  const [secret, setSecret] = useState<string>();
  const { failure, attempt } = useAttempt();
  const create = async () => {
    setSecret(undefined);
    // The API names the types that there are if one of these is none.
    const event_types = namesIn(types) as Schemas['Webhook']['event_types'];
    const note = description.trim();
    const created = await client.value.webhooks.create({
      url: url.trim(),
      ...(event_types.length > 0 && { event_types }),
      ...(note !== '' && { description: note }),
    });
    setSecret(created.secret);
    setUrl('');
    onCreated();
  };
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(create);
      }}
    >
      <h2>{say.creation}</h2>
      <InputField
        id="webhook-url"
        label={say.url}
        hint={say.urlHint}
        type="url"
        value={url}
        required
        onInput={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <InputField
        id="webhook-types"
        label={say.types}
        hint={say.typesHint}
        value={types}
        onInput={({ currentTarget }) => setTypes(currentTarget.value)}
      />
      <InputField
        id="webhook-description"
        label={say.description}
        spellcheck
        value={description}
        onInput={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <p class="actions">
        <button type="submit">{say.create}</button>
      </p>
      {secret !== undefined && (
        <p class="notice" role="status">
          {say.secret}: <code>{secret}</code>
        </p>
      )}
      <Failure of={failure} />
    </form>
  );
}

const DELIVERIES = 20;
/** An attempt takes seconds, and the next one comes later. */
const REFRESH_MS = 5_000;

interface DeliveriesProps {
  webhookId: string;
  /** Changes when something was sent. */
  sent: number;
  attempt: (act: () => Promise<unknown>) => void;
}

/** The last deliveries of a webhook, with how their last attempts ended. */
function Deliveries({ webhookId, sent, attempt }: DeliveriesProps) {
  const { webhooks } = client.value;
  const deliveries = useRefreshing(
    (signal) => webhooks.deliveries(webhookId, { limit: DELIVERIES, signal }).first(),
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
