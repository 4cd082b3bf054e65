import type { ComponentChildren } from 'preact';

export interface Fact {
  name: string;
  value: ComponentChildren;
  /** Explanation of the value, if it needs one. */
  note?: string | false | null | undefined;
}

/** Named values, side by side. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(({ name, value, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {note && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
