import type { Schemas } from '#client/index.ts';
import { linkTo } from '#console/browser/routing.ts';
import { Loaded, useLoadingOn } from '#console/parts/loading.tsx';
import { Source } from '#console/parts/source.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import { client } from '#console/session/session.ts';
import { unlessNotFound } from '#console/session/unless-not-found.ts';
import { fixed, number } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { say } from './words.ts';

/** Fields of the daily results of models. */
const GROUP = 'models';
const MEMBERS = ['picked', 'rank', 'probability'] as const;

interface Said {
  id: string;
  name: string;
  picked: boolean | null;
  rank: number | null;
  probability: number | null;
}

/** What each model said of a stock on the newest day, and the screens that it is in. */
export function NamedBy({ ticker }: { ticker: string }) {
  const results = useLoadingOn(['dataset.published'], (signal) => resultsOf(ticker, signal), [
    ticker,
    client.value,
  ]);
  const inScreens = useLoadingOn(
    ['screen.changed'],
    (signal) => client.value.screens.ofStock(ticker, { signal }),
    [ticker, client.value],
  );
  return (
    <>
      <h2>{say.namedBy}</h2>
      <Loaded of={results}>
        {({ said, day }) => (
          <>
            {said && (
              <DataTable
                caption={say.namedBy}
                rows={said}
                empty={say.noResults}
                keyOf={({ id }) => id}
                columns={[
                  { title: shared.model, of: ({ id, name }) => <a href={linkTo('run', id)}>{name}</a> },
                  {
                    title: say.picked,
                    of: ({ picked }) => (picked === null ? say.notJudged : picked ? shared.yes : shared.no),
                  },
                  { title: shared.rank, isNumber: true, of: ({ rank }) => number(rank) },
                  {
                    title: shared.probability,
                    isNumber: true,
                    of: ({ probability }) => fixed(probability, 1),
                  },
                ]}
              />
            )}
            {day && (
              <Source datasetVersion={day.dataset_version} asOf={day.as_of} brokerData={day.broker_data} />
            )}
          </>
        )}
      </Loaded>
      <Loaded of={inScreens}>
        {(screens) => (
          <p>
            {screens.length === 0 ? say.inNoScreen : say.inScreens}{' '}
            {screens.map(({ screen_id, name }, at) => (
              <span key={screen_id}>
                {at > 0 && ', '}
                <a href={linkTo('screens', screen_id)}>{name}</a>
              </span>
            ))}
          </p>
        )}
      </Loaded>
    </>
  );
}

interface Results {
  /** Results of the models that have run on the day; undefined if the operator has switched the values of fields off. */
  said: Said[] | undefined;
  day?: Schemas['FieldValues'] | undefined;
}

async function resultsOf(ticker: string, signal: AbortSignal): Promise<Results> {
  const { screens, models } = client.value;
  const [fields, known] = await Promise.all([screens.fields({ signal }), models.list({ signal })]);
  const names = fields
    .filter(({ group, since }) => group === GROUP && since !== null)
    .map(({ name }) => name);
  if (names.length === 0) return { said: [] };
  const day = await unlessNotFound(screens.fieldValues({ fields: names, signal }));
  if (!day) return { said: undefined };
  const at = day.tickers.indexOf(ticker.toUpperCase());
  const hasRun = (id: string) => day.values[`${id}.picked`]?.some((value) => value !== null) ?? false;
  const said = known
    .filter(({ id }) => hasRun(id))
    .map(({ id, name }) => {
      const values = MEMBERS.map((member) => [member, day.values[`${id}.${member}`]?.[at] ?? null]);
      return { id, name, ...(Object.fromEntries(values) as Omit<Said, 'id' | 'name'>) };
    });
  return { said, day };
}
