import type { Schemas } from '#client/index.ts';
import { DataTable } from '#console/parts/data-table.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { Source } from '#console/parts/source.tsx';
import { linkTo } from '#console/routing.ts';
import { client } from '#console/session/session.ts';
import { fixed, number } from '#console/words/formats.ts';
import { words } from './words.ts';

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

/** What each model said of a stock on the newest day, and the screens that hold it. */
export function HeldBy({ ticker }: { ticker: string }) {
  const say = words.value;
  const held = useLoading(
    async (signal) => {
      const [models, screens] = await Promise.all([
        resultsOf(ticker, signal),
        client.value.screens.ofStock(ticker, { signal }),
      ]);
      return { ...models, screens };
    },
    [ticker, client.value],
  );
  return (
    <>
      <h2>{say.heldBy}</h2>
      <Loaded of={held}>
        {({ said, screens, day }) => (
          <>
            {said.length === 0 ? <p>{say.noResults}</p> : <Models said={said} />}
            {day && (
              <Source datasetVersion={day.dataset_version} asOf={day.as_of} brokerData={day.broker_data} />
            )}
            <p>
              {screens.length === 0 ? say.inNoScreen : say.inScreens}{' '}
              {screens.map(({ screen_id, name }, at) => (
                <>
                  {at > 0 && ', '}
                  <a key={screen_id} href={linkTo('screens', screen_id)}>
                    {name}
                  </a>
                </>
              ))}
            </p>
          </>
        )}
      </Loaded>
    </>
  );
}

function Models({ said }: { said: readonly Said[] }) {
  const say = words.value;
  return (
    <DataTable
      caption={say.heldBy}
      rows={said}
      keyOf={({ id }) => id}
      columns={[
        { title: say.model, of: ({ id, name }) => <a href={linkTo('run', id)}>{name}</a> },
        {
          title: say.picked,
          of: ({ picked }) => (picked === null ? say.notJudged : picked ? say.yes : say.no),
        },
        { title: say.rank, isNumber: true, of: ({ rank }) => number(rank) },
        { title: say.probability, isNumber: true, of: ({ probability }) => fixed(probability, 1) },
      ]}
    />
  );
}

async function resultsOf(
  ticker: string,
  signal: AbortSignal,
): Promise<{ said: Said[]; day?: Schemas['FieldValues'] }> {
  const { screens, models } = client.value;
  const [fields, known] = await Promise.all([screens.fields({ signal }), models.list({ signal })]);
  const names = fields
    .filter(({ group, since }) => group === GROUP && since !== null)
    .map(({ name }) => name);
  if (names.length === 0) return { said: [] };
  const day = await screens.fieldValues({ fields: names, signal });
  const at = day.tickers.indexOf(ticker);
  const said = known.flatMap(({ id, name }) => {
    const values = Object.fromEntries(
      MEMBERS.map((member) => [member, day.values[`${id}.${member}`]?.[at] ?? null]),
    );
    return names.some((field) => field.startsWith(`${id}.`)) ? [{ id, name, ...values } as Said] : [];
  });
  return { said, day };
}
