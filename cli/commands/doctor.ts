import type { Command } from 'commander';
import { EXIT } from '#platform/process/exit-codes.ts';
import { answer, type OutputOptions } from '../terminal/output.ts';

const DOCTOR_HELP = `
Checks the processes, failed starts, ports, disk space, JetStream, the servers of a ClickHouse cluster, migrations,
clocks, the dataset, its sources, models, schedules, the usage ledger, the pepper and the scopes of keys. It changes nothing. The
exit code is 1 if it finds a problem.`;

/** `saring doctor` */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('what is wrong with the fleet, and what to do about it')
    .addHelpText('after', DOCTOR_HELP)
    .action(doctor);
}

async function doctor(options: OutputOptions): Promise<void> {
  // Only this command loads the doctor's modules, so that all other commands start faster.
  const { diagnose } = await import('../doctor/doctor.ts');
  const diagnosis = await diagnose();
  const { findings, checks } = diagnosis;
  answer(options, diagnosis, () =>
    findings.length === 0
      ? `  ✓ Nothing is wrong: ${checks.join(', ')}.`
      : findings.map(({ what, fix }) => `  ✗ ${what}\n    ${fix}`).join('\n'),
  );
  if (findings.length > 0) process.exitCode = EXIT.refused;
}
