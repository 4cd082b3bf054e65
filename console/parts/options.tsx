import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

interface OptionsOf<Option> {
  /** Id of the text box. */
  id: string;
  /** Says what the options are. */
  label: string;
  options: readonly Option[];
  isOpen: boolean;
  /** Whether one is always chosen. Otherwise the arrow keys also lead back to what was typed. */
  isOneChosen: boolean;
  accept: (option: Option) => void;
  shown: (option: Option) => ComponentChildren;
}

/** Options below a text box, which keeps the focus. Arrow keys choose one, as screen readers are told, and a click accepts one. */
export function useOptions<Option>(props: OptionsOf<Option>) {
  const { id, label, options, isOpen, isOneChosen, accept, shown } = props;
  // One place before the options is the text itself.
  const first = isOneChosen ? 0 : -1;
  const [at, setAt] = useState(first);
  const place = Math.min(at, options.length - 1);
  const count = options.length - first;
  return {
    chosen: options[place],
    /** Chooses as at the beginning, because there are other options. */
    restart: () => setAt(first),
    /** Moves the choice if the key is an arrow, and says whether it is. */
    move: (event: KeyboardEvent): boolean => {
      const step = options.length > 0 ? STEPS[event.key] : undefined;
      if (step === undefined) return false;
      event.preventDefault();
      setAt((now) => first + ((now - first + step + count) % count));
      return true;
    },
    /** Attributes of the text box. */
    attributes: {
      'aria-controls': `${id}-options`,
      'aria-autocomplete': 'list' as const,
      ...(place >= 0 && { 'aria-activedescendant': `${id}-${place}` }),
    },
    list: (
      <ul id={`${id}-options`} class="options" role="listbox" aria-label={label} hidden={!isOpen}>
        {options.map((option, at) => (
          <li
            key={at}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === place}
            // Before the box loses the focus, which closes the list.
            onMouseDown={(event) => {
              event.preventDefault();
              accept(option);
            }}
          >
            {shown(option)}
          </li>
        ))}
      </ul>
    ),
  };
}
