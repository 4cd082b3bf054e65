import type { TradingCalendar } from '#quant/exchange/calendar/trading-calendar.ts';
import type { Clock } from '#foundation/clock.ts';
import { DaySource } from './day-source.ts';
import type { SourceDefinition } from './definition.ts';
import { FolderSource } from './folder-source.ts';
import { readerOf } from '../formats/formats.ts';
import { DropFolder } from '../origins/drop-folder.ts';
import { FileOrigin } from '../origins/file.ts';
import { UrlOrigin } from '../origins/url.ts';
import type { Source } from './source.ts';

export interface SourcesDependencies {
  calendar: TradingCalendar;
  clock: Clock;
  /** Where headers get their secrets from. */
  env: NodeJS.ProcessEnv;
}

/** The sources that an operator has declared, the richest first. */
export function createSources(
  definitions: readonly SourceDefinition[],
  dependencies: SourcesDependencies,
): Source[] {
  return definitions.map((definition, rank) => createSource(definition, rank, dependencies));
}

function createSource(
  definition: SourceDefinition,
  rank: number,
  { calendar, clock, env }: SourcesDependencies,
): Source {
  const { name, format, from, max_bytes: maxBytes } = definition;
  const assumed = { unit: definition.broker_unit, mode: definition.broker_mode };
  const requestsPerDay = definition.requests_per_day;
  const isBrokerRows = format === 'broker_rows' || definition.mapping?.into === 'broker_rows';
  const reader = readerOf(format, { assumed, mapping: definition.mapping });
  const { due_at: dueAt, recheck_days: recheckDays } = definition;
  const common = { name, format, reader, requestsPerDay, maxBytes, assumed, rank, isBrokerRows, recheckDays };
  if ('folder' in from) return new FolderSource({ ...common, folder: new DropFolder(from.folder, maxBytes) });
  const timeoutMs = definition.timeout_seconds * 1_000;
  const origin =
    'url' in from
      ? new UrlOrigin({ ...from, timeoutMs, maxBytes, env, clock })
      : new FileOrigin({ path: from.file, maxBytes, clock });
  return new DaySource({ ...common, origin, calendar, dueAt });
}
