import express from 'express';

/** The baseline: an Express server that only answers a small JSON document. */
const app = express();
app.get('/', (_request, response) => void response.json({ hello: 'world' }));
app.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('listening'));
