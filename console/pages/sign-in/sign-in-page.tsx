import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { SaringError } from '#client/index.ts';
import { Choices } from '#console/parts/choices.tsx';
import { Failure } from '#console/parts/failure.tsx';
import { InputField } from '#console/parts/field.tsx';
import { END_USER, endedBy, linkIsSpent, signIn, signInAsOperator } from '#console/session/session.ts';
import { shared } from '#console/words/shared.ts';
import { say } from './words.ts';

const END_USER_FORM = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;

interface Mistakes {
  key?: string;
  endUser?: string;
  /** A failure that no field of the form caused. */
  failure?: unknown;
}

export function SignInPage() {
  const keyField = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [isOperator, setOperator] = useState(false);
  const [mistakes, setMistakes] = useState<Mistakes>({});
  useLayoutEffect(() => keyField.current?.focus(), []);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const [key, endUser] = ['key', 'end-user'].map((name) => ((fields.get(name) ?? '') as string).trim());
    const found: Mistakes = {};
    if (!key) found.key = isOperator ? say.tokenNeeded : say.needed;
    if (!isOperator && !END_USER_FORM.test(endUser!)) found.endUser = say.badEndUser;
    setMistakes(found);
    if (found.key || found.endUser) return;
    setBusy(true);
    try {
      const keep = fields.has('keep');
      await (isOperator ? signInAsOperator(key!) : signIn(key!, endUser!, { keep }));
    } catch (failure) {
      setMistakes(isOperator ? mistakeOfOperator(failure) : mistakeOf(failure));
      setBusy(false);
    }
  };

  return (
    <main id="content" class="sign-in">
      <h1>{say.title}</h1>
      <p>{say.what}</p>
      {endedBy.value && (
        <p class="notice" role="alert">
          {say.ended[endedBy.value]}
        </p>
      )}
      {linkIsSpent.value && !endedBy.value && (
        <p class="notice" role="alert">
          {say.linkSpent}
        </p>
      )}
      <Choices
        label={say.as}
        of={[false, true]}
        chosen={isOperator}
        choose={(operator) => {
          setOperator(operator);
          setMistakes({});
        }}
        shown={(operator) => (operator ? say.asOperator : say.asApplication)}
      />
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Fields {...{ isOperator, mistakes, keyField }} />
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? say.signingIn : say.signIn}
        </button>
        <Failure of={mistakes.failure} />
      </form>
    </main>
  );
}

interface FieldsProps {
  isOperator: boolean;
  mistakes: Mistakes;
  keyField: RefObject<HTMLInputElement | null>;
}

function Fields({ isOperator, mistakes, keyField }: FieldsProps) {
  return (
    <>
      <InputField
        id="key"
        label={isOperator ? say.token : say.key}
        hint={isOperator ? say.tokenHint : say.keyHint}
        mistake={mistakes.key}
        inputRef={keyField}
        name="key"
        type="password"
      />
      {!isOperator && (
        <>
          <InputField
            id="end-user"
            label={shared.endUser}
            hint={say.endUserHint}
            mistake={mistakes.endUser}
            name="end-user"
            defaultValue={END_USER}
          />
          <InputField
            id="keep"
            label={say.keep}
            hint={say.keepHint}
            type="checkbox"
            name="keep"
            defaultChecked
          />
        </>
      )}
    </>
  );
}

function mistakeOf(failure: unknown): Mistakes {
  const code = failure instanceof SaringError ? failure.code : undefined;
  if (code === 'invalid_api_key') return { key: say.refused };
  if (code === 'key_disabled') return { key: say.disabled };
  return { failure };
}

/** A gateway without the operator's endpoints treats the token as an API key, which it does not know. */
function mistakeOfOperator(failure: unknown): Mistakes {
  const code = failure instanceof SaringError ? failure.code : undefined;
  if (code === 'operator_token_required') return { key: say.tokenRefused };
  if (code === 'invalid_api_key') return { key: say.noOperator };
  return { failure };
}
