import type { Job } from '#gateway/client/index.ts';
import { DataTable } from '#console/parts/data-table.tsx';
import { linkTo } from '#console/routing.ts';
import { NONE, number } from '#console/words/formats.ts';
import { textOf } from './parameters.ts';
import { words } from './words.ts';

type Result = NonNullable<Job['result']>;
type Row = Record<string, unknown>;

/** The picks of a run with what its model says of each; the features behind it are left to the explanation. */
export function ResultRows({ of }: { of: Result }) {
  const say = words.value;
  const rows = rowsOf(of);
  if (rows.length === 0) return null;
  const features = new Set<string>(featureNamesOf(of));
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (name) => !features.has(name) && rows.every((row) => typeof row[name] !== 'object' || row[name] === null),
  );
  return (
    <DataTable<Row>
      caption={say.result}
      rows={rows}
      keyOf={(row) => tickerOf(row)}
      columns={names.map((name) => ({
        title: name,
        isNumber: rows.some((row) => typeof row[name] === 'number'),
        of: (row) =>
          row[name] === tickerOf(row) ? (
            <a href={linkTo('market', tickerOf(row))}>{tickerOf(row)}</a>
          ) : (
            <Shown value={row[name]} />
          ),
      }))}
    />
  );
}

/** How many stocks passed each step, in the order of the steps. */
export function funnelOf(result: Result): [string, number][] {
  const diag = ('diag' in result ? result.diag : {}) as Row;
  return Object.entries(diag).filter(
    (entry): entry is [string, number] =>
      typeof entry[1] === 'number' && /^(total_|after_|final$)/.test(entry[0]),
  );
}

function rowsOf(result: Result): readonly Row[] {
  if ('df_result' in result) return result.df_result;
  return 'positions' in result ? result.positions : result.picks;
}

function tickerOf(row: Row): string {
  return String(row['Ticker'] ?? row['ticker']);
}

function featureNamesOf(result: Result): string[] {
  const { diag } = result as { diag?: { model?: { feature_names?: string[] } | null } };
  return diag?.model?.feature_names ?? [];
}

/** Longer texts would make their column as narrow as a word, and their row as high as the text is long. */
const LONG = 30;

function Shown({ value }: { value: unknown }) {
  if (typeof value === 'number') return <>{number(value, 2)}</>;
  const text = textOf(value) || NONE;
  return text.length > LONG ? <div class="wide">{text}</div> : <>{text}</>;
}
