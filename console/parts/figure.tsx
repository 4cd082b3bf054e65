import type { ComponentChildren } from 'preact';
import { Source, type SourceProps } from './source.tsx';
import { shared } from '#console/words/shared.ts';

interface FigureProps {
  title: string;
  /** The same numbers as a table. */
  table: ComponentChildren;
  /** The dataset behind the numbers. If there is none, their origin in words. */
  source: SourceProps | string;
  children: ComponentChildren;
}

/** A chart with its table and its source. */
export function Figure({ title, table, source, children }: FigureProps) {
  return (
    <figure>
      <figcaption>{title}</figcaption>
      {children}
      {typeof source === 'string' ? <p class="source">{source}</p> : <Source {...source} />}
      <details>
        <summary>{shared.value.asTable}</summary>
        {table}
      </details>
    </figure>
  );
}
