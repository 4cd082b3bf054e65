import type { Ref } from 'preact';
import { useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { described, Field } from '#console/parts/field.tsx';
import { completionsAt, type Completions } from '#fields/rules/completions.ts';
import type { RuleFields } from '#fields/field-type.ts';
import { LIMITS } from '#fields/rules/rules.ts';
import { words } from './words.ts';

const ID = 'rules';
const SHOWN = 8;

/** What the page does with the text beside typing. */
export interface RulesBoxHandle {
  /** Puts a name where the cursor is. */
  insert: (name: string) => void;
  /** Replaces the whole text, and lets it be changed at once. */
  replace: (rules: string) => void;
  /** Selects the word at a column, counted from 1, so that typing replaces it. */
  select: (column: number) => void;
}

interface RulesBoxProps {
  rules: string;
  onInput: (rules: string) => void;
  onSubject: (field: string | undefined) => void;
  onFocus: () => void;
  mistake: string | undefined;
  fields: readonly Schemas['Field'][];
  ruleFields: RuleFields;
  handle: Ref<RulesBoxHandle>;
}

/** Rules as a person writes them, with what may stand at the cursor below. Enter runs them. */
export function RulesBox({
  rules,
  onInput,
  onSubject,
  onFocus,
  mistake,
  fields,
  ruleFields,
  handle,
}: RulesBoxProps) {
  const say = words.value;
  const box = useRef<HTMLTextAreaElement>(null);
  const [offered, offer] = useState<Completions>();
  const [at, setAt] = useState(-1);
  const typedAt = useRef(0);
  const cursor = useRef<number>(undefined);
  const options = offered?.options.slice(0, SHOWN) ?? [];
  const close = () => (offer(undefined), setAt(-1));
  // What may stand at one place cannot be chosen at another.
  const closeIfMoved = () => box.current!.selectionEnd !== typedAt.current && close();
  const onTyped = () => {
    const { value, selectionEnd } = box.current!;
    const found = completionsAt(value, selectionEnd, ruleFields);
    typedAt.current = selectionEnd;
    offer(found);
    setAt(-1);
    onSubject(found.subject);
    onInput(value);
  };
  const write = (text: string, start: number, end: number) => {
    const { value } = box.current!;
    const written = value.slice(0, start) + text + value.slice(end);
    cursor.current = start + text.length;
    onSubject(completionsAt(written, cursor.current, ruleFields).subject);
    onInput(written);
    box.current!.focus();
  };
  const accept = (option: string) => {
    write(option.endsWith('(') ? option : `${option} `, offered!.from, offered!.to);
    close();
  };
  useImperativeHandle(handle, () => ({
    insert: (name) => {
      const { selectionStart, selectionEnd, value } = box.current!;
      const isApart = /(^|[\s(])$/.test(value.slice(0, selectionStart));
      write(`${isApart ? '' : ' '}${name} `, selectionStart, selectionEnd);
    },
    replace: (rules) => write(rules, 0, box.current!.value.length),
    select: (column) => {
      const start = column - 1;
      const [word] = /^[\w.]*/.exec(box.current!.value.slice(start))!;
      box.current!.focus();
      box.current!.setSelectionRange(start, start + word.length);
    },
  }));
  // The value that was written is in the box only now.
  useLayoutEffect(() => {
    if (cursor.current !== undefined) box.current!.setSelectionRange(cursor.current, cursor.current);
    cursor.current = undefined;
  }, [rules]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = options.length > 0 ? steps[event.key] : undefined;
    if (step !== undefined) {
      event.preventDefault();
      // One place beyond the options is the text itself.
      setAt((now) => ((now + 1 + step + options.length + 1) % (options.length + 1)) - 1);
    } else if (event.key === 'Escape') close();
    else if (event.key === 'Enter') {
      event.preventDefault();
      if (at >= 0) return accept(options[at]!);
      close();
      box.current!.form!.requestSubmit();
    }
  };
  return (
    <Field id={ID} label={say.rules} hint={say.rulesHint} mistake={mistake}>
      <div class="completed">
        <textarea
          {...described(ID, mistake)}
          ref={box}
          rows={3}
          value={rules}
          spellcheck={false}
          autocapitalize="off"
          aria-autocomplete="list"
          aria-controls={`${ID}-options`}
          {...(at >= 0 && { 'aria-activedescendant': `${ID}-${at}` })}
          onInput={onTyped}
          maxLength={LIMITS.textLength}
          onKeyDown={onKeyDown}
          onKeyUp={closeIfMoved}
          onClick={closeIfMoved}
          onFocus={onFocus}
          onBlur={close}
        />
        <ul
          id={`${ID}-options`}
          class="options"
          role="listbox"
          aria-label={say.options}
          hidden={options.length === 0}
        >
          {options.map((option, place) => (
            <li
              key={option}
              id={`${ID}-${place}`}
              role="option"
              aria-selected={place === at}
              // Before the box loses the focus, which closes the list.
              onMouseDown={(event) => {
                event.preventDefault();
                accept(option);
              }}
            >
              <code>{option}</code> {fields.find(({ name }) => name === option)?.label}
            </li>
          ))}
        </ul>
      </div>
    </Field>
  );
}
