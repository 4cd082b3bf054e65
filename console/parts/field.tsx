import type { ComponentChildren, ComponentProps, Ref } from 'preact';
import { Select, type SelectProps } from './select.tsx';

interface FieldFrame {
  id: string;
  label: ComponentChildren;
  hint?: ComponentChildren;
  /** What is wrong with the entered value. */
  mistake?: string | undefined;
}

/** Attributes that connect a control with its label, hint and mistake, also for a screen reader. */
export interface Described {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean;
}

interface FieldProps extends FieldFrame {
  /** Draws the control. */
  children: (described: Described) => ComponentChildren;
}

/** A control with its label, its hint, and its mistake. */
export function Field({ id, label, hint, mistake, children }: FieldProps) {
  const described = [hint && `${id}-hint`, mistake && `${id}-mistake`].filter((one) => one);
  return (
    <div class={mistake ? 'field wrong' : 'field'}>
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
        'aria-invalid': mistake !== undefined,
      })}
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

type InputFieldProps = FieldFrame &
  Omit<ComponentProps<'input'>, keyof FieldFrame | 'ref'> & { inputRef?: Ref<HTMLInputElement> };

/** A field whose control is an input. A browser neither completes nor corrects what is typed into it. */
export function InputField({ id, label, hint, mistake, inputRef, ...input }: InputFieldProps) {
  return (
    <Field {...{ id, label, hint, mistake }}>
      {(described) => (
        <input
          {...described}
          {...(inputRef && { ref: inputRef })}
          autocomplete="off"
          spellcheck={false}
          {...(input as ComponentProps<'input'>)}
        />
      )}
    </Field>
  );
}

type SelectFieldProps<One extends string> = FieldFrame & Omit<SelectProps<One>, 'id'>;

/** A field whose control is a list to choose from. */
export function SelectField<One extends string>(props: SelectFieldProps<One>) {
  const { id, label, hint, mistake, ...select } = props;
  return (
    <Field {...{ id, label, hint, mistake }}>
      {(described) => <Select<One> {...described} {...select} />}
    </Field>
  );
}
