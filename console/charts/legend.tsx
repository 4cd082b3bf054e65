/** Explains the colours of a drawing by the classes of its parts. */
export function Legend({ of }: { of: readonly { name: string; kind: string }[] }) {
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
