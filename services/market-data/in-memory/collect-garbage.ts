import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects garbage now. The memory behind a panel is shared and does not count in the heap, so that V8 sees no reason
 * to collect: replaced panels of 100 MB each would pile up. Costs some ten milliseconds.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}
