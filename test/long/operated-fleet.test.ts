/**
 * What an operator does with a fleet and sees of it. The tests run in this order on one fleet, since a start costs as much as most
 * of them. Each file registers its tests.
 */
import './operated-fleet/operations-port.ts';
import './operated-fleet/key-changes.ts';
import './operated-fleet/operator.ts';
import './operated-fleet/end-users.ts';
import './operated-fleet/fairness.ts';
// They import other markets at their end.
import './operated-fleet/documents.ts';
import './operated-fleet/universes.ts';
import './operated-fleet/lying-histories.ts';
import './operated-fleet/short-markets.ts';
