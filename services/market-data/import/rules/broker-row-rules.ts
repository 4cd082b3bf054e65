import { TICKER } from '#shared/data-format/idx-columns.ts';
import { FIRST_DAY, MAX_SHARES, MAX_VALUE_IDR, type RowRule } from './row-rules.ts';

/** What may follow the day: a time of that day in Jakarta, or midnight in any time zone. */
const REST_OF_DATE =
  '^[T ](\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(\\+07:?00)?|00:00(:00(\\.0+)?)?(Z|[+-]\\d\\d:?\\d\\d)?)$';

/** In order of precedence: the first rule that holds gives the reason. These rules depend on the row alone. */
export const BROKER_ROW_RULES: readonly RowRule[] = [
  {
    reason: 'malformed date',
    holds:
      `isNull(parsed_day) OR toString(parsed_day) != day_text` +
      ` OR (day_rest != '' AND NOT match(day_rest, '${REST_OF_DATE.replaceAll('\\', '\\\\')}'))`,
  },
  {
    reason: 'date before 1977 or in the future',
    holds: `parsed_day < toDate32('${FIRST_DAY}') OR parsed_day > {latestDay:Date32}`,
  },
  { reason: 'not a trading day: a weekend', holds: 'toDayOfWeek(parsed_day) > 5' },
  { reason: 'malformed ticker', holds: `NOT match(ticker, '${TICKER}')` },
  { reason: 'malformed broker code', holds: `NOT match(broker, '^[A-Z0-9]{2,4}$')` },
  { reason: 'unknown market', holds: `board = ''` },
  { reason: 'unknown mode', holds: 'is_net = 2' },
  { reason: 'malformed number', holds: 'isNaN(bought + paid + sold + received)' },
  { reason: 'negative number', holds: 'least(bought, paid, sold, received) < 0' },
  {
    reason: 'absurd number',
    holds: `greatest(bought, sold) > ${MAX_SHARES} OR greatest(paid, received) > ${MAX_VALUE_IDR}`,
  },
  { reason: 'neither bought nor sold', holds: 'greatest(bought, paid, sold, received) = 0' },
  {
    reason: 'shares without value',
    holds: 'is_net = 0 AND ((bought > 0 AND paid = 0) OR (sold > 0 AND received = 0))',
  },
  {
    reason: 'value without shares',
    holds: 'is_net = 0 AND ((paid > 0 AND bought = 0) OR (received > 0 AND sold = 0))',
  },
];
