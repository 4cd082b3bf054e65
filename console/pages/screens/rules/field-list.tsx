import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import { number } from '#console/words/formats.ts';
import { say } from './words.ts';

type Field = Schemas['Field'];

interface FieldListProps {
  fields: readonly Field[];
  insert: (name: string) => void;
}

/** The fields that rules can name. A search finds them; a click puts the name into the rules. */
export function FieldList({ fields, insert }: FieldListProps) {
  const [search, setSearch] = useState('');
  const [reached, reach] = useState('');
  const found = fields.filter((field) => isFound(field, search));
  // The list is a single tab stop: otherwise whatever follows it is more than a hundred presses of Tab further.
  const stop = found.find(({ name }) => name === reached) ?? found[0];
  return (
    <details open>
      <summary>{say.fields}</summary>
      <div class="field">
        <label for="field-search">{say.searchFields}</label>
        <input
          id="field-search"
          type="search"
          value={search}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </div>
      <p class="minor" role="status">
        {say.found(number(found.length), number(fields.length))}
      </p>
      {found.length > 0 && (
        <DataTable
          caption={say.fields}
          rows={found}
          keyOf={({ name }) => name}
          columns={[
            {
              title: say.field,
              of: ({ name }) => (
                <button
                  type="button"
                  class="choose"
                  aria-label={say.insert(name)}
                  tabIndex={name === stop?.name ? 0 : -1}
                  onFocus={() => reach(name)}
                  onKeyDown={moveOnArrow}
                  onClick={() => insert(name)}
                >
                  <code class="unbroken">{name}</code>
                </button>
              ),
            },
            { title: say.meaning, of: (field) => <Meaning of={field} /> },
          ]}
        />
      )}
    </details>
  );
}

function Meaning({ of: { label, unit, formula, null_means, values } }: { of: Field }) {
  return (
    <div class="wide">
      {label}
      {unit !== null && <> ({unitText(unit)})</>}
      <div class="hint">{formula}</div>
      {values.length > 0 && <div class="hint">{say.oneOf(values.join(', '))}</div>}
      <div class="hint">{say.whenNull(null_means)}</div>
    </div>
  );
}

/** Arrow keys lead to the field above or below. */
function moveOnArrow(event: KeyboardEvent): void {
  const row = (event.currentTarget as HTMLElement).closest('tr')!;
  const to = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  to?.querySelector('button')?.focus();
}

function unitText(unit: string): string {
  const { units } = say;
  return units[unit as keyof typeof units] ?? unit;
}

/** Whether every word of the search is somewhere in what a field says of itself. */
function isFound({ name, label, group, formula }: Field, search: string): boolean {
  const text = `${name} ${label} ${group} ${formula}`.toLowerCase();
  return search.toLowerCase().split(/\s+/).every((word) => text.includes(word)); // prettier-ignore
}
