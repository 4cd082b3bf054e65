/**
 * Loaded into a process before its program (`--import`). Redirects its connections on this machine to a proxy if
 * `SARING_TEST_DETOURS` names one for the program and the port. With it, tests slow down or cut off a fleet's own processes,
 * which choose their ports themselves.
 */
import { Socket, type TcpNetConnectOpts } from 'node:net';

/** The proxy's port for each port, by the end of a program's path. */
type Detours = Record<string, Record<string, number>>;

const program = process.argv[1] ?? '';
const detours = JSON.parse(process.env['SARING_TEST_DETOURS'] ?? '{}') as Detours;
const proxies = Object.entries(detours).find(([name]) => program.endsWith(name))?.[1];

if (proxies) {
  type Connect = (this: Socket, ...args: unknown[]) => Socket;
  const around = (port: unknown) => proxies[String(port)] ?? port;
  // oxlint-disable-next-line typescript/unbound-method -- called with the socket it is called on
  const connect = Socket.prototype.connect as Connect;
  const detoured: Connect = function (...args) {
    const [first] = args;
    // `net.connect` passes an array of normalised arguments; other callers pass options or a port.
    if (Array.isArray(first)) first[0] = { ...(first[0] as object), port: around(portOf(first[0])) };
    else if (typeof first === 'object') args[0] = { ...first, port: around(portOf(first)) };
    else args[0] = around(first);
    return connect.apply(this, args);
  };
  Socket.prototype.connect = detoured;
}

function portOf(options: unknown): number | undefined {
  return (options as Partial<TcpNetConnectOpts>).port;
}
