/** A line of CSV without its line end. Cells that contain a comma, a quote or a line end are quoted. */
export function csvLine(cells: readonly (string | number)[]): string {
  return cells
    .map(String)
    .map((cell) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',');
}

/** A field and the comma after it. The field is quoted, with quotes doubled, or plain. Spaces around it are ignored. */
const FIELD = /\s*(?:"((?:[^"]|"")*)"|([^,]*?))\s*,/gy;

/** The fields of a line of CSV. A quote that is never closed, or that stands within a field, is taken literally. */
export function csvFields(line: string): string[] {
  return Array.from(
    `${line},`.matchAll(FIELD),
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
  );
}
