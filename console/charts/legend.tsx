/** Explains the colours of a drawing. A part without a kind is coloured by its sign. */
export function Legend({ of }: { of: readonly { name: string; kind?: string | undefined }[] }) {
  return (
    <ul class="legend">
      {of.map(({ name, kind }) => (
        <li key={name}>
          <span class={`swatch ${kind ?? ''}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}
