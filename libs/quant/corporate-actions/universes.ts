import type { StatedAction } from './corporate-action.ts';
import { renamesOf, type Rename } from './renames.ts';

/** The universes that are no index. No index can have their names. */
const NAMES = { sharia_list: 'SHARIA', monitoring_board: 'MONITORING' } as const;
type UniverseKind = 'index' | keyof typeof NAMES;
export const NOT_INDICES: readonly string[] = Object.values(NAMES);

/** What tables call the board of stocks under special monitoring, in Bahasa Indonesia (Pemantauan Khusus) and in English. */
const MONITORING_BOARD = /pemantauan|monitoring|watch-?list/i;

/**
 * The name of a universe as requests and responses write it: `IDX-HIGH-DIVIDEND-20` for `IDX High Dividend 20`. Case and what
 * stands between letters and digits make no difference. Empty for a text without a letter from A to Z or a digit.
 */
export function universeName(text: string): string {
  return text
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((part) => part !== '')
    .join('-');
}

/** A list of stocks as it was known on a day. */
interface Universe {
  name: string;
  kind: UniverseKind;
  /** Number of members. */
  members: number;
  /** The day since which any member is known, YYYY-MM-DD. */
  since: string;
}

/** A stock joins or leaves. */
interface Change {
  ticker: string;
  /** First day with or without the stock, YYYY-MM-DD. */
  from: string;
  /** The first day that may use it. */
  countsFrom: string;
  isMember: boolean;
}

interface History {
  kind: UniverseKind;
  /** The day since which any member is known, YYYY-MM-DD. */
  since: string;
  /** By their days. Of one day, those that leave come last, so that they decide. */
  changes: Change[];
}

/**
 * Which stocks belong to which index or list on each day, from the memberships, board moves and delistings of a table. A change
 * counts once it has happened and is known, so later rows of the table never change an earlier day. The boards of the listing are
 * not used: they have no day.
 */
export class Universes {
  readonly #histories = new Map<string, History>();

  /** @param lastDate the last day of the bars, under whose tickers members are named */
  constructor(actions: readonly StatedAction[], lastDate: string) {
    const renames = renamesOf(actions, lastDate);
    const named = actions.map((action) => ({ ...action, ticker: tickerAfter(renames, action) }));
    const delistings = named
      .filter(({ kind }) => kind === 'delisting')
      .map((action) => changeOf(action, false));
    for (const [name, entries] of Map.groupBy(named.flatMap(entriesOf), ({ name }) => name)) {
      const changes = entries.map(({ change }) => change);
      const since = firstMemberOn(changes);
      if (since === undefined) continue;
      const tickers = new Set(changes.map(({ ticker }) => ticker));
      const left = delistings.filter(({ ticker }) => tickers.has(ticker));
      this.#histories.set(name, {
        kind: entries[0]!.kind,
        since,
        changes: [...changes, ...left].sort(byDay),
      });
    }
  }

  /** The universes of a day, ordered by name. */
  on(day: string): Universe[] {
    return [...this.#histories]
      .filter(([, { since }]) => since <= day)
      .map(([name, { kind, since, changes }]) => ({
        name,
        kind,
        members: membersIn(changes, day).length,
        since,
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The members of a universe on a day, ordered by ticker; undefined if no such universe was known then. */
  membersOf(universe: string, day: string): string[] | undefined {
    const history = this.#histories.get(universeName(universe));
    return history && history.since <= day ? membersIn(history.changes, day) : undefined;
  }
}

/** What an action says about a universe, if anything. */
function entriesOf(action: StatedAction): { name: string; kind: UniverseKind; change: Change }[] {
  const { kind, index = '', membership, board = '' } = action;
  const hasJoined = membership === 'joined';
  switch (kind) {
    case 'index_membership':
      return [{ name: universeName(index), kind: 'index', change: changeOf(action, hasJoined) }];
    case 'sharia_list':
      return [{ name: NAMES[kind], kind, change: changeOf(action, hasJoined) }];
    case 'board_move': {
      const change = changeOf(action, MONITORING_BOARD.test(board));
      return [{ name: NAMES.monitoring_board, kind: 'monitoring_board', change }];
    }
    default:
      return [];
  }
}

function changeOf({ ticker, ex_date, known_on }: StatedAction, isMember: boolean): Change {
  return { ticker, from: ex_date, countsFrom: ex_date > known_on ? ex_date : known_on, isMember };
}

/** What the stock is called in the end. */
function tickerAfter(renames: readonly Rename[], { ticker, ex_date }: StatedAction): string {
  const rename = renames.find(
    ({ from, since, before }) =>
      from === ticker && ex_date < before && (since === undefined || ex_date >= since),
  );
  return rename?.to ?? ticker;
}

function byDay(a: Change, b: Change): number {
  if (a.from !== b.from) return a.from < b.from ? -1 : 1;
  return Number(b.isMember) - Number(a.isMember);
}

function firstMemberOn(changes: readonly Change[]): string | undefined {
  const days = changes.filter(({ isMember }) => isMember).map(({ countsFrom }) => countsFrom);
  return days.sort()[0];
}

function membersIn(changes: readonly Change[], day: string): string[] {
  const members = new Set<string>();
  for (const { ticker, countsFrom, isMember } of changes) {
    if (countsFrom > day) continue;
    if (isMember) members.add(ticker);
    else members.delete(ticker);
  }
  return [...members].sort();
}
