import { useEffect, useRef } from 'preact/hooks';
import { focusStockSearch, SEARCH_KEY } from './stock-search.tsx';
import { say } from './words.ts';

const HELP_KEY = '?';
const STEPS: Record<string, number> = { j: 1, k: -1 };

/** The keys that work on every page, and the list of them. */
export function Shortcuts() {
  const help = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isTyping(event)) return;
      const step = STEPS[event.key];
      if (event.key === SEARCH_KEY) focusStockSearch();
      else if (event.key === HELP_KEY) help.current?.showModal();
      else if (step !== undefined) moveInTable(step);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <dialog ref={help} aria-label={say.shortcuts}>
      <h2>{say.shortcuts}</h2>
      <dl>
        {Object.entries(say.keys).map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => help.current?.close()}>
        {say.close}
      </button>
    </dialog>
  );
}

/** Whether a key belongs to what has the focus, or to the browser. */
function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const isField =
    target instanceof HTMLElement && target.matches('input, select, textarea, [contenteditable]');
  return isField || ctrlKey || metaKey || altKey || document.querySelector('dialog[open]') !== null;
}

/** Moves the focus to the next or previous row: to what opens it. */
function moveInTable(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main tbody th :is(a, button)')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[at === -1 ? 0 : at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
