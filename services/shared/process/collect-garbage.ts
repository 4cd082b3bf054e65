/** More than V8 lets gather behind objects before it looks which of them are still in use. */
const NOTICED_BYTES = 96 * 1024 ** 2;

/**
 * Has garbage collected soon. Memory that threads share, as that behind a panel, does not count in the heap, so that V8
 * sees no reason to collect, and replaced panels of 100 MB each would pile up. An ordinary buffer does count; as nobody
 * writes to it, the system never gives it any memory. What follows is done in small steps between requests, where a
 * collection on demand would keep them waiting for some 30 ms.
 */
export function collectGarbage(): void {
  void new ArrayBuffer(NOTICED_BYTES);
}
