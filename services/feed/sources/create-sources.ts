import type { TradingCalendar } from '#quant/exchange/calendar/trading-calendar.ts';
import type { BrokerAssumptions } from '#shared/data-format/broker-layout.ts';
import type { Clock } from '#shared/clock.ts';
import { DaySource } from './day-source.ts';
import type { SourceDefinition } from './definition.ts';
import { FolderSource } from './folder-source.ts';
import { BrokerRows } from './formats/broker-rows.ts';
import { DatasetFiles } from './formats/dataset-files.ts';
import type { Format } from './formats/format.ts';
import { IdxSummary } from './formats/idx-summary.ts';
import { MappedSource } from './mapping/mapped-source.ts';
import { DropFolder } from './origins/drop-folder.ts';
import { FileOrigin } from './origins/file.ts';
import { UrlOrigin } from './origins/url.ts';
import type { Source } from './source.ts';

export interface SourcesDependencies {
  calendar: TradingCalendar;
  clock: Clock;
  /** Where headers get their secrets from. */
  env: NodeJS.ProcessEnv;
}

/** The sources that an operator has declared. */
export function createSources(
  definitions: readonly SourceDefinition[],
  dependencies: SourcesDependencies,
): Source[] {
  return definitions.map((definition) => createSource(definition, dependencies));
}

function createSource(definition: SourceDefinition, { calendar, clock, env }: SourcesDependencies): Source {
  const { name, format, from, max_bytes: maxBytes } = definition;
  const assumed = { unit: definition.broker_unit, mode: definition.broker_mode };
  const requestsPerDay = definition.requests_per_day;
  const isBrokerRows = format === 'broker_rows' || definition.mapping?.into === 'broker_rows';
  const reader = formatOf(definition, assumed);
  const common = { name, format, reader, requestsPerDay, maxBytes, assumed, isBrokerRows };
  if ('folder' in from) return new FolderSource({ ...common, folder: new DropFolder(from.folder, maxBytes) });
  const timeoutMs = definition.timeout_seconds * 1_000;
  const origin =
    'url' in from
      ? new UrlOrigin({ ...from, timeoutMs, maxBytes, env, clock })
      : new FileOrigin({ path: from.file, maxBytes, clock });
  const { due_at: dueAt, recheck_days: recheckDays } = definition;
  return new DaySource({ ...common, origin, calendar, dueAt, recheckDays });
}

function formatOf({ format, mapping }: SourceDefinition, assumed: BrokerAssumptions): Format {
  switch (format) {
    case 'idx_summary':
      return new IdxSummary();
    case 'broker_rows':
      return new BrokerRows(assumed);
    case 'mapping':
      return new MappedSource(mapping!);
    case 'dataset_files':
      return new DatasetFiles();
  }
}
