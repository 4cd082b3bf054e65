import express from 'express';

/** The yardstick: Express answering a small JSON document and nothing else. */
const app = express();
app.get('/', (_request, response) => void response.json({ hello: 'world' }));
app.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('listening'));
