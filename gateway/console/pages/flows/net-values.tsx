import { BarRows } from '#console/charts/bar-rows.tsx';
import { DataTable, type Column } from '#console/parts/data-table.tsx';
import { Figure } from '#console/parts/figure.tsx';
import type { SourceProps } from '#console/parts/source.tsx';
import { linkTo } from '#console/routing.ts';
import { number, rupiah } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { words } from './words.ts';

interface NetRow {
  ticker: string;
  close: number;
  net_value: number;
}

interface NetValuesProps<Row extends NetRow> {
  title: string;
  rows: readonly Row[];
  /** Columns of the table beside those of every such list. */
  more?: readonly Column<Row>[];
  source: SourceProps;
}

/** Stocks by what was bought or sold of them, net. */
export function NetValues<Row extends NetRow>({ title, rows, more = [], source }: NetValuesProps<Row>) {
  const say = words.value;
  const { ticker, close } = shared.value;
  if (rows.length === 0)
    return (
      <div>
        <h3>{title}</h3>
        <p>{say.nothing}</p>
      </div>
    );
  return (
    <Figure
      title={title}
      source={source}
      table={
        <DataTable<Row>
          caption={title}
          rows={rows}
          keyOf={(row) => row.ticker}
          columns={[
            { title: ticker, of: (row) => row.ticker },
            { title: close, isNumber: true, of: (row) => number(row.close) },
            { title: say.net, isNumber: true, of: (row) => rupiah(row.net_value) },
            ...more,
          ]}
        />
      }
    >
      <BarRows
        caption={title}
        columns={{ name: ticker, value: say.net }}
        rows={rows.map((row) => ({
          label: row.ticker,
          href: linkTo('market', row.ticker),
          value: row.net_value,
          shown: rupiah(row.net_value),
        }))}
      />
    </Figure>
  );
}
