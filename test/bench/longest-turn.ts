/** The longest turn of this process's event loop, ms: by the clock, and of the processor's time alone. */
export interface LongestTurn {
  elapsedMs: number;
  processorMs: number;
}

/**
 * How long the work lets nobody else have a turn. The clock also counts what other processes took of the processor
 * meanwhile, on a machine that is busy.
 */
export async function longestTurnOf(work: () => Promise<unknown>): Promise<LongestTurn> {
  await nextTurn();
  const longest = { elapsedMs: 0, processorMs: 0 };
  let isOver = false;
  let [before, usedBefore] = [performance.now(), usedMs()];
  const turn = () => {
    const [now, used] = [performance.now(), usedMs()];
    longest.elapsedMs = Math.max(longest.elapsedMs, now - before);
    longest.processorMs = Math.max(longest.processorMs, used - usedBefore);
    [before, usedBefore] = [now, used];
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  await nextTurn();
  return longest;
}

/** Of this thread, in the program and in the system. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
