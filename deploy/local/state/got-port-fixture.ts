import { freePort } from './ports.ts';

// The channel to the parent keeps the process alive, although nothing listens on the port.
process.send!(await freePort());
process.on('message', () => {});
