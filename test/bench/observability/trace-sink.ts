import { createServer } from 'node:http';

/** A collector that discards spans, so that the bench measures only the sender. */
createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
}).listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('listening'));
