import { IDX_COLUMNS } from '#shared/data-format/idx-columns.ts';
import { csvLine } from '#foundation/text/csv.ts';
import type { DataFile } from '../deliveries/delivery.ts';
import { SourceFailure } from '../deliveries/source-failure.ts';
import type { Received } from '../origins/origin.ts';
import { contentDigest, namesCsv, refuseOtherDay, type Format, type Reading } from './format.ts';
import { mappedRows, type MappedRow } from './mapped-rows.ts';
import { FIELDS, type Mapping } from './mapping.ts';

export class MappedFormat implements Format {
  readonly #mapping: Mapping;

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
  }

  async read(received: Received, day: string | undefined): Promise<Reading> {
    const { name } = received;
    const all = mappedRows(received, this.#mapping, day);
    const rows = this.#ofDay(name, all.rows, day);
    if (rows.length === 0)
      throw new SourceFailure(
        'not_published',
        `${name} has no rows${day === undefined ? '' : ` of ${day}`}.`,
      );
    const stem = day ?? name.replace(/\.[^.]*$/, '');
    return {
      rows: rows.length,
      findings: this.#findings(all.skipped, all.rows.length - rows.length),
      digest: digestOf(rows),
      files: this.#mapping.into === 'bars' ? barsFiles(rows, stem) : [brokerFile(rows, stem)],
    };
  }

  #ofDay(name: string, rows: MappedRow[], day: string | undefined): MappedRow[] {
    if (this.#mapping.other_days === 'skip' && day !== undefined)
      return rows.filter(({ values }) => values['date'] === day);
    for (const { place, values } of rows) refuseOtherDay(String(values['date']), day, `${place} of ${name}`);
    return rows;
  }

  #findings(skipped: number, otherDays: number): string[] {
    const { into, fields } = this.#mapping;
    return [
      ...(skipped > 0 ? [`rows that the mapping skips: ${skipped}`] : []),
      ...(otherDays > 0 ? [`rows of other days, left out: ${otherDays}`] : []),
      ...(into === 'bars' && !fields['previous']
        ? ['no reference price, so splits of these days are not adjusted unless another source has one']
        : []),
    ];
  }
}

/** Empty for bars without any trade, because such days are equal. */
function digestOf(rows: MappedRow[]): string {
  const mayBeEqual = rows.every(({ values }) => 'close' in values && !values['volume']);
  if (mayBeEqual) return '';
  const withoutDay = ({ values: { date: _, ...content } }: MappedRow) =>
    Object.values(content).map((value) => value ?? '');
  return contentDigest(rows.map(withoutDay));
}

function barsFiles(rows: MappedRow[], stem: string): DataFile[] {
  const bars = csvOf(['ticker', ...IDX_COLUMNS], rows);
  const names = rows.flatMap(({ values: { ticker, name } }) =>
    name ? [{ ticker: String(ticker), name: String(name) }] : [],
  );
  return [
    { path: `bars/${stem}.csv`, bytes: Buffer.from(bars) },
    ...(names.length > 0 ? [{ path: `listing/${stem}.csv`, bytes: Buffer.from(namesCsv(names)) }] : []),
  ];
}

function brokerFile(rows: MappedRow[], stem: string): DataFile {
  const given = FIELDS.broker_rows.all.filter((field) => field in rows[0]!.values);
  return { path: `brokers/${stem}.csv`, bytes: Buffer.from(csvOf(given, rows)) };
}

function csvOf(columns: readonly string[], rows: MappedRow[]): string {
  const lines = rows.map(({ values }) => csvLine(columns.map((column) => values[column] ?? '')));
  return [csvLine(columns), ...lines, ''].join('\n');
}
