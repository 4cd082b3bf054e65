/** Columns that every table of corporate actions has. */
export const REQUIRED_COLUMNS = ['ticker', 'kind', 'ex_date', 'known_on'] as const;

/** Whether a file with these columns is meant as a table of corporate actions. */
export function isActionTable(columns: readonly string[]): boolean {
  return columns.includes('kind') && columns.includes('ex_date');
}
