import type { ComponentChildren } from 'preact';

interface FieldProps {
  id: string;
  label: ComponentChildren;
  hint?: ComponentChildren;
  /** What is wrong with the entered value. */
  mistake?: string | undefined;
  /** The control. Spread `described(id, mistake)` into it. */
  children: ComponentChildren;
}

/** A control with its label, its hint, and its mistake. */
export function Field({ id, label, hint, mistake, children }: FieldProps) {
  return (
    <div class={mistake ? 'field wrong' : 'field'}>
      <label for={id}>{label}</label>
      {children}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {mistake && (
        <p class="mistake" id={`${id}-mistake`}>
          {mistake}
        </p>
      )}
    </div>
  );
}

/** Attributes that connect a control with its hint and mistake for a screen reader. */
export function described(id: string, mistake: string | undefined) {
  return {
    id,
    'aria-describedby': mistake ? `${id}-hint ${id}-mistake` : `${id}-hint`,
    'aria-invalid': mistake !== undefined,
  };
}
