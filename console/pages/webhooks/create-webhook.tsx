import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { useAttempt } from '#console/parts/attempt.ts';
import { Failure } from '#console/parts/failure.tsx';
import { InputField } from '#console/parts/field.tsx';
import { client } from '#console/session/session.ts';
import { namesIn } from '#console/words/names-in.ts';
import { say } from './words.ts';

/** A form that creates a webhook, and shows its secret once. */
export function CreateWebhook({ onCreated }: { onCreated: () => void }) {
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
