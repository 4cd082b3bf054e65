import { spreadsheetCell } from '#foundation/text/csv.ts';

/** Rows as CSV with a header line (RFC 4180). Spreadsheets run none of its texts as a formula. */
export class CsvResponse {
  readonly text: string;
  readonly datasetVersion: string;
  /** Sent as a header, because a CSV has no place for it. null on the last page. */
  readonly nextCursor: string | null;

  constructor(columns: readonly string[], rows: readonly object[], page: CsvPage) {
    const lines = rows.map((row) => columns.map((column) => cell((row as Cells)[column])).join());
    this.text = [columns.join(), ...lines, ''].join('\r\n');
    this.datasetVersion = page.dataset_version;
    this.nextCursor = page.next_cursor;
  }

  /** The rows and what the headers say of them: equal only for the same page of the same dataset version. */
  get identity(): string {
    return JSON.stringify([this.datasetVersion, this.nextCursor, this.text]);
  }
}

/** The members of a JSON answer that become headers. */
export interface CsvPage {
  dataset_version: string;
  next_cursor: string | null;
}

type Cells = Record<string, string | number | boolean | null>;

/** Null is an empty cell. */
function cell(value: Cells[string] = null): string {
  const text = value === null ? '' : spreadsheetCell(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
