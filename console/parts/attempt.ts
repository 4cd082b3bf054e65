import { useState } from 'preact/hooks';

/** What a person asks for with a button, and what may fail: whether it is under way, and why it failed the last time. */
export function useAttempt() {
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const attempt = async (act: () => Promise<unknown>) => {
    setFailure(undefined);
    setBusy(true);
    await act().catch(setFailure);
    setBusy(false);
  };
  return { failure, isBusy, attempt };
}
