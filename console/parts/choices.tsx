import type { ComponentChildren } from 'preact';

interface ChoicesProps<One extends number | boolean | string> {
  /** Text for screen readers that says what is chosen. */
  label: string;
  of: readonly One[];
  chosen: One;
  choose: (one: One) => void;
  shown: (one: One) => string;
  /** Shown after the buttons. */
  children?: ComponentChildren;
}

/** Buttons to choose one of a few values. */
export function Choices<One extends number | boolean | string>({
  label,
  of,
  chosen,
  choose,
  shown,
  children,
}: ChoicesProps<One>) {
  return (
    <p class="actions" role="group" aria-label={label}>
      {of.map((one) => (
        <button
          key={String(one)}
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
