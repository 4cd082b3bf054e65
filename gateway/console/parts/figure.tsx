import type { ComponentChildren } from 'preact';
import { Source, type SourceProps } from './source.tsx';
import { shared } from '#console/words/shared.ts';

interface FigureProps {
  title: string;
  /** The same numbers as a table. */
  table: ComponentChildren;
  source: SourceProps;
  children: ComponentChildren;
}

/** A chart with its table and its source. */
export function Figure({ title, table, source, children }: FigureProps) {
  return (
    <figure>
      <figcaption>{title}</figcaption>
      {children}
      <Source {...source} />
      <details>
        <summary>{shared.value.asTable}</summary>
        {table}
      </details>
    </figure>
  );
}
