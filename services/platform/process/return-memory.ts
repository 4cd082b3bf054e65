// A type alone: the package itself is loaded on first use, because few processes need it.
import type * as Ffi from 'ffi-rs';

let libc: Promise<typeof Ffi | undefined> | undefined;

/**
 * Gives the allocator's free pages back to the system, on a thread of its own, and says whether there were any. By itself, glibc
 * gives back only what lies at the end of its memory: after a dataset has been read or models have been trained, small blocks near the
 * end keep a hundred free MiB in the process. Does nothing where there is no glibc, or where an image leaves out the optional
 * packages.
 */
export async function returnMemory(): Promise<boolean> {
  const ffi = await (libc ??= openLibc());
  if (!ffi) return false;
  const { I32, U64 } = ffi.DataType;
  const trimmed = ffi.load({
    library: 'glibc',
    funcName: 'malloc_trim',
    retType: I32,
    paramsType: [U64],
    paramsValue: [0],
    runInNewThread: true,
  });
  return (await trimmed) === 1;
}

async function openLibc(): Promise<typeof Ffi | undefined> {
  try {
    const ffi = await import('ffi-rs');
    ffi.open({ library: 'glibc', path: 'libc.so.6' });
    return ffi;
  } catch {
    return undefined;
  }
}
