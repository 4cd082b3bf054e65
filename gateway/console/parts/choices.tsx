import type { ComponentChildren } from 'preact';

interface ChoicesProps {
  /** What is chosen, for those who do not see it. */
  label: string;
  of: readonly number[];
  chosen: number;
  choose: (one: number) => void;
  shown: (one: number) => string;
  /** After the buttons. */
  children?: ComponentChildren;
}

/** A few numbers, one of which is chosen. */
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
