import type { ComponentChildren } from 'preact';

interface ChoicesProps {
  /** Text for screen readers that says what is chosen. */
  label: string;
  of: readonly number[];
  chosen: number;
  choose: (one: number) => void;
  shown: (one: number) => string;
  /** Shown after the buttons. */
  children?: ComponentChildren;
}

/** Buttons to choose one of a few numbers. */
export function Choices({ label, of, chosen, choose, shown, children }: ChoicesProps) {
  return (
    <p class="actions" role="group" aria-label={label}>
      {of.map((one) => (
        <button
          key={one}
          type="button"
          class="choose"
          aria-pressed={one === chosen}
          onClick={() => choose(one)}
        >
          {shown(one)}
        </button>
      ))}
      {children}
    </p>
  );
}
