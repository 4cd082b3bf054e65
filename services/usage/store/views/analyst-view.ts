import type { Columns } from './view-columns.ts';

/** A view that analysts may rely on: its meaning, and the type and meaning of every column. */
interface AnalystView {
  /** Includes the version, as in `runs_per_day_v1`. */
  name: string;
  comment: string;
  columns: Columns;
  /** Selects the columns of `columns`, in that order. Reads a version of `usage.run` or a view above it, never the table. */
  select: string;
}

/**
 * Returns the statement that creates the view. The view reads with its definer's rights, so analysts need none on the
 * table below, which still holds replaced states. Never change a view: a new shape or meaning gets a new version.
 */
export function analystView({ name, comment, columns, select }: AnalystView): string {
  const declared = Object.entries(columns).map(
    ([column, [type, meaning]]) => `${column} ${type} COMMENT ${quoted(meaning)}`,
  );
  return `CREATE VIEW IF NOT EXISTS usage.${name} (
      ${declared.join(',\n      ')}
    )
    DEFINER = CURRENT_USER SQL SECURITY DEFINER
    AS ${select}
    COMMENT ${quoted(comment)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
