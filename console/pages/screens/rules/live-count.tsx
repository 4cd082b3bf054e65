import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import type { Loading } from '#console/parts/loading.tsx';
import { day as dayText, number } from '#console/words/formats.ts';
import type { Rules } from '#fields/rules/rules.ts';
import type { DayMarket } from './day-market.ts';
import type { Draft } from './draft.ts';
import { count, spreadOf } from './judge-draft.ts';
import { valueText } from './value-text.ts';
import { say } from './words.ts';

/** How many of the stocks that pass are named. */
const NAMED = 8;

/** A screen reader announces the count once typing pauses. */
const PAUSE_MS = 700;

interface LiveCountProps {
  /** undefined while they cannot be read. */
  rules: Rules | undefined;
  /** Whether a mistake is shown, which says enough. */
  isMistaken: boolean;
  draft: Draft;
  day: Loading<DayMarket | undefined>;
  /** The field that is being written about. */
  subject: Schemas['Field'] | undefined;
}

/** How many stocks pass while rules are written, and where the values of their field lie. */
export function LiveCount({ rules, isMistaken, draft, day: loading, subject }: LiveCountProps) {
  const { value: day, failure, isBusy } = loading;
  // A retry after a failure does not change the message.
  const hasFailed = useRef(false);
  hasFailed.current = failure !== undefined || (hasFailed.current && isBusy);
  const counted = useMemo(
    () => (day && rules ? count(rules, draft, day.market) : undefined),
    [rules, draft.among, draft.named, day],
  );
  const spread = useMemo(() => day && subject && spreadOf(subject.name, day.market), [subject, day]);
  const textOf = () => {
    if (draft.rules === '' || isMistaken) return '';
    if (!rules) return say.unfinished;
    if (hasFailed.current) return say.countedByRunning;
    if (!day || counted === undefined) return isBusy ? say.counting : '';
    if (counted === 'looks back') return say.looksBack;
    if (counted === 'known elsewhere') return say.knownElsewhere;
    const { matched, screened } = counted;
    return say.pass(number(matched), number(screened), dayText(day.asOf));
  };
  const text = textOf();
  const tickers = typeof counted === 'object' && text !== '' ? counted.tickers : [];
  const shown = (value: number) => valueText(value, subject?.unit);
  return (
    <div class="live-count">
      <p>
        {text}
        {tickers.length > 0 && `: ${tickers.slice(0, NAMED).join(', ')}`}
        {tickers.length > NAMED && ' …'}
      </p>
      <p class="read-out" role="status">
        {useAfterPause(text)}
      </p>
      {day && spread && subject && (
        <p class="minor">
          <code>{subject.name}</code>{' '}
          {say.spread(dayText(day.asOf), shown(spread.lowest), shown(spread.highest), shown(spread.median))}
        </p>
      )}
    </div>
  );
}

function useAfterPause(text: string): string {
  const [paused, setPaused] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
