import { execFileSync } from 'node:child_process';
import { REPOSITORY } from '../fleets/fleet.ts';

/** Global setup of vitest: services and fleets of tests run the programs in `build/`, which must be those of the sources. */
export default function buildPrograms(): void {
  const { MAKEFLAGS: _flags, MAKELEVEL: _level, ...env } = process.env;
  execFileSync('make', ['--silent', 'build/services.js'], { cwd: REPOSITORY, env, stdio: 'inherit' });
}
