/** Runs tasks in the order in which they come, at most so many at once. One whose signal aborts before its turn is not run. */
export function atMost(limit: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async function run<Value>(task: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    if (running >= limit) await new Promise<void>((resume) => waiting.push(resume));
    else running++;
    try {
      signal.throwIfAborted();
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
