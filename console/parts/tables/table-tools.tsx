import { useState } from 'preact/hooks';
import { saveFile } from '#console/browser/save-file.ts';
import { number } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { columnsOf, copyOf, csvOf, type DataColumn, type TableView } from './table-view.ts';

interface TableToolsProps<Row> {
  name: string;
  data: readonly (DataColumn<Row> & { title: string })[];
  /** The rows that are shown, of so many in all. */
  rows: readonly Row[];
  all: number;
  view: TableView;
  change: (to: TableView) => void;
}

/** Fewer rows can be read at a glance. */
const WORTH_SEARCHING = 6;

/** Searches a table, chooses its columns and exports what is shown. */
export function TableTools<Row>({ name, data, rows, all, view, change }: TableToolsProps<Row>) {
  const say = shared.table;
  const [isCopied, setCopied] = useState(false);
  const taken = columnsOf(data, view).shown;
  const copy = async () => {
    await navigator.clipboard.writeText(copyOf(rows, taken));
    setCopied(true);
  };
  const toggle = (field: string) => {
    const hidden = view.hidden.includes(field)
      ? view.hidden.filter((other) => other !== field)
      : [...view.hidden, field];
    change({ ...view, hidden });
  };
  const togglePin = (field: string) => {
    const pinned = view.pinned.includes(field)
      ? view.pinned.filter((other) => other !== field)
      : [...view.pinned, field];
    change({ ...view, pinned, hidden: view.hidden.filter((other) => other !== field) });
  };
  return (
    <div class="table-tools">
      {(all >= WORTH_SEARCHING || view.words !== '') && (
        <input
          type="search"
          aria-label={say.search}
          placeholder={say.search}
          value={view.words}
          onInput={({ currentTarget }) => change({ ...view, words: currentTarget.value })}
        />
      )}
      <details class="columns">
        <summary>{say.columns}</summary>
        <ul>
          {data.slice(1).map(({ field, title }) => (
            <li key={field}>
              <label title={field}>
                <input
                  type="checkbox"
                  checked={!view.hidden.includes(field)}
                  onChange={() => toggle(field)}
                />{' '}
                {title}
              </label>
              <button
                type="button"
                class="choose"
                aria-pressed={view.pinned.includes(field)}
                aria-label={say.pinOf(title)}
                onClick={() => togglePin(field)}
              >
                {say.pin}
              </button>
            </li>
          ))}
        </ul>
      </details>
      <button type="button" onClick={() => void copy()}>
        {isCopied ? say.copied : say.copy}
      </button>
      <button type="button" onClick={() => saveFile(csvOf(rows, taken), `${name}.csv`, 'text/csv')}>
        {say.csv}
      </button>
      <span class="minor" role="status">
        {rows.length < all && say.shown(number(rows.length), number(all))}
      </span>
    </div>
  );
}
