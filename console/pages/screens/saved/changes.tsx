import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { linkTo } from '#console/browser/routing.ts';
import { Loaded, useLoadingOn } from '#console/parts/loading.tsx';
import { Source } from '#console/parts/source.tsx';
import { StockLink } from '#console/parts/tables/columns.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import { client } from '#console/session/session.ts';
import { day } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { valueText } from '../rules/value-text.ts';
import { say } from './words.ts';

/** Days that are shown at first, and at most: that many fit on one page of the API. */
const FIRST = 20;
const MOST = 100;

/** Who entered and left a screen on each day, and which conditions decided. */
export function Changes({ screenId }: { screenId: string }) {
  const [limit, setLimit] = useState(FIRST);
  const loading = useLoadingOn(
    ['screen.changed'],
    (signal) => client.value.screens.changes(screenId, { limit, signal }).first(),
    [limit, client.value],
  );
  return (
    <section>
      <h2>{say.changes}</h2>
      <p>
        {say.toBeTold} <a href={linkTo('webhooks')}>{say.createWebhook}</a>
      </p>
      <Loaded of={loading}>
        {({ changes, has_more }) => {
          const [newest] = changes;
          if (!newest) return <p>{say.noChanges}</p>;
          return (
            <>
              <Table changes={changes} />
              <Source datasetVersion={newest.dataset_version} asOf={newest.as_of} />
              {has_more && limit < MOST && (
                <button type="button" onClick={() => setLimit(MOST)}>
                  {say.more}
                </button>
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

function Table({ changes }: { changes: readonly Schemas['ScreenChange'][] }) {
  const rows = changes.flatMap(({ as_of, entered, left }) => [
    ...entered.map((change) => ({ ...change, as_of, hasEntered: true })),
    ...left.map((change) => ({ ...change, as_of, hasEntered: false })),
  ]);
  return (
    <DataTable
      caption={say.changes}
      rows={rows}
      keyOf={({ as_of, ticker }) => `${as_of} ${ticker}`}
      columns={[
        { title: shared.day, of: ({ as_of }) => day(as_of) },
        { title: shared.ticker, of: ({ ticker }) => <StockLink to={ticker} /> },
        {
          title: shared.change,
          of: ({ hasEntered }) => (
            <span class={hasEntered ? 'succeeded' : 'failed'}>
              {hasEntered ? shared.entered : shared.left}
            </span>
          ),
        },
        {
          title: say.decidedBy,
          of: ({ decided_by }) => (
            <div class="wide">
              {decided_by.length === 0
                ? say.undecided
                : decided_by.map(({ rule, value }) => `${rule} (${valueText(value)})`).join('; ')}
            </div>
          ),
        },
      ]}
    />
  );
}
