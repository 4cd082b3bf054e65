import type { Schemas } from '#client/index.ts';
import { place, replaceChoice } from '#console/browser/routing.ts';
import { Choices } from '#console/parts/choices.tsx';
import { Facts } from '#console/parts/facts.tsx';
import { Source } from '#console/parts/source.tsx';
import { columnsFor, tickerColumn } from '#console/parts/tables/columns.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import type { CellValue } from '#console/parts/tables/table-view.ts';
import { day, number } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { valueText } from '../rules/value-text.ts';
import { SmallCharts } from './small-charts.tsx';
import { say } from './words.ts';

const LOOKS = ['table', 'charts'] as const;

type Row = Schemas['ScreenPreview']['rows'][number];

interface PassingStocksProps {
  of: Schemas['ScreenPreview'];
  fields: readonly Schemas['Field'][];
  /** Explains a stock. Absent where the rules are not saved. */
  explain?: ((ticker: string) => void) | undefined;
}

/** The stocks that pass rules, with the values with which they pass, or as small charts. The address says which. */
export function PassingStocks({ of, fields, explain }: PassingStocksProps) {
  const { rows, matched, screened, as_of, missing, dataset_version, broker_data } = of;
  const look = place.value.choices.get('look') === 'charts' ? 'charts' : 'table';
  const named = Object.keys(rows[0]?.values ?? {});
  return (
    <>
      <Facts
        facts={[
          [say.passed, number(matched), say.ofScreened(number(screened))],
          [shared.day, day(as_of)],
        ]}
      />
      {missing.length > 0 && <p class="notice">{say.missing(missing.join(', '))}</p>}
      {rows.length === 0 ? (
        <p>{say.nobody}</p>
      ) : (
        <>
          <Choices
            label={say.look}
            of={LOOKS}
            chosen={look}
            choose={(wanted) => replaceChoice('look', wanted === 'table' ? '' : wanted)}
            shown={(one) => say.looks[one]}
          />
          {look === 'charts' ? (
            <SmallCharts stocks={rows} asOf={as_of} />
          ) : (
            <DataTable
              name="screen"
              caption={say.stocks}
              rows={rows}
              keyOf={({ ticker }) => ticker}
              columns={[
                tickerColumn(),
                columnsFor<Row>().text(shared.name, 'name'),
                ...named.map((field) => {
                  const known = fields.find(({ name }) => name === field);
                  return {
                    title: field,
                    field,
                    value: ({ values }: Row) => values[field] as CellValue,
                    isNumber: known?.type === 'number',
                    of: ({ values }: Row) => valueText(values[field], known?.unit),
                  };
                }),
                ...(explain
                  ? [
                      {
                        title: say.why,
                        of: ({ ticker }: Row) => (
                          <button
                            type="button"
                            class="choose"
                            aria-label={say.whyTicker(ticker)}
                            onClick={() => explain(ticker)}
                          >
                            {say.why}
                          </button>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
          )}
        </>
      )}
      {rows.length > 0 && rows.length < matched && <p class="minor">{say.first(number(rows.length))}</p>}
      <Source datasetVersion={dataset_version} asOf={as_of} brokerData={broker_data} />
    </>
  );
}
