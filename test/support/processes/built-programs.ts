import { execFileSync } from 'node:child_process';
import { REPOSITORY } from '../repository.ts';

/** Not installed from here: that would remove the packages from which vitest runs. */
const INSTALLED = 'node_modules/.package-lock.json';

/** Global setup of vitest: services and fleets of tests run the programs in `build/`, which must be those of the sources. */
export default function buildPrograms(): void {
  const { MAKEFLAGS: _flags, MAKELEVEL: _level, ...env } = process.env;
  const options = ['--silent', '--old-file', INSTALLED];
  execFileSync('make', [...options, 'build/services.js'], { cwd: REPOSITORY, env, stdio: 'inherit' });
}
