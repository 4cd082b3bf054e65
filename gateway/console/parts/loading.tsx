import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { shared } from '#console/words/shared.ts';
import { Failure } from './failure.tsx';

export interface Loading<Value> {
  /** What came last; it stays while newer is loaded. */
  value: Value | undefined;
  failure: unknown;
  isBusy: boolean;
  reload: () => void;
}

/** Loads when the part appears, when `on` changes, and when asked to. What is under way for an earlier `on` is dropped. */
export function useLoading<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  on: readonly unknown[],
): Loading<Value> {
  const [state, setState] = useState<Omit<Loading<Value>, 'reload'>>({
    value: undefined,
    failure: undefined,
    isBusy: true,
  });
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    setState(({ value }) => ({ value, failure: undefined, isBusy: true }));
    load(leaving.signal).then(
      (value) => leaving.signal.aborted || setState({ value, failure: undefined, isBusy: false }),
      (failure: unknown) => leaving.signal.aborted || setState({ value: undefined, failure, isBusy: false }),
    );
    return () => leaving.abort();
  }, [...on, times]);
  return { ...state, reload: () => setTimes((n) => n + 1) };
}

/** As `useLoading`, and loads again every so often while the page is seen: nobody reads what a hidden tab shows. */
export function useRefreshing<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  on: readonly unknown[],
  everyMs: number,
): Loading<Value> {
  const loading = useLoading(load, on);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || loading.reload(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return loading;
}

interface LoadedProps<Value> {
  of: Loading<Value>;
  /** Said while the first value is on its way. */
  waiting?: string;
  children: (value: Value) => ComponentChildren;
}

/** What was loaded, or that it is on its way, or why it did not come. */
export function Loaded<Value>({ of, waiting, children }: LoadedProps<Value>) {
  if (of.failure !== undefined) return <Failure of={of.failure} again={of.reload} />;
  if (of.value === undefined)
    return (
      <p class="waiting" role="status">
        {waiting ?? shared.value.loading}
      </p>
    );
  return <div aria-busy={of.isBusy}>{children(of.value)}</div>;
}
