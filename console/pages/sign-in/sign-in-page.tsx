import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { SaringError } from '#client/index.ts';
import { Choices } from '#console/parts/choices.tsx';
import { Failure } from '#console/parts/failure.tsx';
import { described, Field } from '#console/parts/field.tsx';
import { END_USER, endedBy, linkIsSpent, signIn, signInAsOperator } from '#console/session/session.ts';
import { words } from './words.ts';

const END_USER_FORM = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;

interface Mistakes {
  key?: string;
  endUser?: string;
  /** A failure that no field of the form caused. */
  failure?: unknown;
}

export function SignInPage() {
  const { title, what, ...say } = words.value;
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
      <h1>{title}</h1>
      <p>{what}</p>
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
        <Field
          id="key"
          label={isOperator ? say.token : say.key}
          hint={isOperator ? say.tokenHint : say.keyHint}
          mistake={mistakes.key}
        >
          <input
            {...described('key', mistakes.key)}
            ref={keyField}
            name="key"
            type="password"
            autocomplete="off"
            spellcheck={false}
          />
        </Field>
        {!isOperator && (
          <Field id="end-user" label={say.endUser} hint={say.endUserHint} mistake={mistakes.endUser}>
            <input
              {...described('end-user', mistakes.endUser)}
              name="end-user"
              defaultValue={END_USER}
              autocomplete="off"
              spellcheck={false}
            />
          </Field>
        )}
        {!isOperator && (
          <Field id="keep" label={say.keep} hint={say.keepHint}>
            <input {...described('keep', undefined)} type="checkbox" name="keep" defaultChecked />
          </Field>
        )}
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? say.signingIn : say.signIn}
        </button>
        {mistakes.failure !== undefined && <Failure of={mistakes.failure} />}
      </form>
    </main>
  );
}

function mistakeOf(failure: unknown): Mistakes {
  const code = failure instanceof SaringError ? failure.code : undefined;
  if (code === 'invalid_api_key') return { key: words.value.refused };
  if (code === 'key_disabled') return { key: words.value.disabled };
  return { failure };
}

/** A gateway without the operator's endpoints treats the token as an API key, which it does not know. */
function mistakeOfOperator(failure: unknown): Mistakes {
  const code = failure instanceof SaringError ? failure.code : undefined;
  if (code === 'operator_token_required') return { key: words.value.tokenRefused };
  if (code === 'invalid_api_key') return { key: words.value.noOperator };
  return { failure };
}
