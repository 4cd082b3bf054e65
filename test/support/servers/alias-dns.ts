import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const HEADER_BYTES = 12;
/** A response without an error, with one question and one answer. */
const HEADER_AFTER_ID = [0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0];
/** The name of the question is `nowhere.example` (type CNAME, class IN, for a minute), of which nothing more is known. */
const TARGET = Buffer.from('\x07nowhere\x07example\x00', 'latin1');
const ANSWER = Buffer.from([0xc0, HEADER_BYTES, 0, 5, 0, 1, 0, 0, 0, 60, 0, TARGET.length, ...TARGET]);

/** A server of DNS on this machine for which every name is another name, and no name has an address. */
export async function startAliasDns(): Promise<{ at: string; stop: () => void }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    // The question is a name that ends with a zero byte, its type and its class.
    const question = query.subarray(HEADER_BYTES, query.indexOf(0, HEADER_BYTES) + 5);
    const id = query.subarray(0, 2);
    socket.send(Buffer.concat([id, Buffer.from(HEADER_AFTER_ID), question, ANSWER]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { at: `127.0.0.1:${socket.address().port}`, stop: () => socket.close() };
}
