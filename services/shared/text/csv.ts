/** A line of CSV without its end; what has a comma, a quote or a line end in it stands in quotes. */
export function csvLine(cells: readonly (string | number)[]): string {
  return cells
    .map(String)
    .map((cell) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',');
}

/** A field with the comma after it: in quotes, in which a quote is doubled, or plain; spaces around it do not count. */
const FIELD = /\s*(?:"((?:[^"]|"")*)"|([^,]*?))\s*,/gy;

/** The fields of a line of CSV. A quote that is never closed, or stands within a field, is taken as it is. */
export function csvFields(line: string): string[] {
  return Array.from(
    `${line},`.matchAll(FIELD),
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
  );
}
