import type { Ref, RefObject } from 'preact';
import { useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { Field } from '#console/parts/field.tsx';
import { useOptions } from '#console/parts/options.tsx';
import type { RuleFields } from '#fields/field-type.ts';
import { completionsAt, type Completions } from '#fields/rules/completions.ts';
import { LIMITS } from '#fields/rules/rules.ts';
import { EXAMPLES } from './draft.ts';
import { say } from './words.ts';

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
export function RulesBox(props: RulesBoxProps) {
  const { rules, onInput, onSubject, onFocus, mistake, fields, ruleFields, handle } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  const [offered, offer] = useState<Completions>();
  const typedAt = useRef(0);
  const write = useWriter(box, props);
  const options = offered?.options.slice(0, SHOWN) ?? [];
  // What may stand at one place cannot be chosen at another.
  const closeIfMoved = () => box.current!.selectionEnd !== typedAt.current && close();
  const onTyped = () => {
    const { value, selectionEnd } = box.current!;
    const found = completionsAt(value, selectionEnd, ruleFields);
    typedAt.current = selectionEnd;
    offer(found);
    restart();
    onSubject(found.subject);
    onInput(value);
  };
  const close = () => (offer(undefined), restart());
  const accept = (option: string) => {
    write(option.endsWith('(') ? option : `${option} `, offered!.from, offered!.to);
    close();
  };
  const { chosen, restart, move, attributes, list } = useOptions({
    id: ID,
    label: say.options,
    options,
    isOpen: options.length > 0,
    isOneChosen: false,
    accept,
    shown: (option) => (
      <>
        <code>{option}</code> {fields.find(({ name }) => name === option)?.label}
      </>
    ),
  });
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
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || move(event)) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter') {
      event.preventDefault();
      if (chosen !== undefined) return accept(chosen);
      close();
      box.current!.form!.requestSubmit();
    }
  };
  return (
    <Field id={ID} label={say.rules} hint={say.rulesHint} mistake={mistake}>
      {(described) => (
        <div class="completed">
          <textarea
            {...described}
            {...attributes}
            ref={box}
            rows={3}
            value={rules}
            spellcheck={false}
            autocapitalize="off"
            onInput={onTyped}
            maxLength={LIMITS.textLength}
            onKeyDown={onKeyDown}
            onKeyUp={closeIfMoved}
            onClick={closeIfMoved}
            onFocus={onFocus}
            onBlur={close}
          />
          {list}
        </div>
      )}
    </Field>
  );
}

/** Writes into the box what was not typed, and moves the cursor behind it. */
function useWriter(
  box: RefObject<HTMLTextAreaElement | null>,
  { rules, onInput, onSubject, ruleFields }: RulesBoxProps,
) {
  const cursor = useRef<number>(undefined);
  // The value that was written is in the box only now.
  useLayoutEffect(() => {
    if (cursor.current !== undefined) box.current!.setSelectionRange(cursor.current, cursor.current);
    cursor.current = undefined;
  }, [rules]);
  return (text: string, start: number, end: number) => {
    const { value } = box.current!;
    const written = value.slice(0, start) + text + value.slice(end);
    cursor.current = start + text.length;
    onSubject(completionsAt(written, cursor.current, ruleFields).subject);
    onInput(written);
    box.current!.focus();
  };
}

/** Examples to begin with, shown while the box is empty. */
export function ExampleRules({ choose }: { choose: (rules: string) => void }) {
  return (
    <div class="examples">
      <p class="minor">{say.beginWith}</p>
      <p class="actions">
        {Object.entries(EXAMPLES).map(([name, rules]) => (
          <button key={name} type="button" class="choose" onClick={() => choose(rules)}>
            {say.examples[name as keyof typeof EXAMPLES]}
          </button>
        ))}
      </p>
    </div>
  );
}
