import { connect } from 'node:net';

/**
 * @throws unless something listens on the port of 127.0.0.1. Asked first, it makes waiting for a process cheap: a
 * whole client that is refused costs much more, on the processors that the starting processes need.
 */
export function probeTcp(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}
