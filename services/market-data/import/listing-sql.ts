import type { Staging } from './staging.ts';

/**
 * SQL of the companies that the upload lists. Files without a sector go before those of a sector; the sector itself
 * is known from the latter only.
 */
function stagedListingSql({ listing }: Staging): string {
  return `SELECT ticker, argMin(name, rank) AS name, max(sector) AS sector, argMin(board, rank) AS board,
      argMin(listed_on, rank) AS listed_on
    FROM (SELECT *, (sector != '', file) AS rank FROM ${listing}) GROUP BY ticker`;
}

/** SQL of the same, and of what the base knows about companies and the upload does not. */
export function mergedListingSql(staging: Staging): string {
  const latestKnown = (name: string) => `argMaxIf(${name}, is_new, ${name} != '')`;
  return `SELECT ticker, ${latestKnown('name')}, ${latestKnown('sector')}, ${latestKnown('board')},
      argMaxIf(listed_on, is_new, isNotNull(listed_on))
    FROM (
      SELECT *, 1 AS is_new FROM (${stagedListingSql(staging)})
      UNION ALL
      SELECT ticker, name, sector, board, listed_on, 0 AS is_new FROM market.listing
      WHERE dataset_version = {base:String}
    )
    GROUP BY ticker`;
}
