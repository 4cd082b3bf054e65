import { spawnSync } from 'node:child_process';

/** The first of the usual Pythons that has a module. Debian's own Python has the modules of Debian's packages. */
export function pythonWith(module: string): string | undefined {
  return ['python3', '/usr/bin/python3'].find(
    (python) => spawnSync(python, ['-c', `import ${module}`], { stdio: 'ignore' }).status === 0,
  );
}
