import type { FleetFile } from '#support/fleets/fleet.ts';
import type { Rest } from '#support/fleets/rest.ts';
import type { Figure } from '../report.ts';
import { keyCheckFigures } from './key-checks.ts';
import { keysOperator } from './keys-operator.ts';
import { revocationFigure } from './revocation.ts';
import { usageDelayFigure } from './usage-delay.ts';

/** What keys cost a request, how soon a change of one holds, and how soon a run stands in the usage ledger. */
export async function accountFigures(fleet: FleetFile, rest: Rest): Promise<Figure[]> {
  const operator = keysOperator(fleet);
  try {
    return [
      ...(await keyCheckFigures(operator)),
      await revocationFigure(operator, fleet.base_url),
      await usageDelayFigure(rest),
    ];
  } finally {
    operator.client.close();
  }
}
