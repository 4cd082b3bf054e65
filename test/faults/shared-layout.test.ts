/**
 * What breaks a fleet whose light services share a process. The tests run in this order on one fleet, since a start costs as much
 * as most of them. Each file registers its tests.
 */
import './shared-layout/restarts.ts';
// Before anything else has crashed, since the pause before a restart grows with each crash.
import './shared-layout/frozen.ts';
import './shared-layout/worker-killed.ts';
// It generates markets that lack the days which later tests add.
import './shared-layout/kept-answers.ts';
import './shared-layout/dataset-switch.ts';
import './shared-layout/process-killed.ts';
