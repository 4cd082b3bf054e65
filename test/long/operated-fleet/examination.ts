import { expect } from 'vitest';
import { REPOSITORY } from '#support/repository.ts';
import { runCli, type CliSurroundings } from '#support/fleets/saring-cli.ts';
import { own } from './fleet.ts';

interface Diagnosis {
  findings: { check: string; what: string; fix: string }[];
}

/** The findings of the doctor. Also checks the exit code. */
export async function examine(stateDir = own.fleet.stateDir, more: Partial<CliSurroundings> = {}) {
  const env = { STATE_DIR: stateDir, ...more.env };
  const { code, stdout, stderr } = await runCli(['doctor', '--json'], { cwd: REPOSITORY, ...more, env });
  expect(stderr).toBe('');
  const { findings } = JSON.parse(stdout) as Diagnosis;
  expect(code).toBe(findings.length > 0 ? 1 : 0);
  for (const { what, fix } of findings)
    expect([what, fix]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)]);
  return findings;
}

/** Expects exactly one finding with these texts. */
export async function expectFinding(
  what: RegExp,
  fix: RegExp,
  ...where: Parameters<typeof examine>
): Promise<void> {
  const findings = await examine(...where);
  expect(findings).toEqual([
    {
      check: expect.any(String) as string,
      what: expect.stringMatching(what) as string,
      fix: expect.stringMatching(fix) as string,
    },
  ]);
}
