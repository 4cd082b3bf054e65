import type { FieldError } from '#client/index.ts';
import { Field, type Described } from '#console/parts/field.tsx';
import { Select } from '#console/parts/select.tsx';
import { number } from '#console/words/formats.ts';
import { language } from '#console/words/language.ts';
import { shared } from '#console/words/shared.ts';
import {
  enteredOf,
  isNumeric,
  membersOf,
  numberText,
  textOf,
  valueOf,
  type Entered,
  type Parameter,
  type Parameters,
} from './parameters.ts';
import { say } from './words.ts';

interface ParameterFormProps {
  parameters: Parameters;
  entered: Entered;
  enter: (name: string, value: Entered[string]) => void;
  /** The mistakes that the API found, by place in the request. */
  mistakes: readonly FieldError[];
}

/** A field for every parameter of a model, generated from its schema. */
export function ParameterForm({ parameters, entered, enter, mistakes }: ParameterFormProps) {
  return (
    <fieldset class="parameters">
      <legend>{shared.parameters}</legend>
      {Object.entries(parameters).map(([name, parameter]) => {
        const own = mistakes.filter(({ loc }) => loc[1] === 'params' && loc[2] === name);
        const mistake = own.length > 0 ? own.map(sentenceOf).join(' ') : undefined;
        return (
          <Field
            key={name}
            id={`param-${name}`}
            label={<span title={name}>{parameter.label ?? name}</span>}
            hint={<Hint of={parameter} />}
            mistake={mistake}
          >
            {(described) => (
              <Control
                described={described}
                of={parameter}
                value={entered[name]!}
                enter={(value) => enter(name, value)}
              />
            )}
          </Field>
        );
      })}
    </fieldset>
  );
}

/** For an item of a list, the sentence also names its row. Rows are counted from 1. */
function sentenceOf({ loc, msg }: FieldError): string {
  const [row, ...inner] = loc.slice(3);
  const place = typeof row === 'number' ? say.row(inner.join('.'), row + 1) : '';
  return `${place && `${place}: `}${msg}.`;
}

function Hint({ of }: { of: Parameter }) {
  const { description, default: byDefault, min, max, type, items } = of;
  const shown = (value: number) => {
    const text = numberText(of, value, language.value);
    return text === `${value}` ? number(value, 4) : text;
  };
  const shownDefault = typeof byDefault === 'number' ? shown(byDefault) : String(byDefault);
  return (
    <>
      {description && <>{description} </>}
      {min !== undefined && max !== undefined && <>{say.bounds(shown(min), shown(max))} </>}
      {type === 'array' && items?.['type'] !== 'object' && <>{say.listHint} </>}
      {type !== 'array' && <>{say.byDefault(type === 'date' ? say.newestDay : shownDefault)}</>}
    </>
  );
}

interface ControlProps {
  described: Described;
  of: Parameter;
  value: Entered[string];
  enter: (value: Entered[string]) => void;
}

function Control({ described, of, value, enter }: ControlProps) {
  if (typeof value === 'boolean')
    return (
      <input
        {...described}
        type="checkbox"
        checked={value}
        onChange={({ currentTarget }) => enter(currentTarget.checked)}
      />
    );
  if (typeof value !== 'string')
    return <Rows id={described.id} members={membersOf(of) ?? []} rows={value} enter={enter} />;
  if (of.options)
    return (
      <Select
        {...described}
        value={value}
        options={of.options.map((option) => [String(option), String(option)])}
        choose={enter}
      />
    );
  if (of.type === 'date')
    return (
      <input
        {...described}
        type="date"
        value={value === of.default ? '' : value}
        onInput={({ currentTarget }) => enter(currentTarget.value || textOf(of.default))}
      />
    );
  return (
    <input
      {...described}
      value={value}
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget }) => enter(currentTarget.value)}
      // What was understood, before its words could mean something else in the other language.
      onBlur={() =>
        isNumeric(of) && enter(enteredOf(of, valueOf(of, value, language.peek()), language.peek()))
      }
    />
  );
}

interface RowsProps {
  id: string;
  members: readonly string[];
  rows: readonly Record<string, string>[];
  enter: (rows: readonly Record<string, string>[]) => void;
}

/** A list of objects, one row each. */
function Rows({ id, members, rows, enter }: RowsProps) {
  const change = (at: number, member: string, text: string) =>
    enter(rows.map((row, i) => (i === at ? { ...row, [member]: text } : row)));
  return (
    <div class="rows" id={id} role="group" aria-label={id.replace('param-', '')}>
      {rows.map((row, at) => (
        <div class="row" key={at}>
          {members.map((member) => (
            <input
              key={member}
              aria-label={say.row(member, at + 1)}
              placeholder={member}
              value={row[member] ?? ''}
              autocomplete="off"
              spellcheck={false}
              onInput={({ currentTarget }) => change(at, member, currentTarget.value)}
            />
          ))}
          <button
            type="button"
            aria-label={say.remove(at + 1)}
            onClick={() => enter(rows.filter((_, i) => i !== at))}
          >
            ×
          </button>
        </div>
      ))}
      <button type="button" onClick={() => enter([...rows, {}])}>
        {say.add}
      </button>
    </div>
  );
}
