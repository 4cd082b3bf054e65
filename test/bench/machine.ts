import { cpus, totalmem } from 'node:os';

/** One line that says where figures were measured. */
export function machineLine(): string {
  const [first, ...others] = cpus();
  const memoryGiB = (totalmem() / 2 ** 30).toFixed(0);
  return `${first?.model.trim()} × ${others.length + 1}, ${memoryGiB} GiB, ${process.platform}-${process.arch}, Node ${process.versions.node}`;
}
