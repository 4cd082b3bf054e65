import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { Failure } from '#console/parts/failure.tsx';
import { described, Field } from '#console/parts/field.tsx';
import { client } from '#console/session/session.ts';
import { namesIn } from '#console/words/names-in.ts';
import { words } from './words.ts';

type EventTypes = Schemas['Webhook']['event_types'];

/** A form that creates a webhook, and shows its secret once. */
export function CreateWebhook({ onCreated }: { onCreated: () => void }) {
  const say = words.value;
  const [url, setUrl] = useState('');
  const [types, setTypes] = useState('');
  const [description, setDescription] = useState('');
  const [secret, setSecret] = useState<string>();
  const [failure, setFailure] = useState<unknown>();

  const create = async () => {
    setFailure(undefined);
    setSecret(undefined);
    try {
      // The API names the types that there are if one of these is none.
      const event_types = namesIn(types) as EventTypes;
      const note = description.trim();
      const created = await client.value.webhooks.create({
        url: url.trim(),
        ...(event_types.length > 0 && { event_types }),
        ...(note !== '' && { description: note }),
      });
      setSecret(created.secret);
      setUrl('');
      onCreated();
    } catch (problem) {
      setFailure(problem);
    }
  };
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <h2>{say.creation}</h2>
      <Field id="webhook-url" label={say.url} hint={say.urlHint}>
        <input
          {...described('webhook-url', undefined)}
          type="url"
          value={url}
          required
          autocomplete="off"
          onInput={({ currentTarget }) => setUrl(currentTarget.value)}
        />
      </Field>
      <Field id="webhook-types" label={say.types} hint={say.typesHint}>
        <input
          {...described('webhook-types', undefined)}
          value={types}
          autocomplete="off"
          onInput={({ currentTarget }) => setTypes(currentTarget.value)}
        />
      </Field>
      <Field id="webhook-description" label={say.description}>
        <input
          id="webhook-description"
          value={description}
          autocomplete="off"
          onInput={({ currentTarget }) => setDescription(currentTarget.value)}
        />
      </Field>
      <p class="actions">
        <button type="submit">{say.create}</button>
      </p>
      {secret !== undefined && (
        <p class="notice" role="status">
          {say.secret}: <code>{secret}</code>
        </p>
      )}
      {failure !== undefined && <Failure of={failure} />}
    </form>
  );
}
