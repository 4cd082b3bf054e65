import { SaringError } from '#client/index.ts';
import { mistakeText } from '#console/words/rule-mistakes.ts';
import { shared } from '#console/words/shared.ts';

/** A failure in plain words, with the details that support asks for. Shows nothing while there is none. */
export function Failure({ of, again }: { of: unknown; again?: () => void }) {
  if (of === undefined) return null;
  const known = of instanceof SaringError ? of : undefined;
  return (
    <div class="failure" role="alert">
      <p>{sentenceOf(of)}</p>
      {known && known.detail.length > 0 && (
        <ul>
          {known.detail.map((mistake) => (
            <li key={`${mistake.loc.join('.')} ${mistake.msg}`}>
              <code>{mistake.loc.join('.')}</code> {mistakeText(mistake)}
            </li>
          ))}
        </ul>
      )}
      {known && (
        <p class="minor">
          <code>{known.code}</code>
          {known.requestId && (
            <>
              {' · '}
              <code>{known.requestId}</code>
            </>
          )}
        </p>
      )}
      {again && (
        <button type="button" onClick={again}>
          {shared.again}
        </button>
      )}
    </div>
  );
}

/** If fields were refused, a general sentence is enough: the list below it names them. */
function sentenceOf(failure: unknown): string {
  if (!(failure instanceof SaringError)) return String(failure);
  const { failures, refused } = shared;
  if (failure.detail.length > 0) return refused;
  return failures[failure.code as keyof typeof failures] ?? failure.message;
}
