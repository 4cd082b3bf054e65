import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/** A view that analysts may rely on: what it counts, and of every column the type and what it means. */
interface AnalystView {
  /** With its version, as in `runs_per_day_v1`. */
  name: string;
  comment: string;
  columns: Record<string, readonly [type: string, comment: string]>;
  /** Names its columns like `columns`, in that order. Reads `usage.run_v2` or another view above it, never the table. */
  select: string;
}

/**
 * A migration that makes the view. It reads with the rights of the user who makes it, so that analysts need none on the
 * table below, where replaced states still lie. A view is never changed: another shape or meaning is another version.
 */
export function makesView(
  number: string,
  { name, comment, columns, select }: AnalystView,
): ClickHouseMigration {
  const declared = Object.entries(columns).map(
    ([column, [type, meaning]]) => `${column} ${type} COMMENT ${quoted(meaning)}`,
  );
  const statement = `CREATE VIEW IF NOT EXISTS usage.${name} (
      ${declared.join(',\n      ')}
    )
    DEFINER = CURRENT_USER SQL SECURITY DEFINER
    AS ${select}
    COMMENT ${quoted(comment)}`;
  return { name: `${number}_${name}`, statements: [statement] };
}

export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
