/** Milliseconds of the longest turn of this process's event loop while the work goes on: nobody else is served so long. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  await nextTurn();
  let [longest, isOver] = [0, false];
  let before = performance.now();
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - before);
    before = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  await nextTurn();
  return longest;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
