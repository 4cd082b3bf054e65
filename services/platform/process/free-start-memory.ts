import { Session } from 'node:inspector/promises';
import { returnMemory } from './return-memory.ts';

/**
 * Frees the memory that a start needed and the time after it does not. V8 by itself would keep the space in which it loaded the
 * modules. The collection holds the process up for some 50 ms.
 */
export async function freeStartMemory(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
  await returnMemory();
}
