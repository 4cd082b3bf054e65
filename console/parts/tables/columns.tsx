import type { ComponentChildren } from 'preact';
import { linkTo } from '#console/browser/routing.ts';
import { number } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import type { Column } from './data-table.tsx';

type Shown<Value> = (value: Value) => ComponentChildren;

/** Makes columns of values of the API, which can be ordered, searched, hidden and exported. */
export function columnsFor<Row>() {
  /** A field of a row, as text. */
  function text<Field extends keyof Row & string>(
    title: string,
    field: Field,
    shown: Shown<Row[Field]> = (value) => String(value ?? ''),
  ): Column<Row> {
    return {
      title,
      field,
      value: (row) => row[field] as string | null | undefined,
      of: (row) => shown(row[field]),
    };
  }
  /** A number within a row, under the name that it has in a file. */
  function figure<Value extends number | null | undefined>(
    title: string,
    field: string,
    value: (row: Row) => Value,
    shown: Shown<Value> = (value) => number(value),
  ): Column<Row> {
    return { title, field, isNumber: true, value, of: (row) => shown(value(row)) };
  }
  /** A field of a row that is a number. */
  const numeric = (title: string, field: keyof Row & string, shown?: Shown<number | null | undefined>) =>
    figure(title, field, (row) => row[field] as number | null | undefined, shown);
  return { text, figure, numeric };
}

/** The column that names a stock and leads to its page. */
export function tickerColumn<Row extends { ticker: string }>(): Column<Row> {
  return columnsFor<Row>().text(shared.ticker, 'ticker', (ticker) => <StockLink to={ticker} />);
}

export function StockLink({ to }: { to: string }) {
  return <a href={linkTo('market', to)}>{to}</a>;
}
