import { readFile } from 'node:fs/promises';

/** Every process that a process has started, and those that they have. One that ends meanwhile is left out. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(emptyIfGone))
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map(Number);
  const families = await Promise.all(children.map(async (child) => [child, ...(await descendantsOf(child))]));
  return families.flat();
}

function emptyIfGone(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT' || error.code === 'ESRCH') return '';
  throw error;
}
