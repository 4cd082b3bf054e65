/** More external memory than V8 lets accumulate before it starts a collection. */
const NOTICED_BYTES = 96 * 1024 ** 2;

/**
 * Makes V8 collect garbage soon. Memory shared between threads, such as that of a panel, does not count towards the heap, so V8
 * sees no reason to collect and replaced panels of 100 MB each would pile up. An ordinary buffer does count. It is never
 * written to, so the system never backs it with memory. V8 then collects in small steps between requests, where a forced
 * collection would block them for some 30 ms.
 */
export function collectGarbage(): void {
  void new ArrayBuffer(NOTICED_BYTES);
}
