import { useEffect } from 'preact/hooks';
import { useLoading, type Loading } from './loading.ts';

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
