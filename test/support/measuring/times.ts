/** Returned by work that says nothing about its time. */
export const NOT_COUNTED = Symbol('not counted');

/**
 * Milliseconds of each piece of work, by its number from 0 on.
 * @param warmUp how many pieces are done first and not counted
 * @param atOnce how many are done at a time
 */
export async function timesOf(
  work: (number: number) => Promise<unknown>,
  { count, warmUp = 0, atOnce = 1 }: { count: number; warmUp?: number; atOnce?: number },
): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  const lane = async () => {
    while (next < warmUp + count) {
      const number = next++;
      const begun = performance.now();
      const result = await work(number);
      if (number >= warmUp && result !== NOT_COUNTED) times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return times;
}
