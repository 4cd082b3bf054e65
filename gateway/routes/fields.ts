import Type from 'typebox';
import type { ListFieldValuesResponse } from '#proto/saring/market_data/v1/fields.ts';
import { named } from '#foundation/schema.ts';
import { jsonOf } from '#platform/wire/message-json.ts';
import { fieldSchema, responseSchema } from '#platform/wire/message-schema.ts';
import { CsvResponse } from '../responses/csv.ts';
import { JsonText } from '../responses/send-json.ts';
import { defineRoute } from '../routing/define-route.ts';
import { closed } from '../schemas/common.ts';
import { FORMAT, methodOf, namesIn } from '../declarations/call-schemas.ts';
import { factsOf } from '../declarations/route-facts.ts';

const listing = methodOf(['screens', 'listFieldValues']);
const listedJson = jsonOf(listing.output);

const Value = Type.Union([Type.Number(), Type.String(), Type.Boolean(), Type.Null()]);
const FieldValues = named(
  'FieldValues',
  Type.Object(
    {
      ...responseSchema(listing.output).properties,
      values: Type.Record(Type.String(), Type.Array(Value), {
        description:
          'For each field, by its name: its value for each of the tickers, in their order. Null where a stock has none.',
      }),
    },
    { description: 'What fields say of the stocks of a day.' },
  ),
);

export const fieldValuesRoute = defineRoute({
  ...factsOf(['screens', 'listFieldValues']),
  query: closed({
    as_of: Type.Optional(fieldSchema(listing.input.typeName, 'as_of')),
    fields: Type.Optional(
      Type.String({
        description: 'Fields whose values to return, comma-separated. All if left out.',
        examples: ['close,rsi_14,sector'],
      }),
    ),
    format: FORMAT,
  }),
  responses: { 200: { description: 'The values.', schema: FieldValues } },
  sample: { query: { fields: 'close,rsi_14,sector' } },
  handler: async ({ query }, call, { services }) => {
    const { as_of, fields, format } = query as { as_of?: string; fields?: string; format: string };
    const request = { api_key_id: call.apiKeyId, as_of, fields: namesIn(fields) };
    const { result } = await services.screens.listFieldValues(request, call);
    return format === 'csv' ? valuesAsCsv(result!) : valuesAsJson(result!);
  },
});

/** The values are passed on as they come: parsing a megabyte would hold up other requests. */
function valuesAsJson({ values_json, ...response }: ListFieldValuesResponse): JsonText {
  const head = JSON.stringify(listedJson({ result: response })).slice(0, -1);
  return new JsonText(`${head},"values":${values_json.toString()}}`, response.dataset_version);
}

function valuesAsCsv({ tickers, values_json, dataset_version }: ListFieldValuesResponse): CsvResponse {
  const values = JSON.parse(values_json.toString()) as Record<string, unknown[]>;
  const rows = tickers.map((ticker, at) => ({
    ticker,
    ...Object.fromEntries(Object.entries(values).map(([name, column]) => [name, column[at]])),
  }));
  return new CsvResponse(['ticker', ...Object.keys(values)], rows, { dataset_version, next_cursor: null });
}
