import type { ComponentChildren } from 'preact';

export interface SelectProps<One extends string> {
  id: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean;
  value: string | undefined;
  /** Values with their texts. */
  options?: readonly (readonly [value: One, text: string])[];
  choose: (value: One) => void;
  /** Options in groups. */
  children?: ComponentChildren;
}

/** A list to choose from. */
export function Select<One extends string>({ options = [], choose, children, ...select }: SelectProps<One>) {
  return (
    <select {...select} onChange={({ currentTarget }) => choose(currentTarget.value as One)}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
      {children}
    </select>
  );
}
