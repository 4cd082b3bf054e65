import { useState } from 'preact/hooks';

interface DeletionProps {
  words: { delete: string; deleteForGood: string; keep: string };
  /** What a second click answers. */
  question: string;
  isBusy?: boolean;
  remove: () => void;
}

/** Deletes only after a second click, because nothing is left of what was deleted. */
export function Deletion({ words, question, isBusy = false, remove }: DeletionProps) {
  const [isAsked, ask] = useState(false);
  if (!isAsked)
    return (
      <button type="button" onClick={() => ask(true)}>
        {words.delete}
      </button>
    );
  return (
    <>
      <span role="alert">{question}</span>
      <button type="button" disabled={isBusy} onClick={remove}>
        {words.deleteForGood}
      </button>
      <button type="button" onClick={() => ask(false)}>
        {words.keep}
      </button>
    </>
  );
}
