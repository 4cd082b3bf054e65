import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/** Takes connections and never says a word. */
export async function startSilentServer(): Promise<{ address: string; stop: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
