/** A line, or one part of each bar. */
export interface Series {
  name: string;
  /** Class in the style sheet. */
  kind: 'first' | 'second' | 'third';
  /** From left to right. null interrupts a line. */
  values: readonly (number | null)[];
}

/** Explains the colours of a drawing. */
export function Legend({ of }: { of: readonly Series[] }) {
  return (
    <ul class="legend">
      {of.map(({ name, kind }) => (
        <li key={name}>
          <span class={`swatch ${kind}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}
