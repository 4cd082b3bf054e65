import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { useAttempt } from '#console/parts/attempt.ts';
import { Deletion } from '#console/parts/deletion.tsx';
import { Failure } from '#console/parts/failure.tsx';
import { InputField } from '#console/parts/field.tsx';
import { client, endUser } from '#console/session/session.ts';
import { shared } from '#console/words/shared.ts';
import { requestOf, type Draft } from '../rules/draft.ts';
import { say } from './words.ts';

interface SaveScreenProps {
  draft: Draft;
  /** The screen that is open. */
  screen: Schemas['Screen'] | undefined;
  /** Called with the screen that was made or replaced, or with an empty id after one was deleted. */
  onChanged: (screenId: string) => void;
}

/** Saves the rules under a name, replaces the open screen by its next version, or deletes it. */
export function SaveScreen({ draft, screen, onChanged }: SaveScreenProps) {
  const [name, setName] = useState(screen?.name ?? '');
  const [isShared, setShared] = useState(screen?.shared ?? false);
  const { failure, isBusy, attempt } = useAttempt();
  const own = screen?.end_user === endUser.value ? screen : undefined;
  const change = (act: () => Promise<string>) => void attempt(async () => onChanged(await act()));
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
        change(() => (own ? replace(own) : create()));
      }}
    >
      <h2>{own ? say.openedScreen(own.name, own.version) : say.save}</h2>
      {screen && !own && <p class="minor">{say.notYours(screen.end_user)}</p>}
      <InputField
        id="screen-name"
        label={shared.name}
        spellcheck
        value={name}
        required
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <InputField
        id="screen-shared"
        label={say.shared}
        type="checkbox"
        checked={isShared}
        onChange={({ currentTarget }) => setShared(currentTarget.checked)}
      />
      <p class="actions">
        <button type="submit" disabled={isBusy}>
          {own ? say.saveVersion(own.version + 1) : say.save}
        </button>
        {own && (
          <>
            <button type="button" disabled={isBusy || name.trim() === ''} onClick={() => change(create)}>
              {say.saveNew}
            </button>
            <Deletion
              question={say.reallyDelete(own.name)}
              keep={say.keep}
              isBusy={isBusy}
              remove={() => change(() => remove(own))}
            />
          </>
        )}
      </p>
      <Failure of={failure} />
    </form>
  );
}
