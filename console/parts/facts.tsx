import type { ComponentChildren } from 'preact';

/** A name, its value and, if the value needs one, its explanation. */
export type Fact = readonly [
  name: string,
  value: ComponentChildren,
  note?: string | false | null | undefined,
];

/** Named values, side by side. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value, note]) => (
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
