import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { Source } from '#console/parts/source.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import { client } from '#console/session/session.ts';
import { day, number } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { say } from './corporate-action-words.ts';

type Action = Schemas['CorporateAction'];

/** Actions that are shown at first, and at most: that many fit on one page of the API. */
const FIRST = 20;
const MOST = 1_000;
/** Ratios and amounts have no more decimals than this. */
const DECIMALS = 4;

/** The splits, rights, dividends and other actions of a stock, and how each is known. */
export function CorporateActions({ ticker }: { ticker: string }) {
  const [limit, setLimit] = useState(FIRST);
  const actions = useLoading(
    (signal) => client.value.data.actions(ticker, { limit, signal }).first(),
    [limit, client.value],
  );
  return (
    <>
      <h2>{say.title}</h2>
      <Loaded of={actions}>
        {({ actions: rows, has_more, dataset_version }) => (
          <>
            <DataTable
              caption={say.caption(ticker)}
              rows={rows}
              empty={say.none}
              keyOf={({ ex_date, kind, status, index }) => [ex_date, kind, status, index].join(' ')}
              columns={[
                { title: say.exDate, of: ({ ex_date }) => day(ex_date) },
                { title: say.kind, of: ({ kind }) => say.kinds[kind] },
                { title: say.terms, of: (action) => <Terms of={action} /> },
                {
                  title: say.earlierPrices,
                  isNumber: true,
                  of: ({ price_factor }) =>
                    price_factor === null ? '' : `× ${number(price_factor, DECIMALS)}`,
                },
                { title: say.knownSince, of: ({ known_on }) => day(known_on) },
                { title: say.state, of: ({ status }) => <State of={status} /> },
                { title: shared.source, of: ({ source }) => source ?? '' },
              ]}
            />
            <Source datasetVersion={dataset_version} asOf={undefined} />
            {has_more && limit < MOST && (
              <button type="button" onClick={() => setLimit(MOST)}>
                {say.all}
              </button>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

function Terms({ of: { kind, ratio, amount, note, new_ticker, board, index, membership } }: { of: Action }) {
  const idr = amount === null ? '' : `Rp ${number(amount, DECIMALS)}`;
  const terms = [
    ratio === null ? '' : ratioInWords(ratio),
    idr && (kind === 'rights' ? say.newShareFor(idr) : say.aShare(idr)),
    new_ticker && say.newTicker(new_ticker),
    board,
    membership && `${say.memberships[membership]} ${index ?? ''}`,
  ];
  return (
    <>
      {terms.filter(Boolean).join(', ')}
      {note && <small> {note}</small>}
    </>
  );
}

function ratioInWords(ratio: number): string {
  if (ratio === 1) return say.nothing;
  return ratio > 1 ? say.sharesForOne(number(ratio, DECIMALS)) : say.oneShareFor(number(1 / ratio, DECIMALS));
}

function State({ of }: { of: Action['status'] }) {
  const { name, meaning } = say.states[of];
  return (
    <>
      {name} <small>{meaning}</small>
    </>
  );
}
