import type { BrokerAssumptions } from '#shared/data-format/broker-layout.ts';
import { BrokerRows } from './broker-rows.ts';
import { DatasetFiles } from './dataset-files.ts';
import type { Format } from './format.ts';
import { IdxSummary } from './idx-summary.ts';
import { MappedFormat } from './mapped-format.ts';
import type { Mapping } from './mapping.ts';

interface DeclaredFormat {
  assumed: BrokerAssumptions;
  /** For `mapping` alone, which must have one. */
  mapping?: Mapping | undefined;
}

/** Every format that a source can be declared with, and what reads its files. */
const READERS = {
  idx_summary: () => new IdxSummary(),
  broker_rows: ({ assumed }) => new BrokerRows(assumed),
  mapping: ({ mapping }) => new MappedFormat(mapping!),
  dataset_files: () => new DatasetFiles(),
} satisfies Record<string, (declared: DeclaredFormat) => Format>;

export type FormatName = keyof typeof READERS;
export const FORMATS = Object.keys(READERS) as FormatName[];

/** The format of the source that makes a market up, which nobody declares. It is also the name of that source. */
export const GENERATOR = 'generator';

/** Formats of all sources, in the order of the contract. */
export const SOURCE_FORMATS = [GENERATOR, ...FORMATS] as const;
export type SourceFormat = (typeof SOURCE_FORMATS)[number];

export function readerOf(format: FormatName, declared: DeclaredFormat): Format {
  return READERS[format](declared);
}
