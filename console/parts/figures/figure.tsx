import type { ComponentChildren } from 'preact';
import { shared } from '#console/words/shared.ts';
import { Source, type SourceProps } from '../source.tsx';
import { DataTable, type DataTableProps } from '../tables/data-table.tsx';

/** The numbers of a drawing as a table. Its caption is the title of the figure, unless it names another. */
export type TableOfFigure<Row> = Omit<DataTableProps<Row>, 'caption'> & { caption?: string };

export interface FigureProps<Row> {
  title: string;
  table: TableOfFigure<Row>;
  /** The dataset behind the numbers. If there is none, their origin in words. */
  source: SourceProps | string;
}

/** A chart with its table and its source. */
export function Figure<Row>(props: FigureProps<Row> & { children: ComponentChildren }) {
  const { title, table, source, children } = props;
  return (
    <figure>
      <figcaption>{title}</figcaption>
      {children}
      {typeof source === 'string' ? <p class="source">{source}</p> : <Source {...source} />}
      <details>
        <summary>{shared.asTable}</summary>
        <DataTable caption={title} {...table} />
      </details>
    </figure>
  );
}
