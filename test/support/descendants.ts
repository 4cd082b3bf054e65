import { readFile } from 'node:fs/promises';

/** Every process that a process has started, and those that they have. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map(Number);
  const families = await Promise.all(children.map(async (child) => [child, ...(await descendantsOf(child))]));
  return families.flat();
}
