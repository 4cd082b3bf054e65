/** Before each contract test file: while the connection lasts, the file uses the shared fleet. */
import { connect } from 'node:net';
import { afterAll, inject } from 'vitest';

const use = connect(inject('contractFleetUsers'), '127.0.0.1');
afterAll(() => void use.destroy());
