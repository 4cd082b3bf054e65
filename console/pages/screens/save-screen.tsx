import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { Failure } from '#console/parts/failure.tsx';
import { Field } from '#console/parts/field.tsx';
import { client, endUser } from '#console/session/session.ts';
import { requestOf, type Draft } from './draft.ts';
import { words } from './words.ts';

interface SaveScreenProps {
  draft: Draft;
  /** The screen that is open. */
  screen: Schemas['Screen'] | undefined;
  /** Called with the screen that was made or replaced, or with an empty id after one was deleted. */
  onChanged: (screenId: string) => void;
}

/** Saves the rules under a name, replaces the open screen by its next version, or deletes it. */
export function SaveScreen({ draft, screen, onChanged }: SaveScreenProps) {
  const say = words.value;
  const [name, setName] = useState(screen?.name ?? '');
  const [isShared, setShared] = useState(screen?.shared ?? false);
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const own = screen?.end_user === endUser.value ? screen : undefined;

  const attempt = async (act: () => Promise<string>) => {
    setFailure(undefined);
    setBusy(true);
    try {
      onChanged(await act());
    } catch (problem) {
      setFailure(problem);
    }
    setBusy(false);
  };
  const { screens } = client.value;
  const body = () => ({ name: name.trim(), shared: isShared, ...requestOf(draft) });
  const create = async () => (await screens.create(body())).screen_id;
  const replace = async ({ screen_id, version }: Schemas['Screen']) =>
    (await screens.replace(screen_id, { ...body(), version })).screen_id;
  const remove = async ({ screen_id }: Schemas['Screen']) => {
    await screens.delete(screen_id);
    return '';
  };
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(() => (own ? replace(own) : create()));
      }}
    >
      <h2>{own ? say.openedScreen(own.name, own.version) : say.save}</h2>
      {screen && !own && <p class="minor">{say.notYours(screen.end_user)}</p>}
      <Field id="screen-name" label={say.name}>
        <input
          id="screen-name"
          value={name}
          required
          autocomplete="off"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </Field>
      <Field id="screen-shared" label={say.shared}>
        <input
          id="screen-shared"
          type="checkbox"
          checked={isShared}
          onChange={({ currentTarget }) => setShared(currentTarget.checked)}
        />
      </Field>
      <p class="actions">
        <button type="submit" disabled={isBusy}>
          {own ? say.saveVersion(own.version + 1) : say.save}
        </button>
        {own && (
          <>
            <button
              type="button"
              disabled={isBusy || name.trim() === ''}
              onClick={() => void attempt(create)}
            >
              {say.saveNew}
            </button>
            <Deletion name={own.name} isBusy={isBusy} remove={() => void attempt(() => remove(own))} />
          </>
        )}
      </p>
      {failure !== undefined && <Failure of={failure} />}
    </form>
  );
}

interface DeletionProps {
  name: string;
  isBusy: boolean;
  remove: () => void;
}

/** Deletes only after a second click, because nothing of a deleted screen is left. */
function Deletion({ name, isBusy, remove }: DeletionProps) {
  const say = words.value;
  const [isAsked, ask] = useState(false);
  if (!isAsked)
    return (
      <button type="button" onClick={() => ask(true)}>
        {say.delete}
      </button>
    );
  return (
    <>
      <span role="alert">{say.reallyDelete(name)}</span>
      <button type="button" disabled={isBusy} onClick={remove}>
        {say.deleteForGood}
      </button>
      <button type="button" onClick={() => ask(false)}>
        {say.keep}
      </button>
    </>
  );
}
