/** Before each contract test file: while the connection lasts, the file uses the shared fleet. */
import { connect } from 'node:net';
import { afterAll, inject } from 'vitest';
import { followLogs, logsOfFleet } from '../processes/test-logs.ts';

const use = connect(inject('contractFleetUsers'), '127.0.0.1');
const unfollow = followLogs(() => logsOfFleet(inject('stateDir')));
afterAll(() => {
  use.destroy();
  unfollow();
});
