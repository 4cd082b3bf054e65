import type { Schemas } from '#client/index.ts';
import { useRetrying, type Loading } from '#console/parts/loading.tsx';
import { client } from '#console/session/session.ts';
import type { MarketColumns } from '#fields/evaluation/market-columns.ts';
import { oneDayMarket } from '#fields/evaluation/one-day.ts';
import type { RuleFields, Unit } from '#fields/field-type.ts';

/** What every field says of every stock on a day, in this browser. */
export interface DayMarket {
  asOf: string;
  market: MarketColumns;
}

/** The fields of the catalogue as the parser of rules knows them. */
export function ruleFieldsOf(fields: readonly Schemas['Field'][]): RuleFields {
  return new Map(
    fields.map(({ name, type, unit, values }) => [
      name,
      { type, unit: (unit ?? 'none') as Unit, ...(values.length > 0 && { values }) },
    ]),
  );
}

/**
 * Downloads the values of a day, half a megabyte, once rules are being written.
 * @param day empty for the newest
 */
export function useDayMarket(
  isWanted: boolean,
  day: string,
  fields: RuleFields,
): Loading<DayMarket | undefined> {
  return useRetrying(
    async (signal) => {
      if (!isWanted) return undefined;
      const options = { ...(day !== '' && { as_of: day }), signal };
      const values = await client.peek().screens.fieldValues(options);
      return { asOf: values.as_of, market: oneDayMarket(values, fields) };
    },
    [client.value, isWanted, day],
  );
}
