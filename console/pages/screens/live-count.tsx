import { useMemo } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import type { Loading } from '#console/parts/loading.tsx';
import { day as dayText, number } from '#console/words/formats.ts';
import type { Rules } from '#fields/rules/rules.ts';
import type { DayMarket } from './day-market.ts';
import type { Draft } from './draft.ts';
import { count, spreadOf } from './judge-draft.ts';
import { valueText } from './value-text.ts';
import { words } from './words.ts';

/** Of those that pass, so many are named. */
const NAMED = 8;

interface LiveCountProps {
  /** undefined while they cannot be read. */
  rules: Rules | undefined;
  draft: Draft;
  day: Loading<DayMarket | undefined>;
  /** The field that is being written about. */
  subject: Schemas['Field'] | undefined;
}

/** How many stocks pass while rules are written, and where the values of their field lie. */
export function LiveCount({ rules, draft, day: { value: day, failure, isBusy }, subject }: LiveCountProps) {
  const say = words.value;
  const counted = useMemo(
    () => (day && rules ? count(rules, draft, day.market) : undefined),
    [rules, draft.among, draft.named, day],
  );
  const spread = useMemo(() => day && subject && spreadOf(subject.name, day.market), [subject, day]);
  const text = () => {
    if (!rules) return say.unfinished;
    if (failure !== undefined) return say.countedByRunning;
    if (!day || counted === undefined) return isBusy ? say.counting : '';
    if (counted === 'looks back') return say.looksBack;
    if (counted === 'named elsewhere') return say.namedElsewhere;
    const { matched, screened, tickers } = counted;
    const names = tickers.slice(0, NAMED).join(', ');
    const more = tickers.length > NAMED ? ' …' : '';
    return `${say.pass(number(matched), number(screened), dayText(day.asOf))}${names && `: ${names}${more}`}`;
  };
  const shown = (value: number) => valueText(value, subject?.unit);
  return (
    <div class="live-count">
      <p role="status">{draft.rules !== '' && text()}</p>
      {spread && subject && (
        <p class="minor">
          <code>{subject.name}</code>{' '}
          {say.spread(shown(spread.lowest), shown(spread.highest), shown(spread.median))}
        </p>
      )}
    </div>
  );
}
