import type { Erasure, StoredItem } from '#proto/saring/end_users/v1/end_users.ts';
import { jakartaDateTime } from '#foundation/jakarta-time.ts';

/** An end user of one key or, without a key, the end users of every key that have this id. */
export interface EndUserOf {
  api_key_id?: string | undefined;
  end_user: string;
}

export interface EndUserData {
  /** Everything that is stored, kind by kind. */
  stored: (of: EndUserOf) => AsyncIterable<StoredItem>;
  /** Erases it, but for what must stay. Can be repeated, also when an earlier attempt ended half way. */
  erase: (of: EndUserOf) => Promise<Erasure>;
}

/** A stored thing as a document: times are those of Jakarta, as in every answer. */
export function storedItem(kind: string, stored: object): StoredItem {
  const members = Object.entries(stored).map(([name, value]) => [
    name,
    value instanceof Date ? jakartaDateTime(value) : (value as unknown),
  ]);
  return { kind, json: JSON.stringify(Object.fromEntries(members)) };
}

/** An erasure of which nothing is left to do. */
export function erasureOf(erased: Record<string, number>, kept: Erasure['kept'] = []): Erasure {
  return {
    erased: Object.fromEntries(Object.entries(erased).filter(([, count]) => count > 0)),
    kept: kept.filter(({ count }) => count > 0),
    pending: 0,
  };
}
