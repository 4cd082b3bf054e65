import type { ColumnType } from 'kysely';
import type { Rules } from '#fields/rules/rules.ts';
import type { OutboxTables } from '#platform/postgres/outbox.ts';
import type { MemberChange } from '#proto/saring/market_data/v1/fields.ts';
import type { ScreenUniverse } from '#proto/saring/screens/v1/screens.ts';

type Json<T> = ColumnType<T, string, string>;
type Written<T> = ColumnType<T, T, never>;

/** What every row that belongs to an end user of a key has. */
interface OwnedTable {
  api_key_id: Written<string>;
  end_user: Written<string>;
  name: string;
  /** Whether every end user of the key can read it. */
  shared: boolean;
  created_at: Written<Date>;
}

export interface ScreenTable extends OwnedTable {
  screen_id: Written<string>;
  /** The newest one. */
  version: number;
}

/** Versions are never changed. */
export interface ScreenVersionTable {
  screen_id: Written<string>;
  version: Written<number>;
  /** In normal form. Null for a screen by model, and only then. */
  rules: ColumnType<Rules | null, string | null, never>;
  model_id: Written<string | null>;
  /** As they were sent. Null like the model. */
  params: ColumnType<Record<string, unknown> | null, string | null, never>;
  universe: ColumnType<ScreenUniverse | null, string | null, never>;
  made_at: Written<Date>;
}

export interface WatchlistTable extends OwnedTable {
  watchlist_id: Written<string>;
  /** In upper case, without duplicates. */
  tickers: Json<string[]>;
  updated_at: Date;
}

/** How far a screen has come in a market. */
export interface ScreenPlaceTable {
  screen_id: string;
  /** `real` or `synthetic`. */
  market: string;
  /** Version of the screen that was evaluated. */
  version: number;
  /** Dataset version that was considered last. */
  dataset_version: string;
  /** The newest day with a result. Null while there is none. */
  as_of: string | null;
  /** The members on that day, in the order of the rules. */
  tickers: string[];
  /** The result before, of the same version of the screen. Its day is null for the first result. */
  previous_as_of: string | null;
  previous_tickers: string[];
  /** Why the screen could not be evaluated in that dataset version. Null if it could. */
  failure: string | null;
  /** Counts the writes, so that of two that rest on the same place only one succeeds. */
  revision: number;
  /**
   * Dataset version for which the screen is tried again, since when, and when next: a model's daily result of its day is awaited, or the
   * screen is set aside. Null if it is not.
   */
  awaited_version: string | null;
  awaited_since: Date | null;
  retry_at: Date | null;
  /** Since when this version of the screen cannot be evaluated or recorded, for a reason that may pass. Null if it can. */
  set_aside_since: Date | null;
}

/** Who entered and left a screen on a day. */
export interface ScreenChangeTable {
  screen_id: string;
  market: string;
  as_of: string;
  previous_as_of: string;
  version: number;
  dataset_version: string;
  entered: Json<MemberChange[]>;
  left: Json<MemberChange[]>;
  recorded_at: Date;
}

/** Which copy follows a market. Any other may take its turn once the lease has expired. */
interface FollowingTurnTable {
  market: string;
  holder: string;
  leased_until: Date;
}

/** The last hour in which a key was told that it has used up a budget. */
interface BudgetNoticeTable {
  api_key_id: string;
  budget: string;
  window_began_at: Date;
}

/** A model whose past picks were followed or judged. */
export interface ModelParams {
  model_id: string;
  params: Record<string, unknown>;
  /** Which trading days have picks. */
  step: string;
}

/** What somebody tried on past days, and what it came to. */
export interface TrialTable {
  /** Follows from everything else but the outcome. */
  trial_id: string;
  api_key_id: string;
  end_user: string;
  /** Follows from rules, universe and levels: what makes trials distinct. */
  variant: string;
  /** `real` or `synthetic`. */
  market: string;
  first_day: string;
  last_day: string;
  rules: Json<Rules | ModelParams>;
  universe: ColumnType<ScreenUniverse | null, string | null, string | null>;
  /** Trading days for which positions are held, and of a period. */
  period_days: number;
  /** What picks returned more than all liquid stocks in each period, as fractions. */
  excess: number[];
  tried_at: Date;
}

export interface ScreensTables extends OutboxTables {
  trial: TrialTable;
  screen: ScreenTable;
  screen_version: ScreenVersionTable;
  watchlist: WatchlistTable;
  screen_place: ScreenPlaceTable;
  screen_change: ScreenChangeTable;
  following_turn: FollowingTurnTable;
  budget_notice: BudgetNoticeTable;
}
