import type { ComponentChildren } from 'preact';

interface FieldProps {
  id: string;
  label: ComponentChildren;
  hint?: ComponentChildren;
  /** What is wrong with it. */
  mistake?: string | undefined;
  /** The control: it gets `id`, and `describedBy` says what explains it. */
  children: ComponentChildren;
}

/** A control with its label, its hint, and what is wrong with it. */
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

/** What a control says about itself to a screen reader. */
export function described(id: string, mistake: string | undefined) {
  return {
    id,
    'aria-describedby': mistake ? `${id}-hint ${id}-mistake` : `${id}-hint`,
    'aria-invalid': mistake !== undefined,
  };
}
