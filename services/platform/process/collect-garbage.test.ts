import { expect, test } from 'vitest';
import { collectGarbage } from './collect-garbage.ts';

const collected: string[] = [];
/** A registry that is itself collected reports nothing, so this one belongs to the module. */
const registry = new FinalizationRegistry<string>((name) => collected.push(name));

test('collectGarbage frees unreferenced objects', async () => {
  registry.register({ panel: new SharedArrayBuffer(1_000) }, 'a replaced panel');
  // A reference that was read stays alive until the current turn of the event loop ends, or until its place in the stack is used again.
  await expect
    .poll(() => {
      collectGarbage();
      return collected;
    })
    .toEqual(['a replaced panel']);
});
