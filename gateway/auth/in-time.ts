/**
 * The answer, unless it takes longer than that. The time is measured in two halves: a long turn of this process, after
 * which Node runs timers before it reads what has arrived meanwhile, ends one of them at most.
 * @throws what the answer fails with, or Error once the time is over; the answer itself is then ignored.
 */
export function inTime<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${timeoutMs} ms`));
    let timer = setTimeout(() => (timer = setTimeout(late, timeoutMs / 2)), timeoutMs / 2);
    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: Error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
