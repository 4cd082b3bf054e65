import { useState } from 'preact/hooks';
import { shared } from '#console/words/shared.ts';

interface DeletionProps {
  /** What a second click answers. */
  question: string;
  /** The other answer. */
  keep: string;
  isBusy?: boolean;
  remove: () => void;
}

/** Deletes only after a second click, because nothing is left of what was deleted. */
export function Deletion({ question, keep, isBusy = false, remove }: DeletionProps) {
  const [isAsked, ask] = useState(false);
  if (!isAsked)
    return (
      <button type="button" onClick={() => ask(true)}>
        {shared.delete}
      </button>
    );
  return (
    <>
      <span role="alert">{question}</span>
      <button type="button" disabled={isBusy} onClick={remove}>
        {shared.deleteForGood}
      </button>
      <button type="button" onClick={() => ask(false)}>
        {keep}
      </button>
    </>
  );
}
