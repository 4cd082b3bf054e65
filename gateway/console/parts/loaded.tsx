import type { ComponentChildren } from 'preact';
import { Failure } from './failure.tsx';
import type { Loading } from './loading.ts';
import { shared } from '#console/words/shared.ts';

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
