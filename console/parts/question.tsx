import type { ComponentProps, Ref } from 'preact';

interface OwnProps {
  id: string;
  label: string;
  /** Text of the button. */
  button: string;
  isBusy?: boolean;
  /** Is given what was entered, without spaces around it. */
  enter: (text: string) => void;
  inputRef?: Ref<HTMLInputElement>;
}
type QuestionProps = OwnProps & Omit<ComponentProps<'input'>, keyof OwnProps | 'ref'>;

/** A form of one line that asks for one text. */
export function Question({ id, label, button, isBusy, enter, inputRef, ...input }: QuestionProps) {
  return (
    <form
      class="inline"
      role={input.type === 'search' ? 'search' : undefined}
      onSubmit={(event) => {
        event.preventDefault();
        enter((event.currentTarget.elements.namedItem(id) as HTMLInputElement).value.trim());
      }}
    >
      <label for={id}>{label}</label>
      <input
        id={id}
        {...(inputRef && { ref: inputRef })}
        autocomplete="off"
        spellcheck={false}
        {...(input as ComponentProps<'input'>)}
      />
      <button type="submit" disabled={isBusy}>
        {button}
      </button>
    </form>
  );
}
