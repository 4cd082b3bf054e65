import { detectedKind, isAdjusting, type StatedAction } from '#quant/corporate-actions/corporate-action.ts';
import type { LateListing } from '#quant/corporate-actions/late-listing.ts';
import type { Matches, StatedFactors } from '#quant/corporate-actions/match-actions.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { insertActions, readActions, statedIn, type StoredAction } from '../store/action-rows.ts';
import type { DraftVersion } from './merging/draft-version.ts';
import { isLate, matchTable } from './actions/match-table.ts';

/** What the corporate actions of a version say, stored. */
interface StoredActions {
  matches: Matches;
  /** Whether they say about some bar something else than what is detected there. */
  hasFactors: boolean;
}

type Matched = Awaited<ReturnType<typeof matchTable>>;

/** The table of corporate actions of a version, as it was imported. */
export async function readActionTable(client: ClickHouseClient, version: string): Promise<StatedAction[]> {
  return statedIn(await readActions(client, version));
}

/**
 * Compares the corporate actions of a version with what its rows show, stores both, and stages the factors that they and late
 * listings state. The refused closes of the version must be stored first.
 */
export async function storeActions(
  client: ClickHouseClient,
  draft: DraftVersion,
  listings: readonly LateListing[],
): Promise<StoredActions> {
  const { version, staging } = draft;
  const matches = await matchTable(client, draft, listings);
  await insertActions(client, version, actionRows(matches));
  const insert = (table: string, rows: object[]) =>
    rows.length === 0 ? undefined : client.insert({ table, values: rows, format: 'JSONEachRow' });
  const before = [...beforeTheTable(matches, listings), ...beforeListings(matches, listings)];
  await insert(
    'market.late_factor',
    before.map(({ factors: { price, share }, knownOn, ticker, date }) => ({
      ...{ dataset_version: version, ticker, date, known_on: knownOn, factor: price, share_factor: share },
    })),
  );
  const stated = [...matches.factors, ...unstated(matches, listings)];
  await insert(
    staging.statedFactors,
    stated.map(({ ticker, date, factors: { price, share } }) => ({
      ...{ ticker, date, factor: price, share_factor: share },
    })),
  );
  return { matches, hasFactors: stated.length > 0 };
}

/** What applied on a bar until something became known. */
type Before = Pick<StatedFactors, 'ticker' | 'date' | 'factors' | 'knownOn'>;
type Bar = Pick<StatedFactors, 'ticker' | 'date'>;

const isOf = (bar: Bar) => (other: Bar) => bar.ticker === other.ticker && bar.date === other.date;

/**
 * What applied before the table was known. Of rights also if it was known in time: that they are rights says that no listing is
 * awaited which tells how many shares there are.
 */
function beforeTheTable(
  { actions, factors, detections }: Matched,
  listings: readonly LateListing[],
): Before[] {
  const restated = factors.filter((one) => isLate(one) || one.factors.share === 1);
  const confirmed = actions.flatMap(({ action: { ticker, kind, known_on: knownOn }, appliedOn: date }) => {
    if (!isAdjusting(kind) || date === undefined || factors.some(isOf({ ticker, date }))) return [];
    return detections
      .filter(isOf({ ticker, date }))
      .map((seen) => ({ ...seen, before: seen.factors, knownOn }));
  });
  return [...restated, ...confirmed].map(({ ticker, date, before, knownOn }) => {
    const listing = listings.find(isOf({ ticker, date }));
    const isBeforeListing = listing && knownOn <= listing.listedOn;
    const seen = isBeforeListing ? { price: listing.priceRatio, share: 1 } : before;
    return { ticker, date, knownOn, factors: seen };
  });
}

/** What applied before shares were listed, unless the table had told by then. */
function beforeListings({ factors }: Matched, listings: readonly LateListing[]): Before[] {
  return listings
    .filter((listing) => !factors.some((one) => isOf(listing)(one) && one.knownOn <= listing.listedOn))
    .map(({ ticker, date, listedOn, priceRatio }) => {
      return { ticker, date, knownOn: listedOn, factors: { price: priceRatio, share: 1 } };
    });
}

/** What late listings say about bars of which the table says nothing. */
function unstated({ factors }: Matched, listings: readonly LateListing[]) {
  return listings
    .filter((listing) => !factors.some(isOf(listing)))
    .map(({ ticker, date, shareRatio }) => ({
      ticker,
      date,
      factors: { price: shareRatio, share: shareRatio },
    }));
}

function actionRows({ actions, overruled }: Matches): StoredAction[] {
  const stated = actions.map(({ action, status, appliedOn }) => ({
    ...action,
    status,
    ...(appliedOn !== undefined && { applied_on: appliedOn }),
  }));
  const detected = overruled.map(({ ticker, date, factors, knownOn }): StoredAction => ({
    ticker,
    kind: detectedKind(factors),
    ex_date: date,
    known_on: knownOn,
    ...(factors.share !== 1 && { ratio: 1 / factors.share }),
    status: 'overruled',
  }));
  return [...stated, ...detected];
}
