import { examineFleet, type ExaminedFleet } from '../fleet/examine.ts';
import { readFleetState } from '../fleet/state.ts';
import { reasonOf, type Check, type Finding } from './check.ts';
import {
  dataset,
  ledger,
  models,
  pepper,
  schedules,
  scopes,
  screens,
  sources,
  space,
} from './data-checks.ts';
import { ports, processes, startFailures } from './process-checks.ts';
import { clickhouseServers, clock, jetStream, migrations } from './store-checks.ts';

const CHECKS: Check[] = [
  processes,
  startFailures,
  ports,
  space,
  jetStream,
  clickhouseServers,
  migrations,
  clock,
  dataset,
  sources,
  models,
  schedules,
  screens,
  ledger,
  pepper,
  scopes,
];

interface Diagnosis {
  state_dir: string;
  /** In the order in which they are best fixed. */
  findings: (Finding & { check: string })[];
  checks: string[];
}

/** Runs all checks. A check that fails becomes a finding and does not stop the others. */
export async function diagnose(): Promise<Diagnosis> {
  const state = readFleetState();
  const findings = await examineFleet(state, (fleet) =>
    Promise.all(CHECKS.map((check) => lookAt(check, fleet))),
  );
  return { state_dir: state.dir, findings: findings.flat(), checks: CHECKS.map(({ name }) => name) };
}

async function lookAt({ name, find }: Check, fleet: ExaminedFleet): Promise<Diagnosis['findings']> {
  try {
    return (await find(fleet)).map((finding) => ({ check: name, ...finding }));
  } catch (error) {
    const reason = reasonOf(error as Error);
    return [
      {
        check: name,
        what: `The check '${name}' failed: ${reason}.`,
        fix: "Fix this first, then run 'saring doctor' again.",
      },
    ];
  }
}
