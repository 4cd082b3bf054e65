import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const PERIOD_US = 100_000;
/** The folders in which version 1 and version 2 of cgroups create a group. */
const [V1, V2] = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup'];

/**
 * Limits a process with all its threads to this share of one processor. Needs root.
 * @returns removes the group; call it when the process has ended
 */
export function confine(pid: number, share: number): () => void {
  const quota = Math.round(share * PERIOD_US);
  const isV1 = existsSync(V1);
  const group = path.join(isV1 ? V1 : V2, `saring-capacity-${pid}`);
  const write = (file: string, value: string) => writeFileSync(path.join(group, file), value);
  mkdirSync(group);
  try {
    if (isV1) write('cpu.cfs_period_us', String(PERIOD_US));
    if (isV1) write('cpu.cfs_quota_us', String(quota));
    else write('cpu.max', `${quota} ${PERIOD_US}`);
    write('cgroup.procs', String(pid));
  } catch (error) {
    rmdirSync(group);
    throw error;
  }
  return () => rmdirSync(group);
}
