import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { SaringError, type EventTypeName } from '#client/index.ts';
import { useEvents } from '#console/session/live-events.ts';
import { shared } from '#console/words/shared.ts';
import { Failure } from './failure.tsx';

export interface Loading<Value> {
  /** The latest value. It stays while a newer one loads, and if loading it again fails. */
  value: Value | undefined;
  failure: unknown;
  isBusy: boolean;
  reload: () => void;
}

/**
 * Loads on mount, when `on` changes and when `reload` is called. Aborts a load that belongs to an earlier `on`.
 * @param isSame whether a reload brought the same value: then the old one stays, so that nothing is redrawn
 */
export function useLoading<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  on: readonly unknown[] = [],
  isSame: (before: Value, now: Value) => boolean = Object.is,
): Loading<Value> {
  const [state, setState] = useState<Omit<Loading<Value>, 'reload'>>({
    value: undefined,
    failure: undefined,
    isBusy: true,
  });
  const [times, setTimes] = useState(0);
  const timesBefore = useRef(times);
  useEffect(() => {
    const leaving = new AbortController();
    const isAgain = timesBefore.current !== times;
    timesBefore.current = times;
    setState(({ value }) => ({ value, failure: undefined, isBusy: true }));
    load(leaving.signal).then(
      (now) =>
        leaving.signal.aborted ||
        setState(({ value: before }) => ({
          value: isAgain && before !== undefined && isSame(before, now) ? before : now,
          failure: undefined,
          isBusy: false,
        })),
      (failure: unknown) =>
        leaving.signal.aborted ||
        setState(({ value }) => ({ value: isAgain ? value : undefined, failure, isBusy: false })),
    );
    return () => leaving.abort();
  }, [...on, times]);
  return { ...state, reload: () => setTimes((n) => n + 1) };
}

/** Like `useLoading`, and reloads periodically while the page is visible: nothing is loaded for a hidden tab. */
export function useRefreshing<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  on: readonly unknown[],
  everyMs: number,
): Loading<Value> {
  const loading = useLoading(load, on);
  // A request that takes longer than the interval goes on: a new one would abort it, and hide why it is slow.
  useEvery(everyMs, () => loading.isBusy || loading.reload());
  return loading;
}

const RETRY_MS = 5_000;

/** Like `useLoading`, and retries by itself after a failure that may pass: for parts without a button to try again. */
export function useRetrying<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  on: readonly unknown[],
): Loading<Value> {
  const loading = useLoading(load, on);
  useEvery(RETRY_MS, () => mayPass(loading.failure) && loading.reload());
  return loading;
}

function mayPass(failure: unknown): boolean {
  if (!(failure instanceof SaringError)) return false;
  return failure.status === undefined || failure.status === 429 || failure.status >= 500;
}

function useEvery(everyMs: number, due: () => unknown): void {
  const newest = useRef(due);
  newest.current = due;
  useEffect(() => {
    const timer = setInterval(() => document.hidden || newest.current(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}

/** Like `useLoading` for answers of the API, and reloads when one of these events has happened. */
export function useLoadingOn<Value>(
  types: readonly EventTypeName[],
  load: (signal: AbortSignal) => Promise<Value>,
  on: readonly unknown[] = [],
): Loading<Value> {
  const loading = useLoading(load, on, isSameAnswer);
  useEvents(types, loading.reload);
  return loading;
}

const isSameAnswer = (before: unknown, now: unknown) => JSON.stringify(before) === JSON.stringify(now);

interface LoadedProps<Value> {
  of: Loading<Value>;
  /** Shown while the first value loads. */
  waiting?: string;
  children: (value: Value) => ComponentChildren;
}

/** Shows the loaded value, a notice while it loads, and the failure. */
export function Loaded<Value>({ of, waiting, children }: LoadedProps<Value>) {
  const { failure, value, isBusy, reload } = of;
  if (value === undefined)
    return failure !== undefined ? (
      <Failure of={failure} again={reload} />
    ) : (
      <p class="waiting" role="status">
        {waiting ?? shared.loading}
      </p>
    );
  return (
    <>
      <Failure of={failure} again={reload} />
      <div aria-busy={isBusy}>{children(value)}</div>
    </>
  );
}
